// SPDX-License-Identifier: Apache-2.0
//
// The verilated core behind harness/rtl.h: the project's only C++ besides the
// SystemC platform.
//
// All input ports of the core feed nothing but flops, and all outputs come
// from flops through combinational logic.  So a cycle is one evaluation with
// the inputs set and the clock risen; outputs are valid from there to the
// next edge.  State is read in place, by the names of isa/state.def.

#include "harness/rtl.h"

#include "Vtpb_core.h"
#include "Vtpb_core__Syms.h"
#include "Vtpb_core___024root.h"
#include "verilated.h"

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#ifndef TPB_RTL_GEN
#define TPB_RTL_GEN 3 // the default of the core's GEN parameter
#endif

namespace
{

using root_t = Vtpb_core___024root;

// Where Verilator puts a register of the core and of engine e.
#define CORE_REG(reg) tpb_core__DOT__##reg
#define ENGINE_REG(e, reg) \
	tpb_core__DOT__gen_engine__BRA__##e##__KET____DOT__u_seq__DOT__##reg
#define VEC_REG(v, reg) \
	tpb_core__DOT__gen_vec__BRA__##v##__KET____DOT__u_vec__DOT__##reg
#define SLOTS_REG(reg) VEC_REG(1, gen_slots__DOT__u_slots__DOT__##reg)

// A stretch of state: so many bytes at these offsets in the verilated core and
// in the model's state.
struct stretch {
	std::size_t rtl, model, bytes;
};

// Storage of a row on both sides: never compare the smaller of two.
template <std::size_t rtl, std::size_t model> constexpr std::size_t equal_size()
{
	static_assert(rtl == model, "width of a state.def row");
	return rtl;
}

#define SIZE_OF(type, member) sizeof(static_cast<type *>(nullptr)->member)

// offsetof is fine here: the root class has no virtual bases.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"
#define STRETCH(reg, member)                                           \
	{__builtin_offsetof(root_t, reg), offsetof(tpb_state, member), \
	 equal_size<SIZE_OF(root_t, reg), SIZE_OF(tpb_state, member)>()},

constexpr stretch fields[] = {
#define STATE_ENGINE(name, width, count, reset, reg, show, text) \
	STRETCH(ENGINE_REG(0, reg), engine[0].name)
#include "isa/state.def"
#define STATE_ENGINE(name, width, count, reset, reg, show, text) \
	STRETCH(ENGINE_REG(1, reg), engine[1].name)
#include "isa/state.def"
#define STATE_ENGINE(name, width, count, reset, reg, show, text) \
	STRETCH(ENGINE_REG(2, reg), engine[2].name)
#include "isa/state.def"
#define STATE_ENGINE(name, width, count, reset, reg, show, text) \
	STRETCH(ENGINE_REG(3, reg), engine[3].name)
#include "isa/state.def"
#define STATE_ENGINE(name, width, count, reset, reg, show, text) \
	STRETCH(ENGINE_REG(4, reg), engine[4].name)
#include "isa/state.def"
#define STATE_VEC(name, width, count, reset, reg, show, text) \
	STRETCH(VEC_REG(0, reg), vec[0].name)
#include "isa/state.def"
#define STATE_VEC(name, width, count, reset, reg, show, text) \
	STRETCH(VEC_REG(1, reg), vec[1].name)
#include "isa/state.def"
#define STATE_DVE(name, width, count, reset, reg, show, text) \
	STRETCH(VEC_REG(1, reg), dve.name)
#include "isa/state.def"
#define STATE_CORE(name, width, count, reset, reg, show, text) \
	STRETCH(CORE_REG(reg), name)
#include "isa/state.def"
};
#pragma GCC diagnostic pop

constexpr std::size_t nfields = sizeof(fields) / sizeof(*fields);

// Fields that follow each other on both sides are one piece: Verilator keeps
// registers of equal storage in the order of their declaration.  Pieces are
// in the order of the core's storage, so that a comparison walks it once.
struct pieces {
	stretch at[nfields] = {};
	std::size_t n = 0;
};

constexpr pieces merge()
{
	pieces sorted, p;
	for (const stretch &f : fields) {
		std::size_t i = sorted.n++;
		for (; i > 0 && sorted.at[i - 1].rtl > f.rtl; i--)
			sorted.at[i] = sorted.at[i - 1];
		sorted.at[i] = f;
	}
	for (const stretch &f : sorted.at) {
		if (p.n > 0) {
			stretch &last = p.at[p.n - 1];
			if (last.rtl + last.bytes == f.rtl &&
			    last.model + last.bytes == f.model) {
				last.bytes += f.bytes;
				continue;
			}
		}
		p.at[p.n++] = f;
	}
	return p;
}

constexpr pieces merged = merge();

// The comparison looks at each piece in vectors of 32 bytes, and in the largest
// words that fit where a piece is shorter; the last of a piece reaches back
// over its forerunner.  Loads are what it costs, so a long piece is looked at
// within the core's cache lines, whose storage as a whole is aligned.
using chunk32 =
    std::uint64_t __attribute__((vector_size(32), aligned(1), may_alias));
using chunk16 =
    std::uint64_t __attribute__((vector_size(16), aligned(1), may_alias));

struct place {
	std::size_t rtl, model;
};

// Where to look in chunks of one size.
struct chunks {
	place at[1024] = {}; // more would not compile
	std::size_t n = 0;
};

// By size: [k] for 2^k bytes.
struct tables {
	chunks of[6];
};

constexpr std::size_t log_of(std::size_t size)
{
	std::size_t log = 0;
	while (size >> log > 1)
		log++;
	return log;
}

constexpr void add(chunks &c, const stretch &p, std::size_t offset)
{
	c.at[c.n++] = {p.rtl + offset, p.model + offset};
}

constexpr void add_piece(tables &t, const stretch &p)
{
	std::size_t size = 32, o = 0;
	while (size > p.bytes)
		size /= 2;
	chunks &c = t.of[log_of(size)];
	if (p.bytes >= 4 * size && p.rtl % 32 != 0) {
		add(c, p, 0);
		o = 32 - p.rtl % 32;
	}
	for (; o + size <= p.bytes; o += size)
		add(c, p, o);
	if (o < p.bytes)
		add(c, p, p.bytes - size);
}

constexpr tables make_tables()
{
	tables t;
	for (std::size_t i = 0; i < merged.n; i++)
		add_piece(t, merged.at[i]);
	return t;
}

constexpr tables all_tables = make_tables();

template <std::size_t size>
constexpr const chunks &table = all_tables.of[log_of(size)];

#define ALWAYS_INLINE inline __attribute__((always_inline))

// Gather what differs in a chunk, into one of four so that none waits for the
// other.
template <class T>
ALWAYS_INLINE void gather(T (&any)[4], std::size_t i, const char *p,
                          const char *q)
{
	T x, y;
	std::memcpy(&x, p + table<sizeof(T)>.at[i].rtl, sizeof(x));
	std::memcpy(&y, q + table<sizeof(T)>.at[i].model, sizeof(y));
	any[i % 4] |= x ^ y;
}

// ... in all chunks of a size; the places are known, so no loop remains.
template <class T, std::size_t... i>
ALWAYS_INLINE void gather_all(T (&any)[4], const char *p, const char *q,
                              std::index_sequence<i...>)
{
	(gather(any, i, p, q), ...);
}

template <class T>
ALWAYS_INLINE std::uint64_t differ(const char *p, const char *q)
{
	T any[4] = {};
	std::uint64_t word[(sizeof(T) + 7) / 8] = {}, all = 0;

	gather_all(any, p, q, std::make_index_sequence<table<sizeof(T)>.n>());
	any[0] |= any[1] | any[2] | any[3];
	std::memcpy(word, &any[0], sizeof(T));
	for (std::uint64_t w : word)
		all |= w;
	return all;
}

ALWAYS_INLINE std::uint64_t differ_all(const char *p, const char *q)
{
	return differ<chunk32>(p, q) | differ<chunk16>(p, q) |
	       differ<std::uint64_t>(p, q) | differ<std::uint32_t>(p, q) |
	       differ<std::uint16_t>(p, q) | differ<std::uint8_t>(p, q);
}

template <class A, class B> constexpr int elements(const A *, const B *)
{
	using element = std::remove_extent_t<B>;
	return static_cast<int>(sizeof(A) / sizeof(element));
}

// Verilator 5 keeps the clock's last value in a member of the root; lowering
// the clock there costs nothing, where an evaluation would run all logic
// behind the inputs once more.  Other versions: evaluate.
template <class R>
inline auto lower_tick(R *root, Vtpb_core &, int)
    -> decltype(root->__Vtrigrprev__TOP__clk_i, void())
{
	root->clk_i = 0;
	root->__Vtrigrprev__TOP__clk_i = 0;
}

template <class R> inline void lower_tick(R *root, Vtpb_core &top, long)
{
	root->clk_i = 0;
	top.eval();
}

} // namespace

struct rtl {
	VerilatedContext context;
	Vtpb_core top;
	root_t *root;
	std::unique_ptr<void *[]> field;

	rtl()
	    : top(&context, "tpb"), root(top.rootp),
	      field(new void *[static_cast<std::size_t>(state_nfields)])
	{
		for (std::size_t i = 0; i < nfields; i++)
			field[i] =
			    reinterpret_cast<char *>(root) + fields[i].rtl;
	}
};

extern "C" {

static void tick(struct rtl *r)
{
	r->root->clk_i = 1;
	r->top.eval();
	lower_tick(r->root, r->top, 0);
}

struct rtl *rtl_new(const struct rtl_program *program)
{
	struct rtl *r;

	try {
		r = new struct rtl;
	} catch (const std::bad_alloc &) {
		return nullptr;
	}
	r->root->clk_i = 0;
	r->root->rst_ni = 0;
	rtl_load(r, program);
	r->top.eval();
	return r;
}

void rtl_free(struct rtl *r)
{
	if (!r)
		return;
	// The destructor of a model looks for the thread's context, which
	// otherwise is that of the latest core, perhaps long gone.
	Verilated::threadContextp(&r->context);
	r->top.final();
	delete r;
	Verilated::threadContextp(Verilated::defaultContextp());
}

void rtl_load(struct rtl *r, const struct rtl_program *program)
{
	for (int e = 0; e < TPB_ENGINES; e++)
		r->root->len_i[e] = program->len[e];
	r->root->rank_i = program->rank;
	r->root->cfg_fp8_i = program->fp8;
	r->root->dma_queues_i = program->queues;
}

void rtl_reset(struct rtl *r)
{
	root_t *p = r->root;

	p->rst_ni = 0;
	p->dram_ready_i = 0;
	p->dram_rvalid_i = 0;
	std::memset(&p->dprog_data_i, 0, sizeof(p->dprog_data_i));
	std::memset(&p->fetch_data_i, 0, sizeof(p->fetch_data_i));
	tick(r);
	p->rst_ni = 1;
	r->top.eval();
}

void rtl_outputs(struct rtl *r, struct rtl_out *out)
{
	const root_t *p = r->root;

	out->fetch_en = p->fetch_en_o;
	out->grant = p->grant_o;
	out->retire = p->retire_o;
	std::memcpy(out->fetch_pc, &p->fetch_pc_o, sizeof(out->fetch_pc));
	out->dram_valid = p->dram_valid_o;
	out->dram_we = p->dram_we_o;
	out->dram_id = p->dram_id_o;
	out->dram_mask = p->dram_wmask_o;
	out->dram_addr = p->dram_addr_o;
	out->dram_data = p->dram_wdata_o;
	out->dprog_en = p->dprog_en_o;
	out->dprog_sel = p->dprog_sel_o;
	out->dprog_idx = p->dprog_idx_o;
	out->row = p->mon_v_o;
	out->mon[0].valid = p->mon_w_valid_o;
	out->mon[0].mask = p->mon_w_mask_o;
	out->mon[0].addr = p->mon_w_addr_o;
	out->mon[0].data = p->mon_w_data_o;
	out->mon[1].valid = p->mon_p_valid_o;
	out->mon[1].mask = p->mon_p_mask_o;
	out->mon[1].addr = p->mon_p_addr_o;
	out->mon[1].data = p->mon_p_data_o;
}

static void set_inputs(root_t *p, const struct rtl_in *in)
{
	for (int e = 0; e < TPB_ENGINES; e++)
		if (in->fetch_data[e])
			std::memcpy(&p->fetch_data_i[16 * e], in->fetch_data[e],
			            64);
	p->dram_ready_i = in->dram_ready;
	p->dram_rvalid_i = in->dram_rvalid;
	p->dram_rid_i = in->dram_rid;
	p->dram_rdata_i = in->dram_rdata;
	if (in->dprog_data) {
		std::memset(&p->dprog_data_i, 0, sizeof(p->dprog_data_i));
		std::memcpy(&p->dprog_data_i, in->dprog_data, in->dprog_bytes);
	}
}

void rtl_edge(struct rtl *r, const struct rtl_in *in)
{
	set_inputs(r->root, in);
	tick(r);
}

// A core's first evaluation runs all of its combinational logic, later ones
// what the clock or an input may have changed.
void rtl_settle(struct rtl *r, const struct rtl_in *in)
{
	set_inputs(r->root, in);
	r->root->vlSymsp->__Vm_didInit = false;
	r->top.eval();
}

void *rtl_field(struct rtl *r, int field)
{
	return r->field[static_cast<std::size_t>(field)];
}

#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__)
__attribute__((target_clones("avx2", "default")))
#endif
std::uint64_t
rtl_differs(const struct rtl *r, const struct tpb_state *s)
{
	return differ_all(reinterpret_cast<const char *>(r->root),
	                  reinterpret_cast<const char *>(s));
}

int rtl_nelements(void)
{
	const root_t *p = nullptr;
	const struct tpb_state *s = nullptr;
	int n = 0;

#define STATE_ENGINE(name, width, count, reset, reg, show, text) \
	n += TPB_ENGINES *                                       \
	     elements<decltype(p->ENGINE_REG(0, reg)),           \
	              decltype(s->engine[0].name)>(nullptr, nullptr);
#define STATE_VEC(name, width, count, reset, reg, show, text)                  \
	n += TPB_VECS *                                                        \
	     elements<decltype(p->VEC_REG(0, reg)), decltype(s->vec[0].name)>( \
	         nullptr, nullptr);
#define STATE_DVE(name, width, count, reset, reg, show, text)               \
	n += elements<decltype(p->VEC_REG(1, reg)), decltype(s->dve.name)>( \
	    nullptr, nullptr);
#define STATE_CORE(name, width, count, reset, reg, show, text)                \
	n += elements<decltype(p->CORE_REG(reg)), decltype(s->name)>(nullptr, \
	                                                             nullptr);
#include "isa/state.def"
	(void)p;
	(void)s;
	return n;
}

#define MEMORY(reg) &r->root->CORE_REG(reg##__DOT__mem_q)

std::uint64_t *rtl_sbuf(struct rtl *r)
{
	return reinterpret_cast<std::uint64_t *>(MEMORY(u_sbuf));
}

std::uint64_t *rtl_psum(struct rtl *r)
{
	return reinterpret_cast<std::uint64_t *>(MEMORY(u_psum));
}

void rtl_ram_word(struct rtl *r, bool psum, unsigned lane, std::uint64_t word)
{
	auto *row = psum ? &r->root->CORE_REG(u_psum__DOT__r1_data_q)
	                 : &r->root->CORE_REG(u_sbuf__DOT__r1_data_q);

	static_assert(sizeof(*row) == 8 * TPB_LANES, "a word a lane");
	std::memcpy(reinterpret_cast<char *>(row) + 8 * (lane % TPB_LANES),
	            &word, sizeof(word));
}

std::uint32_t *rtl_vacc(struct rtl *r)
{
	return reinterpret_cast<std::uint32_t *>(&r->root->SLOTS_REG(vacc_q));
}

std::uint32_t *rtl_vmatch(struct rtl *r)
{
	return reinterpret_cast<std::uint32_t *>(&r->root->SLOTS_REG(vmatch_q));
}

std::uint32_t rtl_sbuf_part_bytes(void)
{
	constexpr root_t *root = nullptr;
	return sizeof(root->CORE_REG(u_sbuf__DOT__mem_q)) / TPB_PARTITIONS;
}

int rtl_gen(void)
{
	return TPB_RTL_GEN;
}

} // extern "C"
