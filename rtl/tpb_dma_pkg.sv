// SPDX-License-Identifier: Apache-2.0
//
// What an engine asks of the DMA unit with the queue bundle in its issue stage.
package tpb_dma_pkg;
  import tpb_pkg::*;

  localparam logic [1:0] QueueNone = 2'd0;
  localparam logic [1:0] QueueTrigger = 2'd1;
  localparam logic [1:0] QueueReset = 2'd2;
  localparam logic [1:0] QueueSwitch = 2'd3;

  // Steps of a switch.
  localparam logic [1:0] SwitchInst = 2'd0;
  localparam logic [1:0] SwitchTake = 2'd1;
  localparam logic [1:0] SwitchQueue = 2'd2;
  localparam logic [1:0] SwitchDone = 2'd3;

  function automatic logic [1:0] queue_op(input logic [7:0] op);
    unique case (op)
      OP_DMA_TRIGGER: queue_op = QueueTrigger;
      OP_RESET_QUEUE: queue_op = QueueReset;
      OP_SWITCH_QUEUE: queue_op = QueueSwitch;
      default: queue_op = QueueNone;
    endcase
  endfunction
endpackage
