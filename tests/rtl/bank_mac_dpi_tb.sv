// A testbench whose expected values come from the C functions of rtl/dpi, call by call: the way to use
// them as a predictor. Random DOT and AXPY on one score and one lane set. For Verilator 5.006 (--binary).
`timescale 1ps / 1ps
module bank_mac_dpi_tb;

  import "DPI-C" function int unsigned lockstep_mac_dot(
    input bit [255:0] column, input bit [255:0] operand, input int unsigned accumulator);
  import "DPI-C" function void lockstep_mac_axpy(
    input bit [255:0] column, input shortint unsigned scalar, input bit [511:0] lanes_in,
    output bit [511:0] lanes_out);

  localparam integer Count = 5000;

  logic clk = 1'b0;
  always #2150 clk = ~clk;

  logic rst_n = 1'b0;
  logic issue_valid = 1'b0;
  logic [2:0] issue_op = bank_mac_pkg::OpLoadScalars;
  logic [15:0] issue_tag = '0;
  logic [255:0] issue_column = '0, issue_operand = '0;
  logic result_valid;
  logic [15:0] result_tag;
  logic [511:0] result_data;
  logic drain_ready, drained_valid, busy;
  logic [255:0] drained_data;

  bank_mac #(
    .Queries(1)
  ) dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .issue_valid_i(issue_valid),
    .issue_op_i(issue_op),
    .issue_tag_i(issue_tag),
    .issue_index_i('0),
    .issue_scalar_i('0),
    .issue_column_i(issue_column),
    .issue_operand_i(issue_operand),
    .result_valid_o(result_valid),
    .result_tag_o(result_tag),
    .result_data_o(result_data),
    .drain_valid_i(1'b0),
    .drain_lanes_i(1'b0),
    .drain_burst_i('0),
    .drain_ready_o(drain_ready),
    .drained_valid_o(drained_valid),
    .drained_data_o(drained_data),
    .busy_o(busy)
  );

  // The predictor's state: what the calls return goes back into them.
  int unsigned score = 0;
  bit [511:0] lanes = '0, lanes_after;
  shortint unsigned scalar = 0;
  bit [511:0] expected[0:Count-1];
  integer issued = 0, returned = 0, errors = 0;

  // Exponents 13 to 20, so that sums grow slowly and rounding happens at each addition.
  function [255:0] random_column;
    input integer unused;
    for (int lane = 0; lane < 16; lane++) begin
      random_column[lane*16+:16] = ($urandom & 16'h83ff) | (16'(13 + $urandom % 8) << 10);
    end
  endfunction

  task predict;
    expected[issued] = '0;
    if (issue_op == bank_mac_pkg::OpLoadScalars) begin
      scalar = issue_column[15:0];
    end else if (issue_op == bank_mac_pkg::OpDot) begin
      score = lockstep_mac_dot(issue_column, issue_operand, score);
      expected[issued][31:0] = score;
    end else begin
      lockstep_mac_axpy(issue_column, scalar, lanes, lanes_after);
      lanes = lanes_after;
      expected[issued] = lanes;
    end
  endtask

  initial begin
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    while (returned < Count) begin
      issue_valid = (issued < Count) && ($urandom % 4 != 0);
      if (issue_valid) begin
        issue_op = 3'($urandom % 3);
        issue_tag = issued[15:0];
        issue_column = random_column(0);
        issue_operand = random_column(0);
        predict;
        issued = issued + 1;
      end
      @(negedge clk);
      if (result_valid) begin
        if (result_tag !== returned[15:0] || result_data !== expected[returned]) begin
          errors = errors + 1;
          $display("FAIL: operation %0d: got %h, want %h", returned, result_data, expected[returned]);
        end
        returned = returned + 1;
      end
    end
    $display("%0s: %0d operations predicted by DPI, %0d errors", errors == 0 ? "PASS" : "FAIL", returned, errors);
    if (errors != 0) $fatal(1, "bank_mac differs from the C functions");
    $finish;
  end

endmodule
