/* SPDX-License-Identifier: Apache-2.0
 *
 * A strict reader of JSON for tests: no more than RFC 8259 allows, ASCII
 * only, whole numbers only.  A document becomes a tree; anything
 * else fails the test.
 */
#ifndef TESTS_UNIT_JSON_H
#define TESTS_UNIT_JSON_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum json_kind { JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT };

/* A value; members and elements are a list. */
struct json {
	enum json_kind kind;
	char *key; /* of a member, NULL in an array */
	char *text;
	int64_t number;
	struct json *child, *next;
};

static const char *json_at;

static void json_blank(void)
{
	while (*json_at && strchr(" \t\r\n", *json_at))
		json_at++;
}

static void json_take(char c)
{
	json_blank();
	if (*json_at != c)
		fail_msg("JSON: '%c' expected at: %.40s", c, json_at);
	json_at++;
}

static char *json_string(void)
{
	size_t n = 0;
	char *s;

	json_take('"');
	s = malloc(strcspn(json_at, "\n") + 1);
	assert_non_null(s);
	for (; *json_at != '"'; json_at++) {
		if (*json_at == '\\' && !strchr("\"\\/", *++json_at))
			fail_msg("JSON: escape at: %.40s", json_at);
		if (*json_at < 0x20 || *json_at > 0x7E)
			fail_msg("JSON: byte in a string at: %.40s", json_at);
		s[n++] = *json_at;
	}
	json_at++;
	s[n] = '\0';
	return s;
}

static int64_t json_number(void)
{
	const char *digits = json_at + (*json_at == '-');
	char *end;
	int64_t v = strtoll(json_at, &end, 10);

	if (*digits < '0' || *digits > '9' ||
	    (*digits == '0' && end > digits + 1))
		fail_msg("JSON: value at: %.40s", json_at);
	json_at = end;
	return v;
}

static struct json *json_value(void)
{
	struct json *j = calloc(1, sizeof(*j)), **last;
	char close;

	assert_non_null(j);
	last = &j->child;
	json_blank();
	if (*json_at == '"') {
		j->kind = JSON_STRING;
		j->text = json_string();
		return j;
	}
	if (*json_at != '[' && *json_at != '{') {
		j->number = json_number();
		return j;
	}
	j->kind = *json_at == '{' ? JSON_OBJECT : JSON_ARRAY;
	close = *json_at++ == '{' ? '}' : ']';
	json_blank();
	for (; *json_at != close; last = &(*last)->next) {
		char *key = NULL;

		if (j->child)
			json_take(',');
		if (j->kind == JSON_OBJECT) {
			key = json_string();
			json_take(':');
		}
		*last = json_value();
		(*last)->key = key;
		json_blank();
	}
	json_at++;
	return j;
}

static struct json *json_parse(const char *text)
{
	struct json *j;

	json_at = text;
	j = json_value();
	json_blank();
	if (*json_at)
		fail_msg("JSON: text after the end: %.40s", json_at);
	return j;
}

static void json_free(struct json *j)
{
	while (j) {
		struct json *next = j->next;

		json_free(j->child);
		free(j->key);
		free(j->text);
		free(j);
		j = next;
	}
}

/* A member; one of this key alone, NULL: none. */
static struct json *json_get(const struct json *j, const char *key)
{
	struct json *found = NULL;

	for (struct json *m = j->child; m; m = m->next)
		if (m->key && !strcmp(m->key, key)) {
			if (found)
				fail_msg("JSON: key %s twice", key);
			found = m;
		}
	return found;
}

#endif
