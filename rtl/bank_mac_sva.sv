// What bank_mac promises its user and what it demands, as assertions, in a module of their own that
// is bound to it. For Verilator; Icarus and yosys do not read this file.
module bank_mac_sva #(
  parameter integer Queries = 8,
  parameter integer ColumnParts = 2,
  parameter integer Depth = 6,
  parameter integer TagWidth = 16,
  parameter integer IndexWidth = 7,
  parameter integer SetWidth = 4
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  issue_valid_i,
  input logic [2:0]            issue_op_i,
  input logic [TagWidth-1:0]   issue_tag_i,
  input logic [IndexWidth-1:0] issue_index_i,
  input logic [IndexWidth-1:0] issue_scalar_i,
  input logic                  result_valid_o,
  input logic [TagWidth-1:0]   result_tag_o,
  input logic [511:0]          result_data_o,
  input logic                  drain_valid_i,
  input logic                  drain_lanes_i,
  input logic [SetWidth:0]     drain_burst_i,
  input logic                  drain_ready_o,
  input logic                  drained_valid_o,
  input logic [255:0]          drained_data_o,
  input logic                  busy_o
);

  // To compare an index with an integer.
  localparam logic [31-IndexWidth:0] IndexPad = '0;
  localparam logic [30-SetWidth:0] BurstPad = '0;

  // Issues of the last `Depth` clocks, the latest in the least significant place.
  logic [Depth:0] issued;
  logic [(Depth+1)*TagWidth-1:0] tags;
  logic [Depth-1:0] issued_q;
  logic drain_taken_q;
  logic [Depth*TagWidth-1:0] tags_q;

  assign issued = {issued_q, issue_valid_i};
  assign tags = {tags_q, issue_tag_i};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      issued_q <= '0;
      drain_taken_q <= 1'b0;
    end else begin
      issued_q <= issued[Depth-1:0];
      drain_taken_q <= drain_valid_i && drain_ready_o;
    end
  end

  always_ff @(posedge clk_i) tags_q <= tags[Depth*TagWidth-1:0];

  // Clocks 1 to Depth - 1 after an issue hold a beat that has not reached its accumulator.
  logic [Depth:0] in_flight;
  assign in_flight = issued & ~({{Depth{1'b0}}, 1'b1} | ({{Depth{1'b0}}, 1'b1} << Depth));

  logic [23:0] odd_nan;
  for (genvar word = 0; word < 16; word++) begin : gen_result
    assign odd_nan[word] = result_valid_o && (result_data_o[word*32+23+:8] == 8'hff) &&
        (result_data_o[word*32+:23] != 23'd0) && (result_data_o[word*32+:32] != 32'h7fc0_0000);
  end
  for (genvar word = 0; word < 8; word++) begin : gen_drained
    assign odd_nan[16+word] = drained_valid_o && (drained_data_o[word*32+23+:8] == 8'hff) &&
        (drained_data_o[word*32+:23] != 23'd0) && (drained_data_o[word*32+:32] != 32'h7fc0_0000);
  end

  ResultLatency: assert property (@(posedge clk_i) disable iff (!rst_ni)
      result_valid_o == issued[Depth])
    else $error("ResultLatency: a result without its issue, or the other way round");

  ResultOrder: assert property (@(posedge clk_i) disable iff (!rst_ni)
      result_valid_o |-> (result_tag_o == tags[Depth*TagWidth+:TagWidth]))
    else $error("ResultOrder: results do not leave in the order of their issues");

  NanIsCanonical: assert property (@(posedge clk_i) disable iff (!rst_ni) odd_nan == 24'd0)
    else $error("NanIsCanonical: a NaN is not 0x7FC00000");

  BusyWhileInFlight: assert property (@(posedge clk_i) disable iff (!rst_ni)
      busy_o == (in_flight != '0))
    else $error("BusyWhileInFlight: busy_o does not follow the beats in flight");

  DrainWaits: assert property (@(posedge clk_i) disable iff (!rst_ni)
      drain_ready_o == (!busy_o && !issue_valid_i))
    else $error("DrainWaits: a drain is ready beside a beat, or refused without one");

  DrainAnswers: assert property (@(posedge clk_i) disable iff (!rst_ni)
      drained_valid_o == drain_taken_q)
    else $error("DrainAnswers: a burst without an accepted drain, or the other way round");

  OpKnown: assert property (@(posedge clk_i) disable iff (!rst_ni)
      issue_valid_i |-> (issue_op_i <= bank_mac_pkg::OpClearLanes))
    else $error("OpKnown: an operation without a meaning was issued");

  ScoreInRange: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (issue_valid_i && (issue_op_i == bank_mac_pkg::OpDot)) |->
      ({IndexPad, issue_index_i} < Queries * 16))
    else $error("ScoreInRange: a DOT names a score that is not there");

  LaneSetInRange: assert property (@(posedge clk_i) disable iff (!rst_ni)
      (issue_valid_i && (issue_op_i == bank_mac_pkg::OpAxpy)) |->
      ({IndexPad, issue_index_i} < Queries * ColumnParts) && ({IndexPad, issue_scalar_i} < Queries * 16))
    else $error("LaneSetInRange: an AXPY names a lane set or a scalar that is not there");

  DrainInRange: assert property (@(posedge clk_i) disable iff (!rst_ni)
      drain_valid_i |->
      ({BurstPad, drain_burst_i} < (drain_lanes_i ? 2 * Queries * ColumnParts : 2 * Queries)))
    else $error("DrainInRange: a drain names a burst that is not there");

endmodule

bind bank_mac bank_mac_sva #(
  .Queries(Queries),
  .ColumnParts(ColumnParts),
  .Depth(Depth),
  .TagWidth(TagWidth),
  .IndexWidth(IndexWidth),
  .SetWidth(SetWidth)
) u_sva (
  .clk_i(clk_i),
  .rst_ni(rst_ni),
  .issue_valid_i(issue_valid_i),
  .issue_op_i(issue_op_i),
  .issue_tag_i(issue_tag_i),
  .issue_index_i(issue_index_i),
  .issue_scalar_i(issue_scalar_i),
  .result_valid_o(result_valid_o),
  .result_tag_o(result_tag_o),
  .result_data_o(result_data_o),
  .drain_valid_i(drain_valid_i),
  .drain_lanes_i(drain_lanes_i),
  .drain_burst_i(drain_burst_i),
  .drain_ready_o(drain_ready_o),
  .drained_valid_o(drained_valid_o),
  .drained_data_o(drained_data_o),
  .busy_o(busy_o)
);
