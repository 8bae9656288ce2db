// The datapath after the multipliers: four tree levels and the accumulator, with the pipeline
// registers between them. Each boundary that `Boundaries` names has a register; bit 0 follows the
// multipliers, bit k tree level k. Every lane of an AXPY is added at its own level, at the clock its
// word arrives there; results_o shows all lanes of a beat together, with its last one.
module mac_tree #(
  parameter integer Queries = 8,
  parameter integer ColumnParts = 2,
  parameter integer TagWidth = 16,
  parameter integer ResultData = 1,  // 0: results_o is zero, without the registers that align lanes
  parameter integer Boundaries = 31,
  parameter integer IndexWidth = 7,
  parameter integer SetWidth = 4
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  input  logic                  valid_i,
  input  logic [2:0]            op_i,
  input  logic [TagWidth-1:0]   tag_i,
  input  logic [IndexWidth-1:0] index_i,
  input  logic [511:0]          products_i,

  output logic                  valid_o,  // the beat at the accumulator in this clock
  output logic [TagWidth-1:0]   tag_o,
  output logic [511:0]          results_o,
  output logic                  in_flight_o,  // a register holds a beat

  input  logic [IndexWidth-1:0] drain_score_i,  // read while nothing is in flight
  input  logic [SetWidth-1:0]   drain_set_i,
  output logic [255:0]          burst_o,
  output logic [511:0]          lanes_o
);

  localparam integer Sets = Queries * ColumnParts;
  localparam integer ControlWidth = 3 + TagWidth + IndexWidth;

  // Before [k] and after [k+1] boundary k.
  logic [5:0] valid;
  logic [6*ControlWidth-1:0] control;

  assign valid[0] = valid_i;
  assign control[0+:ControlWidth] = {op_i, tag_i, index_i};

  // Words enter boundary k with the width that level k leaves: 16, 8, 4, 2, 1.
  logic [511:0] words0;
  logic [255:0] sums1, words1;
  logic [127:0] sums2, words2;
  logic [63:0] sums3, words3;
  logic [31:0] sums4, words4;
  logic [511:0] lane_sums;

  pipe_stage #(
    .Registered((Boundaries >> 0) & 1),
    .ControlWidth(ControlWidth),
    .DataWidth(512)
  ) u_boundary0 (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .valid_i(valid[0]),
    .control_i(control[0+:ControlWidth]),
    .data_i(products_i),
    .valid_o(valid[1]),
    .control_o(control[ControlWidth+:ControlWidth]),
    .data_o(words0)
  );

  mac_level #(
    .Adders(8),
    .Sets(Sets),
    .SetWidth(SetWidth)
  ) u_level1 (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .valid_i(valid[1]),
    .op_i(control[2*ControlWidth-1-:3]),
    .set_i(valid[1] ? control[1*ControlWidth+:SetWidth] : drain_set_i),
    .words_i(words0),
    .words_o(sums1),
    .lanes_o(lanes_o[0*32+:8*32]),
    .sums_o(lane_sums[0*32+:8*32])
  );

  pipe_stage #(
    .Registered((Boundaries >> 1) & 1),
    .ControlWidth(ControlWidth),
    .DataWidth(8*32)
  ) u_boundary1 (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .valid_i(valid[1]),
    .control_i(control[1*ControlWidth+:ControlWidth]),
    .data_i(sums1),
    .valid_o(valid[2]),
    .control_o(control[2*ControlWidth+:ControlWidth]),
    .data_o(words1)
  );

  mac_level #(
    .Adders(4),
    .Sets(Sets),
    .SetWidth(SetWidth)
  ) u_level2 (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .valid_i(valid[2]),
    .op_i(control[3*ControlWidth-1-:3]),
    .set_i(valid[2] ? control[2*ControlWidth+:SetWidth] : drain_set_i),
    .words_i(words1),
    .words_o(sums2),
    .lanes_o(lanes_o[8*32+:4*32]),
    .sums_o(lane_sums[8*32+:4*32])
  );

  pipe_stage #(
    .Registered((Boundaries >> 2) & 1),
    .ControlWidth(ControlWidth),
    .DataWidth(4*32)
  ) u_boundary2 (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .valid_i(valid[2]),
    .control_i(control[2*ControlWidth+:ControlWidth]),
    .data_i(sums2),
    .valid_o(valid[3]),
    .control_o(control[3*ControlWidth+:ControlWidth]),
    .data_o(words2)
  );

  mac_level #(
    .Adders(2),
    .Sets(Sets),
    .SetWidth(SetWidth)
  ) u_level3 (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .valid_i(valid[3]),
    .op_i(control[4*ControlWidth-1-:3]),
    .set_i(valid[3] ? control[3*ControlWidth+:SetWidth] : drain_set_i),
    .words_i(words2),
    .words_o(sums3),
    .lanes_o(lanes_o[12*32+:2*32]),
    .sums_o(lane_sums[12*32+:2*32])
  );

  pipe_stage #(
    .Registered((Boundaries >> 3) & 1),
    .ControlWidth(ControlWidth),
    .DataWidth(2*32)
  ) u_boundary3 (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .valid_i(valid[3]),
    .control_i(control[3*ControlWidth+:ControlWidth]),
    .data_i(sums3),
    .valid_o(valid[4]),
    .control_o(control[4*ControlWidth+:ControlWidth]),
    .data_o(words3)
  );

  mac_level #(
    .Adders(1),
    .Sets(Sets),
    .SetWidth(SetWidth)
  ) u_level4 (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .valid_i(valid[4]),
    .op_i(control[5*ControlWidth-1-:3]),
    .set_i(valid[4] ? control[4*ControlWidth+:SetWidth] : drain_set_i),
    .words_i(words3),
    .words_o(sums4),
    .lanes_o(lanes_o[14*32+:1*32]),
    .sums_o(lane_sums[14*32+:1*32])
  );

  pipe_stage #(
    .Registered((Boundaries >> 4) & 1),
    .ControlWidth(ControlWidth),
    .DataWidth(1*32)
  ) u_boundary4 (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .valid_i(valid[4]),
    .control_i(control[4*ControlWidth+:ControlWidth]),
    .data_i(sums4),
    .valid_o(valid[5]),
    .control_o(control[5*ControlWidth+:ControlWidth]),
    .data_o(words4)
  );

  mac_accumulate #(
    .Queries(Queries),
    .Sets(Sets),
    .SetWidth(SetWidth),
    .IndexWidth(IndexWidth)
  ) u_accumulate (
    .clk_i(clk_i),
    .rst_ni(rst_ni),
    .valid_i(valid[5]),
    .op_i(control[6*ControlWidth-1-:3]),
    .set_i(valid[5] ? control[5*ControlWidth+:SetWidth] : drain_set_i),
    .score_i(valid[5] ? control[5*ControlWidth+:IndexWidth] : drain_score_i),
    .word_i(words4),
    .lane_o(lanes_o[15*32+:32]),
    .burst_o(burst_o),
    .sum_o(lane_sums[15*32+:32])
  );

  assign valid_o = valid[5];
  assign tag_o = control[5*ControlWidth+IndexWidth+:TagWidth];

  // A boundary without a register is a wire, whose beat the register before it does not hold.
  localparam logic [4:0] Registers = Boundaries[4:0];
  assign in_flight_o = |(valid[5:1] & Registers);

  mac_result #(
    .ResultData(ResultData),
    .Boundaries(Boundaries)
  ) u_result (
    .clk_i(clk_i),
    .op_i(control[6*ControlWidth-1-:3]),
    .lane_sums_i(lane_sums),
    .results_o(results_o)
  );

endmodule
