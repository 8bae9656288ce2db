// Sum of two binary32 numbers, rounded to nearest even; combinational, subnormals kept.
// Every NaN is 0x7FC00000 and x + (-x) is +0. Golden model: mac_sum() in tlm/contract/fp16.h.
module fp32_add (
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] sum_o
);

  logic a_nan, b_nan, a_inf, b_inf, swap, subtract;
  logic [31:0] greater, lesser;
  logic [7:0] greater_exponent, lesser_exponent, distance;
  logic [26:0] greater_significand, aligned;  // 24 bits, then guard, round and sticky
  logic [23:0] lesser_significand;
  logic [53:0] shifted;
  logic [27:0] total;
  logic [14:0] top15;
  logic [6:0] top7;
  logic [2:0] top3;
  logic zeros16, zeros8, zeros4, zeros2, zeros1, carry;
  logic [7:0] zeros, shift_limit, shift;
  logic [26:0] normal;
  logic [8:0] normal_exponent, exponent;
  logic round_up;
  logic [24:0] rounded;
  logic [31:0] infinity, zero, finite;

  assign a_nan = (a_i[30:23] == 8'hff) && (a_i[22:0] != 23'd0);
  assign b_nan = (b_i[30:23] == 8'hff) && (b_i[22:0] != 23'd0);
  assign a_inf = (a_i[30:23] == 8'hff) && (a_i[22:0] == 23'd0);
  assign b_inf = (b_i[30:23] == 8'hff) && (b_i[22:0] == 23'd0);

  assign swap = a_i[30:0] < b_i[30:0];
  assign greater = swap ? b_i : a_i;
  assign lesser = swap ? a_i : b_i;
  assign subtract = greater[31] ^ lesser[31];
  assign greater_exponent = (greater[30:23] == 8'd0) ? 8'd1 : greater[30:23];
  assign lesser_exponent = (lesser[30:23] == 8'd0) ? 8'd1 : lesser[30:23];
  assign greater_significand = {greater[30:23] != 8'd0, greater[22:0], 3'd0};
  assign lesser_significand = {lesser[30:23] != 8'd0, lesser[22:0]};
  assign distance = greater_exponent - lesser_exponent;

  // What leaves the 27 bits sets the sticky bit. From 27 places on nothing else is left, so 30 stand for more.
  assign shifted = {lesser_significand, 30'd0} >> ((distance > 8'd30) ? 5'd30 : distance[4:0]);
  assign aligned = {shifted[53:28], |shifted[27:0]};
  assign total = subtract ? ({1'b0, greater_significand} - {1'b0, aligned})
                          : ({1'b0, greater_significand} + {1'b0, aligned});

  // Leading zeros below the carry, in steps of powers of two.
  assign zeros16 = total[26:11] == 16'd0;
  assign top15 = zeros16 ? {total[10:0], 4'd0} : total[26:12];
  assign zeros8 = top15[14:7] == 8'd0;
  assign top7 = zeros8 ? top15[6:0] : top15[14:8];
  assign zeros4 = top7[6:3] == 4'd0;
  assign top3 = zeros4 ? top7[2:0] : top7[6:4];
  assign zeros2 = top3[2:1] == 2'd0;
  assign zeros1 = zeros2 ? !top3[0] : !top3[2];
  assign zeros = {3'd0, zeros16, zeros8, zeros4, zeros2, zeros1};

  // A result below the smallest normal number keeps the exponent of the subnormals.
  assign shift_limit = greater_exponent - 8'd1;
  assign shift = (zeros < shift_limit) ? zeros : shift_limit;

  assign carry = total[27];
  assign normal = carry ? {total[27:2], total[1] | total[0]} : total[26:0] << shift[4:0];
  assign normal_exponent = carry ? {1'b0, greater_exponent} + 9'd1
                                 : {1'b0, greater_exponent} - {1'b0, shift};

  assign round_up = normal[2] && (normal[1] || normal[0] || normal[3]);
  assign rounded = {1'b0, normal[26:3]} + {24'd0, round_up};

  // Rounding may carry into the next exponent; without a hidden one the result is subnormal.
  assign exponent = rounded[24] ? normal_exponent + 9'd1 : rounded[23] ? normal_exponent : 9'd0;
  assign infinity = {greater[31], 8'hff, 23'd0};
  assign zero = {greater[31] && lesser[31], 31'd0};
  assign finite = {greater[31], exponent[7:0], rounded[22:0]};

  always_comb begin
    if (a_nan || b_nan || (a_inf && b_inf && subtract)) begin
      sum_o = 32'h7fc0_0000;
    end else if (a_inf || b_inf) begin
      sum_o = infinity;
    end else if (total == 28'd0) begin
      sum_o = zero;
    end else if (exponent >= 9'd255) begin
      sum_o = infinity;
    end else begin
      sum_o = finite;
    end
  end

endmodule
