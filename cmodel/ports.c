/* SPDX-License-Identifier: Apache-2.0
 *
 * The arbiters of SBUF and PSUM: two row reads and one row write a cycle each.
 *
 * Clients: narrow (an access of a load, a store or the DMA unit), POOL, DVE.
 * POOL has no way to PSUM, where DVE is client 1.  Facts:
 * docs/reference/vector.md, "Ports".
 */
#include "cmodel/vec.h"

enum { PORTS_NARROW, PORTS_POOL, PORTS_DVE, PORTS_CLIENTS };
enum { PORTS_SBUF, PORTS_PSUM };

#define PORTS_R1 2u /* what a narrow read wants */

/* ------------------------------------------------------------------ *
 * Writes.                                                            *
 * ------------------------------------------------------------------ */

/* Client at place k of the order of memory m. */
static unsigned ports_client(unsigned m, unsigned k)
{
	return m == PORTS_PSUM && k == 1 ? PORTS_DVE : k;
}

static unsigned ports_clients(unsigned m)
{
	return m == PORTS_PSUM ? 2 : PORTS_CLIENTS;
}

/* Place i of an order that begins with `first`. */
static unsigned ports_place(unsigned clients, unsigned first, unsigned i)
{
	unsigned place = first + i;

	while (place >= clients) /* 2 bits can hold a 3 after a plant */
		place -= clients;
	return place;
}

static bool ports_writes(const struct ports *p, unsigned m, unsigned client)
{
	const struct ports_unit *q;

	if (client == PORTS_NARROW)
		return p->narrow[m].write;
	q = &p->unit[client - 1];
	return q->write && q->write_psum == (m == PORTS_PSUM);
}

/* The first that asks, in cyclic order from *rr, writes. */
static void ports_write_one(struct ports *p, unsigned m, uint8_t *rr)
{
	unsigned clients = ports_clients(m), first = *rr;

	for (unsigned i = 0; i < clients; i++) {
		unsigned place = ports_place(clients, first, i);
		unsigned client = ports_client(m, place);

		if (!ports_writes(p, m, client))
			continue;
		if (client == PORTS_NARROW)
			p->narrow[m].granted = true;
		else
			p->unit[client - 1].written = true;
		*rr = (uint8_t)((place + 1) % clients);
		return;
	}
}

void ports_write(struct tpb *t, struct ports *p)
{
	ports_write_one(p, PORTS_SBUF, &t->s.sbuf_w_rr);
	ports_write_one(p, PORTS_PSUM, &t->s.psum_w_rr);
	for (int u = 0; u < TPB_VECS; u++) {
		struct ports_unit *q = &p->unit[u];

		q->stalled = q->write && !q->written;
	}
}

/* ------------------------------------------------------------------ *
 * Reads.                                                             *
 * ------------------------------------------------------------------ */

static uint8_t ports_wanted(const struct ports *p, unsigned m, unsigned client)
{
	if (client == PORTS_NARROW)
		return p->narrow[m].read ? PORTS_R1 : 0;
	return p->unit[client - 1].beat ? p->unit[client - 1].want[m] : 0;
}

/* Deal out the ports of memory m; clients that got theirs as a set, and in
 * *winner the place of the first of them in the order, or -1. */
static unsigned ports_deal(const struct ports *p, unsigned m, unsigned first,
                           int *winner)
{
	unsigned clients = ports_clients(m);
	unsigned taken = 0, got = 0;

	*winner = -1;
	for (unsigned i = 0; i < clients; i++) {
		unsigned place = ports_place(clients, first, i);
		unsigned client = ports_client(m, place);
		unsigned want = ports_wanted(p, m, client);

		if (want == 0 || (want & taken))
			continue;
		taken |= want;
		got |= 1u << client;
		if (*winner < 0)
			*winner = (int)place;
	}
	return got;
}

/* A unit that won and could not use it is first again. */
static uint8_t ports_turn(const struct ports *p, unsigned m, unsigned old,
                          int winner)
{
	unsigned clients = ports_clients(m), client;

	if (winner < 0)
		return (uint8_t)old;
	client = ports_client(m, (unsigned)winner);
	if (client != PORTS_NARROW && !p->unit[client - 1].issued)
		return (uint8_t)winner;
	return (uint8_t)(((unsigned)winner + 1) % clients);
}

static bool ports_blocked(const struct tpb *t, const struct ports *p)
{
	bool blocked = false;

	for (int u = 0; u < TPB_VECS; u++)
		blocked |= p->unit[u].stalled && t->s.vec[u].vx0_valid;
	return blocked;
}

void ports_read(struct tpb *t, struct ports *p)
{
	uint8_t *rr[] = {&t->s.sbuf_r_rr, &t->s.psum_r_rr};
	unsigned got[2] = {0};
	int winner[2] = {-1, -1};

	if (!ports_blocked(t, p))
		for (unsigned m = 0; m < 2; m++)
			got[m] = ports_deal(p, m, *rr[m], &winner[m]);
	for (unsigned m = 0; m < 2; m++)
		if (got[m] >> PORTS_NARROW & 1)
			p->narrow[m].granted = true;
	for (unsigned u = 0; u < TPB_VECS; u++) {
		struct ports_unit *q = &p->unit[u];
		bool all = true;

		for (unsigned m = 0; m < 2; m++)
			all &= q->want[m] == 0 || (got[m] >> (u + 1) & 1);
		q->issued = q->beat && all;
	}
	for (unsigned m = 0; m < 2; m++)
		*rr[m] = ports_turn(p, m, *rr[m], winner[m]);
}

/* ------------------------------------------------------------------ *
 * One client.                                                        *
 * ------------------------------------------------------------------ */

void ports_alone(struct tpb *t, struct ports *p, int u)
{
	struct ports_unit *q = &p->unit[u];
	uint8_t after = u == 0 ? PORTS_DVE : PORTS_NARROW;

	q->written = q->write;
	if (q->write && q->write_psum)
		t->s.psum_w_rr = 0;
	else if (q->write)
		t->s.sbuf_w_rr = after;
	q->issued = q->beat;
	if (!q->beat)
		return;
	if (q->want[PORTS_SBUF])
		t->s.sbuf_r_rr = after;
	if (q->want[PORTS_PSUM])
		t->s.psum_r_rr = 0;
}
