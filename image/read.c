/* SPDX-License-Identifier: Apache-2.0
 *
 * ELF to image.
 *
 * Nothing in the file is believed.  The ELF header is checked by hand before
 * libelf sees the bytes, each section header against the file's size before
 * its bytes are touched, and all names together may not take more than
 * NAME_BUDGET times the file, so that many records that share one long
 * string cannot ask for more memory than their file is worth.  What a single
 * record means is judged once, by image_check().
 */
#include "image/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <libelf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A record of 24 bytes may carry a name of 255. */
#define NAME_BUDGET 16u

struct section {
	bool present;
	size_t number;
	const uint8_t *data;
	uint64_t size;
	Elf64_Shdr head;
};

struct reader {
	const uint8_t *bytes;
	size_t size;
	const char *place;
	struct image_error *err;
	Elf *elf;
	size_t nsections;
	struct section names; /* of the sections */
	struct section sec[SEC_COUNT];
	uint64_t budget; /* bytes of names that may still be read */
	struct image *img;
};

#define FAIL(r, id, section, off, ...)                                    \
	image_fail((r)->err, id, (r)->place, image_section_name[section], \
	           (int64_t)(off), __VA_ARGS__)
#define FAIL_ELF(r, id, off, ...) \
	image_fail((r)->err, id, (r)->place, "ELF", (int64_t)(off), __VA_ARGS__)

/* ---- the ELF container ---- */

static bool read_header(struct reader *r)
{
	Elf64_Ehdr h;

	if (r->size < sizeof(h) || memcmp(r->bytes, ELFMAG, SELFMAG) != 0)
		return FAIL_ELF(r, IMG_NOT_ELF, 0,
		                "not an ELF file; give an image that 'tpb asm' "
		                "wrote");
	memcpy(&h, r->bytes, sizeof(h));
	if (h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_ident[EI_DATA] != ELFDATA2LSB ||
	    h.e_ident[EI_VERSION] != EV_CURRENT || h.e_version != EV_CURRENT ||
	    h.e_type != ET_REL || h.e_machine != EM_NONE)
		return FAIL_ELF(r, IMG_NOT_ELF, EI_CLASS,
		                "not a 64-bit little-endian relocatable ELF "
		                "file without machine; give an image");
	if (h.e_ehsize != sizeof(h) || h.e_shentsize != sizeof(Elf64_Shdr) ||
	    h.e_phnum != 0)
		return FAIL_ELF(r, IMG_TABLE, offsetof(Elf64_Ehdr, e_ehsize),
		                "header sizes are not those of an image; "
		                "write it again");
	if (h.e_shnum < 2 || h.e_shnum >= SHN_LORESERVE ||
	    h.e_shstrndx >= h.e_shnum || h.e_shoff % 8 != 0 ||
	    h.e_shoff > r->size ||
	    (r->size - h.e_shoff) / sizeof(Elf64_Shdr) < h.e_shnum)
		return FAIL_ELF(r, IMG_TABLE, offsetof(Elf64_Ehdr, e_shoff),
		                "section table of %u headers at 0x%llX is not "
		                "inside of the file; write it again",
		                h.e_shnum, (unsigned long long)h.e_shoff);
	r->nsections = h.e_shnum;
	return true;
}

/* Header and bytes of one section, both inside of the file. */
static bool read_section(struct reader *r, size_t number, struct section *s)
{
	Elf_Scn *scn = elf_getscn(r->elf, number);
	const Elf64_Shdr *h = scn ? elf64_getshdr(scn) : NULL;
	int64_t at;

	if (!h)
		return FAIL_ELF(r, IMG_TABLE, 0,
		                "section %zu has no header; write it again",
		                number);
	s->head = *h;
	s->number = number;
	at = (int64_t)number;
	if (h->sh_type == SHT_NOBITS || (h->sh_flags & SHF_COMPRESSED) ||
	    (h->sh_addralign & (h->sh_addralign - 1)) != 0)
		return image_fail(r->err, IMG_SECTION, r->place, "section", at,
		                  "compressed, without bytes or aligned to "
		                  "no power of two; write it again");
	if (h->sh_offset > r->size || h->sh_size > r->size - h->sh_offset)
		return image_fail(r->err, IMG_SECTION, r->place, "section", at,
		                  "0x%llX bytes at 0x%llX are not inside of "
		                  "the file; write it again",
		                  (unsigned long long)h->sh_size,
		                  (unsigned long long)h->sh_offset);
	s->size = h->sh_size;
	s->data = r->bytes + h->sh_offset;
	s->present = true;
	return true;
}

/* NUL-terminated text at an offset, or NULL. */
static const char *text_at(const struct section *s, uint64_t off)
{
	if (off >= s->size ||
	    !memchr(s->data + off, 0, (size_t)(s->size - off)))
		return NULL;
	return (const char *)s->data + off;
}

static int section_named(const char *name)
{
	for (int i = 0; i < SEC_COUNT; i++)
		if (!strcmp(name, image_section_name[i]))
			return i;
	return -1;
}

/* Sort one section of the file into sec[].  Sections of others' tools are
 * passed over; those with our prefix must be known, for what they say could
 * change what the program does. */
static bool take_section(struct reader *r, size_t number)
{
	struct section s = {0};
	const char *name;
	int k;

	if (!read_section(r, number, &s))
		return false;
	name = text_at(&r->names, s.head.sh_name);
	if (!name)
		return image_fail(r->err, IMG_SECTION_NAME, r->place, "section",
		                  (int64_t)number,
		                  "name is not inside of the name table; "
		                  "write the image again");
	k = section_named(name);
	if (k < 0) {
		if (strncmp(name, ".tpb.", 5) && strncmp(name, ".text", 5))
			return true;
		return image_fail(r->err, IMG_UNKNOWN, r->place, "section",
		                  (int64_t)number,
		                  "not known to this version; use a newer "
		                  "tpb or write the image again");
	}
	if (r->sec[k].present)
		return FAIL(r, IMG_TWICE, k, -1,
		            "section is there twice; write the image again");
	if (s.head.sh_type != (k == SEC_SYMTAB   ? SHT_SYMTAB
	                       : k == SEC_STRTAB ? SHT_STRTAB
	                                         : SHT_PROGBITS))
		return FAIL(r, IMG_SECTION, k, -1,
		            "section type %u is wrong; write the image again",
		            s.head.sh_type);
	r->sec[k] = s;
	return true;
}

static bool read_sections(struct reader *r)
{
	const Elf64_Ehdr *h = elf64_getehdr(r->elf);
	static const int needed[] = {SEC_META, SEC_STRTAB, SEC_SYMTAB};
	size_t n;

	if (elf_kind(r->elf) != ELF_K_ELF || !h ||
	    elf_getshdrnum(r->elf, &n) != 0 || n != r->nsections)
		return FAIL_ELF(r, IMG_NOT_ELF, 0,
		                "libelf refuses the file (%s); write it again",
		                elf_errmsg(-1));
	if (!read_section(r, h->e_shstrndx, &r->names))
		return false;
	for (size_t i = 1; i < r->nsections; i++)
		if (!take_section(r, i))
			return false;
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!r->sec[needed[i]].present)
			return FAIL(r, IMG_MISSING, needed[i], -1,
			            "section is missing; write the image "
			            "again");
	return true;
}

/* ---- what the sections hold ---- */

/* Name in .strtab; counts against the budget. */
static const char *name_at(struct reader *r, uint32_t off, int section,
                           uint64_t at)
{
	const char *s = text_at(&r->sec[SEC_STRTAB], off);
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
static bool read_meta(struct reader *r, uint32_t *mask)
{
	const struct section *s = &r->sec[SEC_META];
	const uint8_t *p = s->data;
	const char *name;

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
	if (image_get32(p + META_FLAGS) & ~META_LOADED)
		return FAIL(r, IMG_META, SEC_META, META_FLAGS,
		            "flags 0x%X have unknown bits; write the image "
		            "again",
		            image_get32(p + META_FLAGS));
	name = name_at(r, image_get32(p + META_NAME), SEC_META, META_NAME);
	if (!name)
		return false;
	r->img = image_new(name);
	r->img->gen = (int)image_get32(p + META_GEN);
	r->img->rank = image_get32(p + META_RANK);
	r->img->loaded = image_get32(p + META_FLAGS) & META_LOADED;
	*mask = image_get32(p + META_MASK);
	return true;
}

static bool read_text(struct reader *r, uint32_t mask)
{
	uint32_t have = 0;

	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct section *s = &r->sec[SEC_TEXT + e];
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
static bool read_symbol(struct reader *r, const Elf64_Sym *y, uint64_t at)
{
	int type = ELF64_ST_TYPE(y->st_info), engine = -1;
	const char *name;

	/* Tools may add symbols for sections and source files. */
	if (type == STT_SECTION || type == STT_FILE)
		return true;
	for (int e = 0; e < TPB_ENGINES; e++)
		if (r->sec[SEC_TEXT + e].present &&
		    r->sec[SEC_TEXT + e].number == y->st_shndx)
			engine = e;
	if (engine < 0 || (type != STT_NOTYPE && type != STT_FUNC) ||
	    (y->st_other & ~SYMBOL_KEEP))
		return FAIL(r, IMG_SYMBOL, SEC_SYMTAB, at,
		            "type %d in section %u with flags 0x%X is neither "
		            "label nor function; write the image again",
		            type, y->st_shndx, y->st_other);
	if (y->st_value % TPB_BUNDLE != 0 || y->st_size % TPB_BUNDLE != 0 ||
	    y->st_value > r->sec[SEC_TEXT + engine].size ||
	    y->st_size > r->sec[SEC_TEXT + engine].size - y->st_value)
		return FAIL(r, IMG_SYMBOL, SEC_SYMTAB, at,
		            "0x%llX bytes at 0x%llX are no bundles of the "
		            "section; write the image again",
		            (unsigned long long)y->st_size,
		            (unsigned long long)y->st_value);
	name = name_at(r, y->st_name, SEC_SYMTAB, at);
	if (!name)
		return false;
	image_add_symbol(r->img, name, engine,
	                 (uint32_t)(y->st_value / TPB_BUNDLE), type == STT_FUNC,
	                 y->st_other & SYMBOL_KEEP);
	r->img->symbol[r->img->nsymbols - 1].len =
	    (uint32_t)(y->st_size / TPB_BUNDLE);
	return true;
}

static bool read_symbols(struct reader *r)
{
	const struct section *s = &r->sec[SEC_SYMTAB];
	Elf64_Sym y;

	if (s->size % sizeof(y) != 0 || s->head.sh_entsize != sizeof(y) ||
	    s->head.sh_link != r->sec[SEC_STRTAB].number)
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
static bool read_tensor(struct reader *r, uint64_t at, uint64_t *data)
{
	const uint8_t *p = r->sec[SEC_TENSORS].data + at, *init = NULL;
	uint32_t flags = image_get32(p + TENSOR_FLAGS);
	uint64_t size = image_get64(p + TENSOR_BYTES);
	uint64_t off = image_get64(p + TENSOR_INIT);
	const struct section *d = &r->sec[SEC_DATA];
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
	name = name_at(r, image_get32(p + TENSOR_NAME), SEC_TENSORS, at);
	if (!name)
		return false;
	/* Address 0 would let the image choose: set it afterwards. */
	i = image_add_tensor(r->img, name, image_get32(p + TENSOR_ID), 8, size,
	                     init, flags & TENSOR_OUTPUT);
	r->img->tensor[i].addr = image_get64(p + TENSOR_ADDR);
	return true;
}

static bool read_tensors(struct reader *r)
{
	const struct section *s = &r->sec[SEC_TENSORS];
	uint64_t data = 0;

	if (s->size % TENSOR_SIZE != 0)
		return FAIL(r, IMG_TENSOR, SEC_TENSORS, -1,
		            "0x%llX bytes are no records of %d; write the "
		            "image again",
		            (unsigned long long)s->size, TENSOR_SIZE);
	for (uint64_t at = 0; at < s->size; at += TENSOR_SIZE)
		if (!read_tensor(r, at, &data))
			return false;
	if (data != r->sec[SEC_DATA].size)
		return FAIL(r, IMG_DATA, SEC_DATA, data,
		            "bytes that no tensor names; write the image "
		            "again");
	return true;
}

static bool read_ranks(struct reader *r)
{
	const struct section *s = &r->sec[SEC_RANKS];
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

static bool read_files(struct reader *r)
{
	const struct section *s = &r->sec[SEC_FILES];

	if (s->size % FILE_SIZE != 0 || s->size / FILE_SIZE > 0x10000)
		return FAIL(r, IMG_FILES, SEC_FILES, -1,
		            "0x%llX bytes are no table of at most 65536 "
		            "names; write the image again",
		            (unsigned long long)s->size);
	for (uint64_t at = 0; at < s->size; at += FILE_SIZE) {
		const char *name =
		    name_at(r, image_get32(s->data + at), SEC_FILES, at);

		if (!name)
			return false;
		image_add_file(r->img, name);
	}
	return true;
}

static bool read_lines(struct reader *r)
{
	const struct section *s = &r->sec[SEC_LINES];
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

static bool read_all(struct reader *r)
{
	uint32_t mask = 0;

	return read_sections(r) && read_meta(r, &mask) && read_text(r, mask) &&
	       read_symbols(r) && read_tensors(r) && read_ranks(r) &&
	       read_files(r) && read_lines(r) &&
	       image_check(r->img, r->place, r->err);
}

/* ---- entry points ---- */

/* libelf may change the bytes it is given: they are ours. */
static struct image *parse(char *bytes, size_t size, const char *place,
                           struct image_error *err)
{
	struct reader r = {
	    .bytes = (const uint8_t *)bytes,
	    .size = size,
	    .place = place,
	    .err = err,
	    .budget = (uint64_t)size * NAME_BUDGET,
	};
	bool ok = false;

	if (!read_header(&r))
		return NULL;
	elf_version(EV_CURRENT);
	r.elf = elf_memory(bytes, size);
	if (!r.elf)
		FAIL_ELF(&r, IMG_NOT_ELF, 0,
		         "libelf refuses the file (%s); write it again",
		         elf_errmsg(-1));
	else
		ok = read_all(&r);
	elf_end(r.elf);
	if (ok)
		return r.img;
	image_free(r.img);
	return NULL;
}

struct image *image_parse(const void *data, size_t size, const char *place,
                          struct image_error *err)
{
	char *copy;
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
static bool read_bytes(int fd, char *bytes, size_t size)
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
	char *bytes;
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
