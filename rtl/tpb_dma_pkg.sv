// SPDX-License-Identifier: Apache-2.0
//
// What an engine asks of the DMA unit with the queue bundle in its issue stage.
package tpb_dma_pkg;
  localparam logic [1:0] QueueNone = 2'd0;
  localparam logic [1:0] QueueTrigger = 2'd1;
  localparam logic [1:0] QueueReset = 2'd2;
  localparam logic [1:0] QueueSwitch = 2'd3;

  // Steps of a switch.
  localparam logic [1:0] SwitchInst = 2'd0;
  localparam logic [1:0] SwitchTake = 2'd1;
  localparam logic [1:0] SwitchQueue = 2'd2;
  localparam logic [1:0] SwitchDone = 2'd3;

  // What it does there in a cycle after the grant.
  typedef struct packed {
    logic push;       // a block
    logic ask_inst;   // a switch asks for its instance
    logic take_inst;  // ... has it
    logic ask_queue;  // ... asks for its queue
    logic done;       // ... has it and retires
  } queue_step_t;
endpackage
