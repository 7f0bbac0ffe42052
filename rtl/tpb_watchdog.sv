// SPDX-License-Identifier: Apache-2.0
//
// Counts cycles in which nothing moves although an engine runs.
//
// `deadlock_o` is high in the cycle in which the count would reach WATCHDOG_LIMIT; every running
// engine becomes FAULTED at its end.
//
//   active_i    1   0   0   0  ...  0          0
//   wd_q        0   0   1   2  ...  LIMIT - 1  0
//   deadlock_o  0   0   0   0  ...  1          0
module tpb_watchdog
  import tpb_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  logic running_i,
  input  logic active_i,
  output logic deadlock_o
);

  logic [10:0] wd_q /*verilator public_flat_rd*/;

  logic idle;
  assign idle = running_i && !active_i;
  assign deadlock_o = idle && (wd_q == 11'(WATCHDOG_LIMIT - 1));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) wd_q <= 11'd0;
    else if (!idle || deadlock_o) wd_q <= 11'd0;
    else wd_q <= wd_q + 11'd1;
  end

endmodule
