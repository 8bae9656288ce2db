// The MAC unit of one bank: one 32 B column a clock, 16 fp16 lanes, fp32 sums (docs/rtl.md).
// DOT: column x operand, adder tree by lane index, then score accumulator issue_index_i.
// AXPY: scalar issue_scalar_i x column, lane by lane onto accumulator set issue_index_i.
// Every issue leaves with its tag `Depth` clocks later, in order; there is no back-pressure, because
// the DRAM command schedule guarantees the rate. A drain waits until no beat is on its way.
// clk_i has one edge per column slot of the bank, and may stop. Golden model: hw/pim/mac_model.h.
module bank_mac #(
  parameter integer Queries = 8,      // of a GQA group; 16 scores and 16 scalars each
  parameter integer ColumnParts = 2,  // columns of a token: lane accumulator sets of a query
  parameter integer Depth = 6,        // pipeline depth: 1, 3 or 6
  parameter integer TagWidth = 16,
  parameter integer ResultData = 1,   // 0 leaves result_data_o zero and saves its registers
  // Derived; leave them alone.
  parameter integer IndexWidth = $clog2(Queries * 16),
  parameter integer SetWidth = (Queries * ColumnParts > 1) ? $clog2(Queries * ColumnParts) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,  // asynchronous, active low

  input  logic                  issue_valid_i,
  input  logic [2:0]            issue_op_i,
  input  logic [TagWidth-1:0]   issue_tag_i,
  input  logic [IndexWidth-1:0] issue_index_i,
  input  logic [IndexWidth-1:0] issue_scalar_i,
  input  logic [255:0]          issue_column_i,
  input  logic [255:0]          issue_operand_i,

  output logic                  result_valid_o,
  output logic [TagWidth-1:0]   result_tag_o,
  output logic [511:0]          result_data_o,

  input  logic                  drain_valid_i,
  input  logic                  drain_lanes_i,  // lane accumulators rather than scores
  input  logic [SetWidth:0]     drain_burst_i,
  output logic                  drain_ready_o,
  output logic                  drained_valid_o,
  output logic [255:0]          drained_data_o,

  output logic                  busy_o
);

  // After the multipliers and every tree level; after levels 1 and 3; nowhere.
  localparam integer Boundaries = (Depth == 6) ? 31 : (Depth == 3) ? 10 : 0;

  logic [15:0] scalar;
  logic [511:0] products;
  logic tree_valid;
  logic [TagWidth-1:0] tree_tag;
  logic [511:0] tree_results, lanes;
  logic [255:0] burst;

  scalar_buffer #(
    .Queries(Queries),
    .IndexWidth(IndexWidth)
  ) u_scalars (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .write_i(issue_valid_i && (issue_op_i == bank_mac_pkg::OpLoadScalars)),
    .row_i(issue_index_i),
    .data_i(issue_column_i),
    .index_i(issue_scalar_i),
    .data_o(scalar)
  );

  for (genvar lane = 0; lane < 16; lane++) begin : gen_lane
    fp16_mul u_mul (
      .a_i(issue_column_i[lane*16+:16]),
      .b_i((issue_op_i == bank_mac_pkg::OpAxpy) ? scalar : issue_operand_i[lane*16+:16]),
      .product_o(products[lane*32+:32])
    );
  end

  mac_tree #(
    .Queries(Queries),
    .ColumnParts(ColumnParts),
    .TagWidth(TagWidth),
    .ResultData(ResultData),
    .Boundaries(Boundaries),
    .IndexWidth(IndexWidth),
    .SetWidth(SetWidth)
  ) u_tree (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .valid_i(issue_valid_i),
    .op_i(issue_op_i),
    .tag_i(issue_tag_i),
    .index_i(issue_index_i),
    .products_i(products),
    .valid_o(tree_valid),
    .tag_o(tree_tag),
    .results_o(tree_results),
    .in_flight_o(busy_o),
    .drain_score_i({drain_burst_i[IndexWidth-4:0], 3'd0}),
    .drain_set_i(drain_burst_i[SetWidth:1]),
    .burst_o(burst),
    .lanes_o(lanes)
  );

  assign drain_ready_o = !busy_o && !issue_valid_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      result_valid_o <= 1'b0;
      drained_valid_o <= 1'b0;
    end else begin
      result_valid_o <= tree_valid;
      drained_valid_o <= drain_valid_i && drain_ready_o;
    end
  end

  always_ff @(posedge clk_i) begin
    if (tree_valid) begin
      result_tag_o <= tree_tag;
      result_data_o <= tree_results;
    end
    if (drain_valid_i && drain_ready_o) begin
      drained_data_o <= !drain_lanes_i ? burst : drain_burst_i[0] ? lanes[511:256] : lanes[255:0];
    end
  end

endmodule
