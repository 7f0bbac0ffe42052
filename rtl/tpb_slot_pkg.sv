// SPDX-License-Identifier: Apache-2.0
//
// Search slots of a lane: what an element does to the eight of them.
//
// Slot k is bits 32k+31:32k.  row are the match slots of the lane's partition, which a search
// starts from at its first element; ok tells whether they were ever loaded, else they are 0.
//
// Facts: docs/reference/vector.md "X1"; docs/reference/numerics.md "Max8, FindIndex8,
// MatchReplace8".
package tpb_slot_pkg;
  import tpb_pkg::*;
  import tpb_fp_pkg::*;

  localparam logic [3:0] SlotNone = 4'd8;

  // The lowest slot that is not hit and equals the value, or SlotNone.
  function automatic logic [3:0] slot_match(input logic first, input logic ok,
                                            input logic [255:0] row, input logic [255:0] slots,
                                            input logic [7:0] hit, input logic [31:0] value);
    /* verilator no_inline_task */
    logic [255:0] s;
    s = !first ? slots : ok ? row : 256'd0;
    slot_match = SlotNone;
    for (int k = 7; k >= 0; k--) begin
      if ((first || !hit[k]) && fp_eq(s[32 * k +: 32], value)) slot_match = 4'(k);
    end
  endfunction

  // A search records the element's number in the slot that it matched.
  task automatic slot_search(input logic first, input logic ok, input logic [3:0] found,
                             input logic [31:0] idx, input logic [255:0] row,
                             input logic [255:0] slots, input logic [7:0] hit,
                             output logic [255:0] new_slots, output logic [7:0] new_hit);
    /* verilator no_inline_task */
    new_slots = !first ? slots : ok ? row : 256'd0;
    new_hit = first ? 8'd0 : hit;
    for (int k = 0; k < 8; k++) begin
      if (found == 4'(k)) begin
        new_slots[32 * k +: 32] = idx;
        new_hit[k] = 1'b1;
      end
    end
  endtask

  // Max8: the value takes the place of the first that is smaller, what was there goes on in its
  // stead; behind the first idx slots there is nothing yet.  MatchValueLoad: slot 7 - idx.
  task automatic slot_enter(input logic load, input logic [31:0] idx, input logic [31:0] value,
                            input logic [255:0] slots, output logic [255:0] new_slots);
    /* verilator no_inline_task */
    logic [31:0] c, s;
    logic take;
    c = value;
    new_slots = slots;
    for (int k = 0; k < 8; k++) begin
      s = slots[32 * k +: 32];
      take = load ? (idx == 32'(7 - k)) : ((32'(k) == idx) || ((32'(k) < idx) && fp_lt(s, c)));
      if (take) begin
        new_slots[32 * k +: 32] = c;
        c = s;
      end
    end
  endtask
endpackage
