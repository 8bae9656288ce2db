// Operations of the bank MAC unit. The codes are those of MacOp in tlm/contract/mac_unit.h,
// which tests/rtl compares.
package bank_mac_pkg;

  localparam logic [2:0] OpDot = 3'd0;
  localparam logic [2:0] OpAxpy = 3'd1;
  localparam logic [2:0] OpLoadScalars = 3'd2;
  localparam logic [2:0] OpClearScores = 3'd3;
  localparam logic [2:0] OpClearLanes = 3'd4;

endpackage
