// One level of the adder tree, which is also the lane accumulator of as many lanes; combinational
// from words_i to words_o. DOT adds neighbours: words 2i and 2i+1 give word i. AXPY adds the first
// half of the words to this level's lanes and passes the other half on, so that the levels of 8, 4,
// 2 and 1 adders serve lanes 0-7, 8-11, 12-13 and 14, one pipeline stage after another.
module mac_level #(
  parameter integer Adders = 8,
  parameter integer Sets = 16,
  parameter integer SetWidth = 4
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   valid_i,
  input  logic [2:0]             op_i,
  input  logic [SetWidth-1:0]    set_i,
  input  logic [2*Adders*32-1:0] words_i,
  output logic [Adders*32-1:0]   words_o,
  output logic [Adders*32-1:0]   lanes_o,  // accumulators of set_i before this beat
  output logic [Adders*32-1:0]   sums_o    // and after it, if it is an AXPY
);

  logic axpy, write, clear;

  assign axpy = op_i == bank_mac_pkg::OpAxpy;
  assign write = valid_i && axpy;
  assign clear = valid_i && (op_i == bank_mac_pkg::OpClearLanes);

  for (genvar i = 0; i < Adders; i++) begin : gen_adder
    logic [31:0] left, right, unused_burst;

    assign left = axpy ? lanes_o[i*32+:32] : words_i[2*i*32+:32];
    assign right = axpy ? words_i[i*32+:32] : words_i[(2*i+1)*32+:32];
    assign words_o[i*32+:32] = axpy ? words_i[(Adders+i)*32+:32] : sums_o[i*32+:32];

    fp32_add u_add (
      .a_i(left),
      .b_i(right),
      .sum_o(sums_o[i*32+:32])
    );

    word_bank #(
      .Entries(Sets),
      .IndexWidth(SetWidth)
    ) u_lane (
      .clk_i(clk_i),
      .rst_ni(rst_ni),
      .clear_i(clear),
      .write_i(write),
      .index_i(set_i),
      .data_i(sums_o[i*32+:32]),
      .data_o(lanes_o[i*32+:32]),
      .burst_o(unused_burst)
    );
  end

endmodule
