/* SPDX-License-Identifier: Apache-2.0
 *
 * ELF to image.
 *
 * Nothing in the file is believed.  elf.c has found sections that lie inside
 * of the file; here their records become numbers.  All names together may not
 * take more than NAME_BUDGET times the file, so that many records that share
 * one long string cannot ask for more memory than their file is worth.  What
 * a single record means is judged once, by image_check().
 */
#include "image/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A record of 24 bytes may carry a name of 255. */
#define NAME_BUDGET 16u

#define FAIL(r, id, section, off, ...)                                        \
	image_fail((r)->f.err, id, (r)->f.place, image_section_name[section], \
	           (int64_t)(off), __VA_ARGS__)

const char *image_name_at(struct image_reader *r, uint32_t off, int section,
                          uint64_t at)
{
	const char *s = image_text_at(&r->f.sec[SEC_STRTAB], off);
	size_t n = s ? strlen(s) : 0;

	if (!s || n > IMAGE_PATH_MAX || n > r->budget) {
		FAIL(r, IMG_STRING, section, at,
		     "name at .strtab+0x%X is outside of the table, too long "
		     "or shared too often; write the image again",
		     off);
		return NULL;
	}
	r->budget -= n;
	return s;
}

/* The mask is compared with the streams by read_text(). */
static bool read_meta(struct image_reader *r, uint32_t *mask)
{
	const struct image_bytes *s = &r->f.sec[SEC_META];
	const uint8_t *p = s->data;
	const char *name;
	uint32_t flags;

	if (s->size < META_VERSION + 4 ||
	    memcmp(p + META_MAGIC, IMAGE_MAGIC, 8) != 0)
		return FAIL(r, IMG_MAGIC, SEC_META, META_MAGIC,
		            "does not begin with " IMAGE_MAGIC
		            "; give an image that 'tpb asm' wrote");
	if (image_get32(p + META_VERSION) != IMAGE_VERSION)
		return FAIL(r, IMG_VERSION, SEC_META, META_VERSION,
		            "format version %u, this tpb reads %u; assemble "
		            "the program again",
		            image_get32(p + META_VERSION), IMAGE_VERSION);
	if (s->size != META_SIZE)
		return FAIL(r, IMG_META, SEC_META, -1,
		            "%llu bytes instead of %d; write the image again",
		            (unsigned long long)s->size, META_SIZE);
	if (image_get32(p + META_GEN) < 2 || image_get32(p + META_GEN) > 4)
		return FAIL(r, IMG_META, SEC_META, META_GEN,
		            "no profile gen%u; use 2, 3 or 4",
		            image_get32(p + META_GEN));
	if (image_get32(p + META_FLAGS) & ~(uint32_t)META_FLAG_BITS)
		return FAIL(r, IMG_META, SEC_META, META_FLAGS,
		            "flags 0x%X have unknown bits; write the image "
		            "again",
		            image_get32(p + META_FLAGS));
	name =
	    image_name_at(r, image_get32(p + META_NAME), SEC_META, META_NAME);
	if (!name)
		return false;
	r->img = image_new(name);
	r->img->gen = (int)image_get32(p + META_GEN);
	r->img->rank = image_get32(p + META_RANK);
	flags = image_get32(p + META_FLAGS);
	r->img->loaded = flags & META_LOADED;
	r->img->fp8_ocp = flags & META_FP8_OCP;
	r->img->fp8_saturate = flags & META_FP8_SATURATE;
	r->img->fp8_nan_suppress = flags & META_FP8_NAN_SUPPRESS;
	*mask = image_get32(p + META_MASK);
	return true;
}

static bool read_text(struct image_reader *r, uint32_t mask)
{
	uint32_t have = 0;

	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct image_bytes *s = &r->f.sec[SEC_TEXT + e];
		struct image_stream *t = &r->img->stream[e];

		if (!s->present)
			continue;
		if (s->size == 0 || s->size % TPB_BUNDLE != 0 ||
		    s->head.sh_entsize != TPB_BUNDLE)
			return FAIL(r, IMG_TEXT, SEC_TEXT + e, -1,
			            "0x%llX bytes in entries of 0x%llX are no "
			            "bundles of 64; write the image again",
			            (unsigned long long)s->size,
			            (unsigned long long)s->head.sh_entsize);
		t->len = t->cap = (uint32_t)(s->size / TPB_BUNDLE);
		t->bundle = image_alloc(NULL, t->len, TPB_BUNDLE);
		memcpy(t->bundle, s->data, (size_t)s->size);
		have |= 1u << e;
	}
	if (have != mask)
		return FAIL(r, IMG_META, SEC_META, META_MASK,
		            "participants 0x%X, but bundles for 0x%X; write "
		            "the image again",
		            mask, have);
	return true;
}

/* One entry of the symbol table. */
static bool read_symbol(struct image_reader *r, const Elf64_Sym *y, uint64_t at)
{
	int type = ELF64_ST_TYPE(y->st_info), engine = -1;
	const char *name;

	/* Tools may add symbols for sections and source files. */
	if (type == STT_SECTION || type == STT_FILE)
		return true;
	for (int e = 0; e < TPB_ENGINES; e++)
		if (r->f.sec[SEC_TEXT + e].present &&
		    r->f.sec[SEC_TEXT + e].number == y->st_shndx)
			engine = e;
	if (engine < 0 || (type != STT_NOTYPE && type != STT_FUNC) ||
	    (y->st_other & ~SYMBOL_KEEP))
		return FAIL(r, IMG_SYMBOL, SEC_SYMTAB, at,
		            "type %d in section %u with flags 0x%X is neither "
		            "label nor function; write the image again",
		            type, y->st_shndx, y->st_other);
	if (y->st_value % TPB_BUNDLE != 0 || y->st_size % TPB_BUNDLE != 0 ||
	    y->st_value > r->f.sec[SEC_TEXT + engine].size ||
	    y->st_size > r->f.sec[SEC_TEXT + engine].size - y->st_value)
		return FAIL(r, IMG_SYMBOL, SEC_SYMTAB, at,
		            "0x%llX bytes at 0x%llX are no bundles of the "
		            "section; write the image again",
		            (unsigned long long)y->st_size,
		            (unsigned long long)y->st_value);
	name = image_name_at(r, y->st_name, SEC_SYMTAB, at);
	if (!name)
		return false;
	image_add_symbol(r->img, name, engine,
	                 (uint32_t)(y->st_value / TPB_BUNDLE), type == STT_FUNC,
	                 y->st_other & SYMBOL_KEEP);
	r->img->symbol[r->img->nsymbols - 1].len =
	    (uint32_t)(y->st_size / TPB_BUNDLE);
	return true;
}

static bool read_symbols(struct image_reader *r)
{
	const struct image_bytes *s = &r->f.sec[SEC_SYMTAB];
	Elf64_Sym y;

	if (s->size % sizeof(y) != 0 || s->head.sh_entsize != sizeof(y) ||
	    s->head.sh_link != r->f.sec[SEC_STRTAB].number)
		return FAIL(r, IMG_SYMBOL, SEC_SYMTAB, -1,
		            "0x%llX bytes are no table of symbols with names "
		            "in .strtab; write the image again",
		            (unsigned long long)s->size);
	for (uint64_t at = sizeof(y); at < s->size; at += sizeof(y)) {
		memcpy(&y, s->data + at, sizeof(y));
		if (!read_symbol(r, &y, at))
			return false;
	}
	return true;
}

/* The bytes of a tensor follow those of the one before, at the next multiple
 * of 8: so they cannot be shared. */
static bool read_tensor(struct image_reader *r, uint64_t at, uint64_t *data)
{
	const uint8_t *p = r->f.sec[SEC_TENSORS].data + at, *init = NULL;
	uint32_t flags = image_get32(p + TENSOR_FLAGS);
	uint64_t size = image_get64(p + TENSOR_BYTES);
	uint64_t off = image_get64(p + TENSOR_INIT);
	const struct image_bytes *d = &r->f.sec[SEC_DATA];
	const char *name;
	int i;

	if ((flags & ~(TENSOR_OUTPUT | TENSOR_HAS_INIT)) ||
	    image_get32(p + TENSOR_ZERO) != 0)
		return FAIL(r, IMG_TENSOR, SEC_TENSORS, at + TENSOR_FLAGS,
		            "flags 0x%X have unknown bits; write the image "
		            "again",
		            flags);
	if (flags & TENSOR_HAS_INIT) {
		if (off != *data || off > d->size || size > d->size - off ||
		    size == 0)
			return FAIL(r, IMG_DATA, SEC_TENSORS, at + TENSOR_INIT,
			            "0x%llX bytes at .tpb.data+0x%llX, the "
			            "next free are at 0x%llX of 0x%llX; write "
			            "the image again",
			            (unsigned long long)size,
			            (unsigned long long)off,
			            (unsigned long long)*data,
			            (unsigned long long)d->size);
		init = d->data + off;
		*data = (off + size + 7) & ~7ull;
	} else if (off != 0) {
		return FAIL(r, IMG_DATA, SEC_TENSORS, at + TENSOR_INIT,
		            "a tensor without bytes has an offset; write the "
		            "image again");
	}
	name = image_name_at(r, image_get32(p + TENSOR_NAME), SEC_TENSORS, at);
	if (!name)
		return false;
	/* Address 0 would let the image choose: set it afterwards. */
	i = image_add_tensor(r->img, name, image_get32(p + TENSOR_ID), 8, size,
	                     init, flags & TENSOR_OUTPUT);
	r->img->tensor[i].addr = image_get64(p + TENSOR_ADDR);
	return true;
}

static bool read_tensors(struct image_reader *r)
{
	const struct image_bytes *s = &r->f.sec[SEC_TENSORS];
	uint64_t data = 0;

	if (s->size % TENSOR_SIZE != 0)
		return FAIL(r, IMG_TENSOR, SEC_TENSORS, -1,
		            "0x%llX bytes are no records of %d; write the "
		            "image again",
		            (unsigned long long)s->size, TENSOR_SIZE);
	for (uint64_t at = 0; at < s->size; at += TENSOR_SIZE)
		if (!read_tensor(r, at, &data))
			return false;
	if (data != r->f.sec[SEC_DATA].size)
		return FAIL(r, IMG_DATA, SEC_DATA, data,
		            "bytes that no tensor names; write the image "
		            "again");
	return true;
}

static bool read_ranks(struct image_reader *r)
{
	const struct image_bytes *s = &r->f.sec[SEC_RANKS];
	uint64_t at = 0;

	while (at < s->size) {
		const uint8_t *p = s->data + at;
		uint64_t left = s->size - at, n = 0;
		uint32_t *ranks;

		if (left >= RANK_SIZE)
			n = (uint64_t)image_get32(p + RANK_ITERATIONS) *
			    image_get32(p + RANK_CHANNELS);
		if (n == 0 || n > (left - RANK_SIZE) / 4)
			return FAIL(r, IMG_RANKS, SEC_RANKS, at,
			            "a record without values or beyond the "
			            "section; write the image again");
		ranks = image_alloc(NULL, (size_t)n, sizeof(*ranks));
		for (uint64_t i = 0; i < n; i++)
			ranks[i] = image_get32(p + RANK_SIZE + 4 * i);
		image_add_rank(r->img, image_get32(p + RANK_CORE),
		               image_get32(p + RANK_GROUP),
		               image_get32(p + RANK_ITERATIONS),
		               image_get32(p + RANK_CHANNELS), ranks);
		free(ranks);
		at += RANK_SIZE + 4 * n;
	}
	return true;
}

static bool read_files(struct image_reader *r)
{
	const struct image_bytes *s = &r->f.sec[SEC_FILES];

	if (s->size % FILE_SIZE != 0 || s->size / FILE_SIZE > 0x10000)
		return FAIL(r, IMG_FILES, SEC_FILES, -1,
		            "0x%llX bytes are no table of at most 65536 "
		            "names; write the image again",
		            (unsigned long long)s->size);
	for (uint64_t at = 0; at < s->size; at += FILE_SIZE) {
		const char *name =
		    image_name_at(r, image_get32(s->data + at), SEC_FILES, at);

		if (!name)
			return false;
		image_add_file(r->img, name);
	}
	return true;
}

static bool read_lines(struct image_reader *r)
{
	const struct image_bytes *s = &r->f.sec[SEC_LINES];
	const uint8_t *p = s->data;
	uint64_t total = 0;

	if (!s->present)
		return true;
	for (int e = 0; e < TPB_ENGINES; e++)
		total += r->img->stream[e].len;
	if (s->size != total * LINE_SIZE)
		return FAIL(r, IMG_LINES, SEC_LINES, -1,
		            "0x%llX bytes for %llu bundles, 8 each are "
		            "needed; write the image again",
		            (unsigned long long)s->size,
		            (unsigned long long)total);
	for (int e = 0; e < TPB_ENGINES; e++) {
		struct image_stream *t = &r->img->stream[e];

		if (!t->len)
			continue;
		t->line = image_alloc(NULL, t->len, sizeof(*t->line));
		for (uint32_t i = 0; i < t->len; i++, p += LINE_SIZE) {
			uint32_t low = image_get32(p + LINE_FILE);

			if (low > 0xFFFF)
				return FAIL(r, IMG_LINES, SEC_LINES,
				            p - s->data,
				            "reserved bytes are not 0; write "
				            "the image again");
			t->line[i].line = image_get32(p + LINE_LINE);
			t->line[i].file = (uint16_t)low;
		}
	}
	return true;
}

static bool read_all(struct image_reader *r)
{
	uint32_t mask = 0;

	return image_elf_open(&r->f) && read_meta(r, &mask) &&
	       read_text(r, mask) && read_symbols(r) && read_tensors(r) &&
	       read_ranks(r) && read_files(r) && read_lines(r) &&
	       image_read_queues(r) &&
	       image_check(r->img, r->f.place, r->f.err);
}

/* ---- entry points ---- */

static struct image *parse(const uint8_t *bytes, size_t size, const char *place,
                           struct image_error *err)
{
	struct image_reader r = {
	    .f = {.bytes = bytes, .size = size, .place = place, .err = err},
	    .budget = (uint64_t)size * NAME_BUDGET,
	};
	bool ok = read_all(&r);

	image_elf_close(&r.f);
	if (ok)
		return r.img;
	image_free(r.img);
	return NULL;
}

struct image *image_parse(const void *data, size_t size, const char *place,
                          struct image_error *err)
{
	uint8_t *copy;
	struct image *img;

	if (size > IMAGE_FILE_MAX) {
		image_fail(err, IMG_IO, place, NULL, -1,
		           "more than 4 GiB; split the program");
		return NULL;
	}
	copy = image_alloc(NULL, size, 1);
	if (size)
		memcpy(copy, data, size);
	img = parse(copy, size, place, err);
	free(copy);
	return img;
}

/* All bytes of an open file; false with errno, 0: it became shorter. */
static bool read_bytes(int fd, uint8_t *bytes, size_t size)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = read(fd, bytes + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			if (n == 0)
				errno = 0;
			return false;
		}
		done += (size_t)n;
	}
	return true;
}

struct image *image_read(const char *path, struct image_error *err)
{
	struct image *img = NULL;
	struct stat st = {0};
	uint8_t *bytes;
	/* A pipe without a writer must not hold us. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st) != 0) {
		image_fail(err, IMG_IO, path, NULL, -1,
		           "cannot be opened: %s; check the path",
		           strerror(errno));
	} else if (!S_ISREG(st.st_mode) ||
	           (uint64_t)st.st_size > IMAGE_FILE_MAX) {
		image_fail(err, IMG_IO, path, NULL, -1,
		           "not a file of at most 4 GiB; give an image");
	} else {
		bytes = image_alloc(NULL, (size_t)st.st_size, 1);
		if (read_bytes(fd, bytes, (size_t)st.st_size))
			img = parse(bytes, (size_t)st.st_size, path, err);
		else
			image_fail(err, IMG_IO, path, NULL, -1,
			           "cannot be read: %s; try again",
			           errno ? strerror(errno) : "it shrank");
		free(bytes);
	}
	if (fd >= 0)
		close(fd);
	return img;
}
