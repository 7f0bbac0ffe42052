// SPDX-License-Identifier: Apache-2.0
//
// lane.h around the verilated lane_top: set the ports, raise the clock, read.
// All inputs feed one flop, so an edge is one evaluation.

#include "tests/lane/lane.h"

#include "Vlane_top.h"
#include "verilated.h"

#include <cstring>
#include <memory>

namespace
{
std::unique_ptr<VerilatedContext> context;
std::unique_ptr<Vlane_top> top;
} // namespace

// Verilator's run time asks for the time of a message.
double sc_time_stamp()
{
	return 0;
}

void lane_open(void)
{
	context = std::make_unique<VerilatedContext>();
	top = std::make_unique<Vlane_top>(context.get());
	top->clk_i = 0;
	top->eval();
}

void lane_close(void)
{
	top->final();
	top.reset();
	context.reset();
}

void lane_run(const struct lane_op *op, const uint32_t *a, const uint32_t *b,
              uint32_t *word, uint64_t *flags)
{
	top->clk_i = 0;
	top->eval();
	top->unit_i = static_cast<CData>(op->unit);
	top->op_i = op->code;
	top->cfg_i = op->cfg;
	std::memcpy(&top->a_i[0], a, LANE_WIDTH * sizeof *a);
	std::memcpy(&top->b_i[0], b, LANE_WIDTH * sizeof *b);
	top->clk_i = 1;
	top->eval();
	std::memcpy(word, &top->word_o[0], LANE_WIDTH * sizeof *word);
	*flags = top->flags_o;
}
