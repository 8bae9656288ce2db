// The fp32 score accumulators, read as bursts of eight words: a beat takes one word of the burst, a
// drain takes all. Reset and clear give +0. A burst in `Bursts` or above is forbidden.
module score_bank #(
  parameter integer Bursts = 16,
  parameter integer IndexWidth = 7  // of a word
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,
  input  logic                  write_i,
  input  logic [IndexWidth-1:0] index_i,
  input  logic [31:0]           data_i,
  output logic [31:0]           data_o,
  output logic [255:0]          burst_o
);

  logic [Bursts*256-1:0] words_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      words_q <= '0;
    end else if (clear_i) begin
      words_q <= '0;
    end else if (write_i) begin
      for (int entry = 0; entry < Bursts * 8; entry++) begin
        if (index_i == entry[IndexWidth-1:0]) words_q[entry*32+:32] <= data_i;
      end
    end
  end

  assign burst_o = words_q[index_i[IndexWidth-1:3]*256+:256];
  assign data_o = burst_o[index_i[2:0]*32+:32];

endmodule
