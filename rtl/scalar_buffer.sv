// The fp16 scalars of AXPY: a row of 16 for each query. A row is written in one clock, and read from
// the next clock on. Reset gives +0.
module scalar_buffer #(
  parameter integer Queries = 8,
  parameter integer IndexWidth = 7  // of a scalar: query * 16 + token
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  write_i,
  input  logic [IndexWidth-1:0] row_i,
  input  logic [255:0]          data_i,
  input  logic [IndexWidth-1:0] index_i,
  output logic [15:0]           data_o
);

  logic [Queries*256-1:0] scalars_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      scalars_q <= '0;
    end else if (write_i) begin
      for (int query = 0; query < Queries; query++) begin
        if (row_i == query[IndexWidth-1:0]) scalars_q[query*256+:256] <= data_i;
      end
    end
  end

  assign data_o = scalars_q[index_i*16+:16];

endmodule
