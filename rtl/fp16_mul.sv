// Exact product of two binary16 numbers as binary32; combinational.
// 11 x 11 bit significands give at most 22 bits, and exponents -48..32 are normal in binary32, so
// the product is never rounded, never subnormal and never overflows. NaN in, or infinity times
// zero, gives 0x7FC00000. Golden model: mac_product() in tlm/contract/fp16.h.
module fp16_mul (
  input  logic [15:0] a_i,
  input  logic [15:0] b_i,
  output logic [31:0] product_o
);

  logic sign, a_nan, b_nan, a_inf, b_inf, a_zero, b_zero;
  logic [4:0] a_exponent, b_exponent;
  logic [10:0] a_significand, b_significand;
  logic [21:0] raw, by16, by8, by4, by2;
  logic zeros16, zeros8, zeros4, zeros2, zeros1;
  logic [7:0] zeros;
  logic [20:0] fraction;  // below the leading one
  logic [7:0] exponent;

  assign sign = a_i[15] ^ b_i[15];
  assign a_nan = (a_i[14:10] == 5'h1f) && (a_i[9:0] != 10'd0);
  assign b_nan = (b_i[14:10] == 5'h1f) && (b_i[9:0] != 10'd0);
  assign a_inf = (a_i[14:10] == 5'h1f) && (a_i[9:0] == 10'd0);
  assign b_inf = (b_i[14:10] == 5'h1f) && (b_i[9:0] == 10'd0);
  assign a_zero = a_i[14:0] == 15'd0;
  assign b_zero = b_i[14:0] == 15'd0;

  // A subnormal has the exponent of the smallest normal number and no hidden one.
  assign a_exponent = (a_i[14:10] == 5'd0) ? 5'd1 : a_i[14:10];
  assign b_exponent = (b_i[14:10] == 5'd0) ? 5'd1 : b_i[14:10];
  assign a_significand = {a_i[14:10] != 5'd0, a_i[9:0]};
  assign b_significand = {b_i[14:10] != 5'd0, b_i[9:0]};
  assign raw = {11'd0, a_significand} * {11'd0, b_significand};

  // Shift the leading one to bit 21, in steps of powers of two.
  assign zeros16 = raw[21:6] == 16'd0;
  assign by16 = zeros16 ? {raw[5:0], 16'd0} : raw;
  assign zeros8 = by16[21:14] == 8'd0;
  assign by8 = zeros8 ? {by16[13:0], 8'd0} : by16;
  assign zeros4 = by8[21:18] == 4'd0;
  assign by4 = zeros4 ? {by8[17:0], 4'd0} : by8;
  assign zeros2 = by4[21:20] == 2'd0;
  assign by2 = zeros2 ? {by4[19:0], 2'd0} : by4;
  assign zeros1 = !by2[21];
  assign fraction = zeros1 ? {by2[19:0], 1'b0} : by2[20:0];
  assign zeros = {3'd0, zeros16, zeros8, zeros4, zeros2, zeros1};

  // Bit 21 of `raw` weighs 2^(a_exponent + b_exponent - 29); binary32 adds its bias of 127.
  assign exponent = 8'd98 + {3'd0, a_exponent} + {3'd0, b_exponent} - zeros;

  always_comb begin
    if (a_nan || b_nan || (a_inf && b_zero) || (b_inf && a_zero)) begin
      product_o = 32'h7fc0_0000;
    end else if (a_inf || b_inf) begin
      product_o = {sign, 8'hff, 23'd0};
    end else if (a_zero || b_zero) begin
      product_o = {sign, 31'd0};
    end else begin
      product_o = {sign, exponent, fraction, 2'b00};
    end
  end

endmodule
