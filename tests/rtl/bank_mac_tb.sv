// Self-checking testbench of bank_mac: plays golden vectors and compares every output at every clock.
// Needs no SystemC and no C++; runs in Icarus 11 and Verilator 5.006.
//   +vectors=FILE  what `mac_vectors vectors` wrote for the same Depth, Queries and ColumnParts
//   +trace=FILE    writes `cycle I tag` and `cycle R tag data`
// A difference prints `FAIL <check>: …`; the checks are Latency, Order, Data, Drain, Busy.
`timescale 1ps / 1ps
module bank_mac_tb #(
  parameter integer Count = 1000,
  parameter integer Depth = 6,
  parameter integer Queries = 8,
  parameter integer ColumnParts = 2,
  parameter integer ResultData = 1
);

  localparam integer IndexWidth = $clog2(Queries * 16);
  localparam integer SetWidth = (Queries * ColumnParts > 1) ? $clog2(Queries * ColumnParts) : 1;
  localparam integer MaxReports = 10;

  logic clk = 1'b0;
  always #2150 clk = ~clk;

  // One clock: what goes in, and what must be seen after its edge.
  logic [1347:0] vectors[0:Count-1];
  logic [1347:0] now;

  integer cycle = 0;
  integer errors = 0;
  integer results = 0;
  integer drains = 0;
  integer trace;
  logic tracing = 1'b0;
  logic [8*512-1:0] file;

  logic rst_n = 1'b0;
  logic issue_valid = 1'b0;
  logic drain_valid = 1'b0;
  logic [2:0] issue_op = '0;
  logic [15:0] issue_tag = '0;
  logic [IndexWidth-1:0] issue_index = '0, issue_scalar = '0;
  logic [255:0] issue_column = '0, issue_operand = '0;
  logic drain_lanes = 1'b0;
  logic [SetWidth:0] drain_burst = '0;
  logic result_valid, drain_ready, drained_valid, busy;
  logic [15:0] result_tag;
  logic [511:0] result_data;
  logic [255:0] drained_data;

  bank_mac #(
    .Queries(Queries),
    .ColumnParts(ColumnParts),
    .Depth(Depth),
    .ResultData(ResultData)
  ) dut (
    .clk_i(clk),
    .rst_ni(rst_n),
    .issue_valid_i(issue_valid),
    .issue_op_i(issue_op),
    .issue_tag_i(issue_tag),
    .issue_index_i(issue_index),
    .issue_scalar_i(issue_scalar),
    .issue_column_i(issue_column),
    .issue_operand_i(issue_operand),
    .result_valid_o(result_valid),
    .result_tag_o(result_tag),
    .result_data_o(result_data),
    .drain_valid_i(drain_valid),
    .drain_lanes_i(drain_lanes),
    .drain_burst_i(drain_burst),
    .drain_ready_o(drain_ready),
    .drained_valid_o(drained_valid),
    .drained_data_o(drained_data),
    .busy_o(busy)
  );

  task fail(input [8*8-1:0] check, input [511:0] got, input [511:0] want);
    begin
      errors = errors + 1;
      if (errors <= MaxReports) $display("FAIL %0s: clock %0d: got %h, want %h", check, cycle, got, want);
    end
  endtask

  task drive;
    begin
      now = vectors[cycle];
      rst_n = !now[1347];
      drain_lanes = now[1346];
      drain_valid = now[1345];
      issue_valid = now[1344];
      issue_op = now[1342:1340];
      issue_tag = now[1339:1324];
      issue_index = now[1316+:IndexWidth];
      issue_scalar = now[1308+:IndexWidth];
      drain_burst = now[1300+:SetWidth+1];
      issue_column = now[1299:1044];
      issue_operand = now[1043:788];
      if (tracing && issue_valid) $fwrite(trace, "%0d I %0d\n", cycle, issue_tag);
    end
  endtask

  task compare;
    begin
      if (busy !== now[786]) fail("Busy", {511'd0, busy}, {511'd0, now[786]});
      if (result_valid !== now[784]) fail("Latency", {511'd0, result_valid}, {511'd0, now[784]});
      if (now[784]) begin
        results = results + 1;
        if (result_tag !== now[783:768]) fail("Order", {496'd0, result_tag}, {496'd0, now[783:768]});
        if (ResultData != 0 && result_data !== now[767:256]) fail("Data", result_data, now[767:256]);
      end
      if (drained_valid !== now[785]) fail("Drain", {511'd0, drained_valid}, {511'd0, now[785]});
      if (now[785]) begin
        drains = drains + 1;
        if (drained_data !== now[255:0]) fail("Drain", {256'd0, drained_data}, {256'd0, now[255:0]});
      end
      if (tracing && result_valid) $fwrite(trace, "%0d R %0d %h\n", cycle + 1, result_tag, result_data);
    end
  endtask

  initial begin
    if (!$value$plusargs("vectors=%s", file)) $fatal(1, "give +vectors=FILE");
    $readmemh(file, vectors);
    if ($value$plusargs("trace=%s", file)) begin
      tracing = 1'b1;
      trace = $fopen(file, "w");
    end
    repeat (4) @(negedge clk);
    // Inputs change on the falling edge, and outputs are read there or well before the rising one,
    // so that no simulator has a race to decide.
    while (cycle < Count) begin
      drive;
      #1000;
      // A drain is ready exactly when the model accepts it.
      if (drain_valid && drain_ready !== now[785]) fail("Drain", {511'd0, drain_ready}, {511'd0, now[785]});
      @(negedge clk);
      compare;
      cycle = cycle + 1;
    end
    if (tracing) $fclose(trace);
    if (results == 0 || drains == 0) fail("Latency", 512'd0, 512'd1);
    $display("%0s: depth %0d, %0d clocks, %0d results, %0d drains, %0d errors", errors == 0 ? "PASS" : "FAIL",
             Depth, Count, results, drains, errors);
    if (errors != 0) $fatal(1, "bank_mac differs from its golden model");
    $finish;
  end

endmodule
