// The last adder: the score accumulators of DOT, and lane 15 of AXPY. A single-cycle loop, so beats
// to one accumulator may follow each other in every clock.
module mac_accumulate #(
  parameter integer Queries = 8,
  parameter integer Sets = 16,
  parameter integer SetWidth = 4,
  parameter integer IndexWidth = 7
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  valid_i,
  input  logic [2:0]            op_i,
  input  logic [SetWidth-1:0]   set_i,
  input  logic [IndexWidth-1:0] score_i,
  input  logic [31:0]           word_i,
  output logic [31:0]           lane_o,   // lane 15 of set_i before this beat
  output logic [255:0]          burst_o,  // the eight scores around score_i before this beat
  output logic [31:0]           sum_o
);

  logic axpy, write_lane, write_score, clear_lane, clear_score;
  logic [31:0] score, unused_burst;

  assign axpy = op_i == bank_mac_pkg::OpAxpy;
  assign write_lane = valid_i && axpy;
  assign write_score = valid_i && (op_i == bank_mac_pkg::OpDot);
  assign clear_lane = valid_i && (op_i == bank_mac_pkg::OpClearLanes);
  assign clear_score = valid_i && (op_i == bank_mac_pkg::OpClearScores);

  fp32_add u_add (
    .a_i(axpy ? lane_o : score),
    .b_i(word_i),
    .sum_o(sum_o)
  );

  word_bank #(
    .Entries(Sets),
    .IndexWidth(SetWidth)
  ) u_lane (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .clear_i(clear_lane),
    .write_i(write_lane),
    .index_i(set_i),
    .data_i(sum_o),
    .data_o(lane_o),
    .burst_o(unused_burst)
  );

  word_bank #(
    .Entries(16 * Queries),
    .IndexWidth(IndexWidth),
    .BurstBits(3)
  ) u_scores (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .clear_i(clear_score),
    .write_i(write_score),
    .index_i(score_i),
    .data_i(sum_o),
    .data_o(score),
    .burst_o(burst_o)
  );

endmodule
