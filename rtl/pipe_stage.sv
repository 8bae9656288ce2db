// One pipeline boundary: a register, or a wire when `Registered` is 0. Only `valid` is reset. The
// words keep still while no beat passes.
module pipe_stage #(
  parameter integer Registered = 1,
  parameter integer ControlWidth = 26,
  parameter integer DataWidth = 512
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic                    valid_i,
  input  logic [ControlWidth-1:0] control_i,
  input  logic [DataWidth-1:0]    data_i,
  output logic                    valid_o,
  output logic [ControlWidth-1:0] control_o,
  output logic [DataWidth-1:0]    data_o
);

  if (Registered != 0) begin : gen_register
    logic valid_q;
    logic [ControlWidth-1:0] control_q;
    logic [DataWidth-1:0] data_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) valid_q <= 1'b0;
      else valid_q <= valid_i;
    end

    always_ff @(posedge clk_i) begin
      if (valid_i) begin
        control_q <= control_i;
        data_q <= data_i;
      end
    end

    assign valid_o = valid_q;
    assign control_o = control_q;
    assign data_o = data_q;
  end else begin : gen_wire
    logic unused;
    assign unused = clk_i ^ rst_ni;
    assign valid_o = valid_i;
    assign control_o = control_i;
    assign data_o = data_i;
  end

endmodule
