/* SPDX-License-Identifier: Apache-2.0
 *
 * The text form of a plant; see plant.h.
 */
#include "harness/plant.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool number(const char **text, uint64_t *v)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*v = strtoull(*text, &end, 0);
	*text = end;
	return errno == 0;
}

static bool bad(char *why, size_t size, const char *text)
{
	snprintf(why, size, "%s", text);
	return false;
}

/* FIELD, FIELD[i] or FIELD#i, up to the '@'. */
static bool parse_field(const char *text, size_t len, struct plant *p)
{
	char name[64];
	char *hash;

	if (len >= sizeof(name) - 1)
		return false;
	memcpy(name, text, len);
	name[len] = '\0';
	hash = strchr(name, '#');
	if (hash) {
		*hash = '[';
		strcat(name, "]");
	}
	p->field = state_find(name, &p->index);
	return p->field >= 0;
}

bool plant_parse(const char *text, struct plant *p, char *why, size_t size)
{
	size_t len = strcspn(text, "@");
	const char *at = text + len;
	int width;

	*p = (struct plant){.on = true, .mask = 1};
	if (*at != '@')
		return bad(why, size, "no '@CYCLE'");
	if (!parse_field(text, len, p))
		return bad(why, size, "no such field or element");
	at++;
	if (!number(&at, &p->cycle))
		return bad(why, size, "the cycle is not a number");
	if (!strncmp(at, ":model", 6)) {
		p->model = true;
		at += 6;
	} else if (!strncmp(at, ":rtl", 4)) {
		at += 4;
	}
	if (*at == '^') {
		at++;
		if (!number(&at, &p->mask))
			return bad(why, size, "the mask is not a number");
	}
	if (*at)
		return bad(why, size, "text after the end");
	width = state_fields[p->field].width;
	if (!p->mask || (width < 64 && p->mask >> width))
		return bad(why, size,
		           "the mask has no bit of the field or one "
		           "beyond it");
	return true;
}

const char *plant_text(const struct plant *p, char *buf, size_t size)
{
	const struct state_field *d = &state_fields[p->field];
	char index[16] = "";

	if (d->count > 1)
		snprintf(index, sizeof(index), "#%d", p->index);
	snprintf(buf, size, "%s%s@%" PRIu64 ":%s^0x%" PRIx64, d->name, index,
	         p->cycle, p->model ? "model" : "rtl", p->mask);
	return buf;
}
