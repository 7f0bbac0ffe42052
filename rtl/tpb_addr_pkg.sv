// SPDX-License-Identifier: Apache-2.0
//
// Unified addresses: elements of a load or store, and whether memory stands behind them.
//
//   0 .. 2^36-1                     DRAM
//   2^36 + (partition << 18) + b    SBUF, byte b of a partition
//   2^36 + 0x2000000 + (p << 15)+b  PSUM, b below 16 KiB
//
// Facts: docs/reference/timing.md "Load and store".
package tpb_addr_pkg;
  import tpb_pkg::*;

  // Bits of the address check's verdict.
  localparam int unsigned Misaligned = 0;
  localparam int unsigned Unbacked = 1;

  // Memory that serves an address which passed the check, one bit each.
  typedef struct packed {
    logic dram;
    logic psum;
    logic sbuf;
  } mem_t;

  // An access of an engine to a memory.
  typedef struct packed {
    logic        write;
    logic [17:0] unused;
    logic [7:0]  mask;
    logic [36:0] addr;
  } access_t;

  // Functions take whole fields and look at some of their bits.
  /* verilator lint_off UNUSEDSIGNAL */

  // Size of an element, as a power of 2.
  function automatic logic [1:0] log_size(input logic [7:0] tag);
    unique case (tag)
      DTYPE_UINT64: log_size = 2'd3;
      DTYPE_INT32, DTYPE_UINT32, DTYPE_FLOAT32: log_size = 2'd2;
      DTYPE_INT16, DTYPE_UINT16: log_size = 2'd1;
      default: log_size = 2'd0;
    endcase
  endfunction

  function automatic logic [63:0] element_addr(input logic [63:0] base, input logic [1:0] log,
                                               input logic [4:0] i0, input logic [31:0] step0,
                                               input logic [4:0] i1, input logic [31:0] step1);
    element_addr = base;
    if (i0 != 5'd0) begin
      element_addr = element_addr + ((64'(i0) * {{32{step0[31]}}, step0}) << log);
    end
    if (i1 != 5'd0) begin
      element_addr = element_addr + ((64'(i1) * {{32{step1[31]}}, step1}) << log);
    end
  endfunction

  // From bits 36 and 25 of an address that passed the check.
  function automatic mem_t addr_mem(input logic on_chip, input logic psum);
    addr_mem.dram = !on_chip;
    addr_mem.psum = on_chip && psum;
    addr_mem.sbuf = on_chip && !psum;
  endfunction

  // Verdict on an element's address: bit Misaligned, bit Unbacked (or forbidden for a save).
  function automatic logic [1:0] addr_verdict(input logic [63:0] addr, input logic [1:0] log,
                                              input logic save, input logic gen2,
                                              input logic [31:0] part_bytes);
    logic backed;
    if (addr[63:36] == 28'd0) begin
      backed = 1'b1;
    end else if (addr[63:25] == 39'h0_0000_0800) begin
      backed = ({14'd0, addr[17:0]} < part_bytes) && !(save && gen2);
    end else begin
      backed = (addr[63:22] == 42'h0_0000_4008) && !addr[14] && !save;
    end
    addr_verdict[Misaligned] = ((addr[2:0] & ~(3'b111 << log)) != 3'd0);
    addr_verdict[Unbacked] = !backed;
  endfunction

  // The bytes of an element inside its 8-byte word, and their enables.
  function automatic logic [7:0] byte_mask(input logic [1:0] log, input logic [2:0] low);
    unique case (log)
      2'd0: byte_mask = 8'h01 << low;
      2'd1: byte_mask = 8'h03 << low;
      2'd2: byte_mask = 8'h0F << low;
      default: byte_mask = 8'hFF;
    endcase
  endfunction

  function automatic logic [63:0] store_data(input logic [1:0] log, input logic [2:0] low,
                                             input logic [63:0] value);
    logic [63:0] kept;
    unique case (log)
      2'd0: kept = {56'd0, value[7:0]};
      2'd1: kept = {48'd0, value[15:0]};
      2'd2: kept = {32'd0, value[31:0]};
      default: kept = value;
    endcase
    store_data = kept << {low, 3'd0};
  endfunction

  function automatic logic [63:0] load_data(input logic [7:0] tag, input logic [2:0] low,
                                            input logic [63:0] word);
    logic [63:0] at;
    at = word >> {low, 3'd0};
    unique case (tag)
      DTYPE_INT8: load_data = {32'd0, {24{at[7]}}, at[7:0]};
      DTYPE_UINT8: load_data = {56'd0, at[7:0]};
      DTYPE_INT16: load_data = {32'd0, {16{at[15]}}, at[15:0]};
      DTYPE_UINT16: load_data = {48'd0, at[15:0]};
      DTYPE_UINT64: load_data = word;
      default: load_data = {32'd0, at[31:0]};
    endcase
  endfunction

  /* verilator lint_on UNUSEDSIGNAL */
endpackage
