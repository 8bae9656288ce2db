// What a beat shows when it leaves: DOT its score in word 0, AXPY its 16 lanes, anything else zero.
// A lane is added up to four stages before the last one, and waits here for it.
module mac_result #(
  parameter integer ResultData = 1,
  parameter integer Boundaries = 31
) (
  input  logic         clk_i,
  input  logic [2:0]   op_i,
  input  logic [511:0] lane_sums_i,
  output logic [511:0] results_o
);

  if (ResultData != 0) begin : gen_aligned
    logic [255:0] after1;
    logic [383:0] after2;
    logic [447:0] after3;
    logic [479:0] after4;

    delay #(.Registered((Boundaries >> 1) & 1), .Width(256)) u_after1 (
      .clk_i(clk_i), .data_i(lane_sums_i[255:0]), .data_o(after1)
    );
    delay #(.Registered((Boundaries >> 2) & 1), .Width(384)) u_after2 (
      .clk_i(clk_i), .data_i({lane_sums_i[383:256], after1}), .data_o(after2)
    );
    delay #(.Registered((Boundaries >> 3) & 1), .Width(448)) u_after3 (
      .clk_i(clk_i), .data_i({lane_sums_i[447:384], after2}), .data_o(after3)
    );
    delay #(.Registered((Boundaries >> 4) & 1), .Width(480)) u_after4 (
      .clk_i(clk_i), .data_i({lane_sums_i[479:448], after3}), .data_o(after4)
    );

    assign results_o = (op_i == bank_mac_pkg::OpDot)  ? {480'd0, lane_sums_i[511:480]} :
                       (op_i == bank_mac_pkg::OpAxpy) ? {lane_sums_i[511:480], after4} : 512'd0;
  end else begin : gen_none
    logic unused;
    assign unused = clk_i ^ (^op_i) ^ (^lane_sums_i);
    assign results_o = '0;
  end

endmodule
