// Data one clock later, or the same data when `Registered` is 0. Not reset.
module delay #(
  parameter integer Registered = 1,
  parameter integer Width = 32
) (
  input  logic             clk_i,
  input  logic [Width-1:0] data_i,
  output logic [Width-1:0] data_o
);

  if (Registered != 0) begin : gen_register
    logic [Width-1:0] data_q;
    always_ff @(posedge clk_i) data_q <= data_i;
    assign data_o = data_q;
  end else begin : gen_wire
    logic unused;
    assign unused = clk_i;
    assign data_o = data_i;
  end

endmodule
