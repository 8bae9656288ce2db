// `Entries` fp32 accumulators of one adder: one entry is read and written in a clock, so a beat may
// add to the entry the last beat added to. The entries are read as bursts of 2^BurstBits, of which a
// beat takes one word and a drain all. Reset and clear give +0. An index in `Entries` or above is
// forbidden (bank_mac_sva.sv).
module word_bank #(
  parameter integer Entries = 16,
  parameter integer IndexWidth = 4,  // of a word
  parameter integer BurstBits = 0,
  parameter integer BurstWidth = 32 << BurstBits  // do not set
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  clear_i,
  input  logic                  write_i,
  input  logic [IndexWidth-1:0] index_i,
  input  logic [31:0]           data_i,
  output logic [31:0]           data_o,
  output logic [BurstWidth-1:0] burst_o  // the burst that holds index_i
);

  // Mask of an index for its word in the burst.
  localparam [IndexWidth-1:0] InBurst = ~({IndexWidth{1'b1}} << BurstBits);

  logic [IndexWidth-1:0] burst, word;
  logic [Entries*32-1:0] words_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      words_q <= '0;
    end else if (clear_i) begin
      words_q <= '0;
    end else if (write_i) begin
      for (int entry = 0; entry < Entries; entry++) begin
        if (index_i == entry[IndexWidth-1:0]) words_q[entry*32+:32] <= data_i;
      end
    end
  end

  assign burst = index_i >> BurstBits;
  assign word = index_i & InBurst;
  assign burst_o = words_q[burst*BurstWidth+:BurstWidth];
  assign data_o = burst_o[word*32+:32];

endmodule
