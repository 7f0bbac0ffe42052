// SPDX-License-Identifier: Apache-2.0
//
// Which ready bundles are granted in this cycle: claims in port order, and joins.
//
// Purely combinational, from registers and from the ready flags of the five engines.
//
// Joins.  A bundle at a join is granted only when every engine with code is ready at the same kind.
// A halted or faulted engine counts as ready at Exit and stops the other kinds for ever.
//
// Claims.  An engine that is ready claims the events that its waits consume and the semaphore that
// its bundle both waits on and updates.  In port order an engine is granted unless it shares a
// claim with an engine granted before it in the same cycle.
//
// Facts: docs/reference/timing.md "Issue", steps 5 and 6.
module tpb_grant
  import tpb_pkg::*;
  import tpb_decode_pkg::*;
(
  input  logic  [4:0][2:0] state_i,
  input  logic  [4:0]      ready_i,
  input  logic  [4:0][1:0] join_i,       // JoinNone .. JoinExit
  input  logic  [4:0][1:0] claim_evt_i,  // the wait of lane 0, 1 consumes its event
  input  logic  [4:0]      claim_sem_i,  // the semaphore that the bundle updates
  input  sync_t [4:0]      lane0_i,
  input  sync_t [4:0]      lane1_i,
  output logic  [4:0]      grant_o
);

  // Do two engines claim the same event or the same semaphore?
  function automatic logic shares(input logic [1:0] evt_x, input logic [7:0] x0, x1,
                                  input logic sem_x, input logic [7:0] upd_x,
                                  input logic [1:0] evt_y, input logic [7:0] y0, y1,
                                  input logic sem_y, input logic [7:0] upd_y);
    shares = (evt_x[0] && evt_y[0] && (x0 == y0)) || (evt_x[0] && evt_y[1] && (x0 == y1)) ||
             (evt_x[1] && evt_y[0] && (x1 == y0)) || (evt_x[1] && evt_y[1] && (x1 == y1)) ||
             (sem_x && sem_y && (upd_x == upd_y));
  endfunction

  function automatic logic joined(input logic [1:0] kind, input logic [4:0] ready,
                                  input logic [4:0][1:0] join_kind,
                                  input logic [4:0][2:0] state);
    joined = 1'b1;
    for (int e = 0; e < 5; e++) begin
      unique case (state[e])
        RUN_RUN: if (!ready[e] || (join_kind[e] != kind)) joined = 1'b0;
        RUN_HALTED, RUN_FAULTED: if (kind != JoinExit) joined = 1'b0;
        default: ;
      endcase
    end
  endfunction

  logic [4:0] claims;

  always_comb begin
    grant_o = ready_i;
    claims = 5'd0;
    if ((ready_i != 5'd0) && (join_i != '0)) begin
      for (int e = 0; e < 5; e++) begin
        if ((join_i[e] != JoinNone) && !joined(join_i[e], ready_i, join_i, state_i)) begin
          grant_o[e] = 1'b0;
        end
      end
    end
    if ((claim_sem_i != 5'd0) || (claim_evt_i != '0)) begin
      claims = ready_i & (claim_sem_i | {claim_evt_i[4] != 2'd0, claim_evt_i[3] != 2'd0,
                                         claim_evt_i[2] != 2'd0, claim_evt_i[1] != 2'd0,
                                         claim_evt_i[0] != 2'd0});
      if ((claims & (claims - 5'd1)) != 5'd0) begin
        for (int e = 1; e < 5; e++) begin
          for (int f = 0; f < e; f++) begin
            if (claims[e] && claims[f] && grant_o[f] &&
                shares(claim_evt_i[e], lane0_i[e].wait_id, lane1_i[e].wait_id,
                       claim_sem_i[e], lane0_i[e].upd_id | lane1_i[e].upd_id,
                       claim_evt_i[f], lane0_i[f].wait_id, lane1_i[f].wait_id,
                       claim_sem_i[f], lane0_i[f].upd_id | lane1_i[f].upd_id)) begin
              grant_o[e] = 1'b0;
            end
          end
        end
      end
    end
  end

endmodule
