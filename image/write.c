/* SPDX-License-Identifier: Apache-2.0
 *
 * Image to ELF.
 *
 * The file appears under its name complete or not at all: it is written
 * beside it under another name and renamed.  The bytes depend on the image
 * alone.  All sections are built first; libelf lays them out.
 */
#include "image/internal.h"

#include <errno.h>
#include <libelf.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A section that grows. */
struct buffer {
	uint8_t *data;
	size_t len, cap;
};

struct writer {
	const struct image *img;
	struct buffer sec[SEC_COUNT];
	struct buffer names; /* of the sections */
	size_t index[SEC_COUNT];
	Elf *elf;
};

/* n zero bytes at the end; they may be filled until the next call. */
static uint8_t *extend(struct buffer *b, size_t n)
{
	if (n > b->cap - b->len) {
		b->cap = 2 * b->cap > b->len + n ? 2 * b->cap : b->len + n;
		b->data = image_alloc(b->data, b->cap, 1);
	}
	if (n)
		memset(b->data + b->len, 0, n);
	b->len += n;
	return b->data + b->len - n;
}

/* Append a string with its NUL; returns its offset. */
static uint32_t add_text(struct buffer *b, const char *s)
{
	size_t n = strlen(s) + 1, at = b->len;

	memcpy(extend(b, n), s, n);
	return (uint32_t)at;
}

/* ---- contents ---- */

static void build_meta(struct writer *w)
{
	const struct image *img = w->img;
	uint32_t mask = 0;
	uint8_t *p;

	for (int e = 0; e < TPB_ENGINES; e++)
		if (img->stream[e].len)
			mask |= 1u << e;
	p = extend(&w->sec[SEC_META], META_SIZE);
	memcpy(p + META_MAGIC, IMAGE_MAGIC, 8);
	image_put(p + META_VERSION, IMAGE_VERSION, 4);
	image_put(p + META_GEN, (uint64_t)img->gen, 4);
	image_put(p + META_RANK, img->rank, 4);
	image_put(p + META_MASK, mask, 4);
	image_put(p + META_FLAGS,
	          (img->loaded ? META_LOADED : 0u) |
	              (img->fp8_ocp ? META_FP8_OCP : 0u) |
	              (img->fp8_saturate ? META_FP8_SATURATE : 0u) |
	              (img->fp8_nan_suppress ? META_FP8_NAN_SUPPRESS : 0u),
	          4);
	image_put(p + META_NAME, add_text(&w->sec[SEC_STRTAB], img->name), 4);
}

static void build_text(struct writer *w)
{
	bool lines = false;

	for (int e = 0; e < TPB_ENGINES; e++) {
		const struct image_stream *s = &w->img->stream[e];
		size_t n = (size_t)s->len * TPB_BUNDLE;

		if (n)
			memcpy(extend(&w->sec[SEC_TEXT + e], n), s->bundle, n);
		lines = lines || (n && s->line);
	}
	for (int e = 0; e < TPB_ENGINES && lines; e++) {
		const struct image_stream *s = &w->img->stream[e];
		uint8_t *p =
		    extend(&w->sec[SEC_LINES], (size_t)s->len * LINE_SIZE);

		for (uint32_t i = 0; s->line && i < s->len; i++) {
			image_put(p + LINE_LINE, s->line[i].line, 4);
			image_put(p + LINE_FILE, s->line[i].file, 2);
			p += LINE_SIZE;
		}
	}
}

static void build_tensors(struct writer *w)
{
	for (int i = 0; i < w->img->ntensors; i++) {
		const struct image_tensor *t = &w->img->tensor[i];
		uint8_t *p = extend(&w->sec[SEC_TENSORS], TENSOR_SIZE);
		size_t padded = (size_t)(t->size + 7) & ~(size_t)7;
		uint32_t flags = t->output ? TENSOR_OUTPUT : 0;

		image_put(p + TENSOR_NAME,
		          add_text(&w->sec[SEC_STRTAB], t->name), 4);
		image_put(p + TENSOR_ID, t->id, 4);
		image_put(p + TENSOR_ADDR, t->addr, 8);
		image_put(p + TENSOR_BYTES, t->size, 8);
		if (t->init) {
			flags |= TENSOR_HAS_INIT;
			image_put(p + TENSOR_INIT, w->sec[SEC_DATA].len, 8);
			memcpy(extend(&w->sec[SEC_DATA], padded), t->init,
			       (size_t)t->size);
		}
		image_put(p + TENSOR_FLAGS, flags, 4);
	}
}

static void build_ranks(struct writer *w)
{
	for (int i = 0; i < w->img->nranks; i++) {
		const struct image_rank *r = &w->img->rank_table[i];
		size_t n = (size_t)r->iterations * r->channels;
		uint8_t *p = extend(&w->sec[SEC_RANKS], RANK_SIZE + 4 * n);

		image_put(p + RANK_CORE, r->core, 4);
		image_put(p + RANK_GROUP, r->group, 4);
		image_put(p + RANK_ITERATIONS, r->iterations, 4);
		image_put(p + RANK_CHANNELS, r->channels, 4);
		for (size_t k = 0; k < n; k++)
			image_put(p + RANK_SIZE + 4 * k, r->ranks[k], 4);
	}
}

static void build_queues(struct writer *w)
{
	for (int i = 0; i < w->img->nqueues; i++) {
		const struct image_queue *q = &w->img->queue[i];
		uint8_t *p = extend(&w->sec[SEC_QUEUES], QUEUE_SIZE);

		image_put(p + QUEUE_NAME,
		          add_text(&w->sec[SEC_STRTAB], q->name), 4);
		image_put(p + QUEUE_TYPE, q->type, 1);
		image_put(p + QUEUE_OWNER, q->owner, 1);
		image_put(p + QUEUE_INSTANCES, q->instances, 4);
		memcpy(p + QUEUE_SPECIAL, q->special, sizeof(q->special));
		memcpy(p + QUEUE_NORMAL, q->normal, sizeof(q->normal));
	}
	for (int i = 0; i < w->img->ninstances; i++) {
		const struct image_instance *n = &w->img->instance[i];
		uint8_t *p = extend(&w->sec[SEC_INSTANCES], INSTANCE_SIZE);

		image_put(p + INSTANCE_NAME,
		          add_text(&w->sec[SEC_STRTAB], n->name), 4);
		image_put(p + INSTANCE_BLOCKS, n->blocks, 4);
	}
}

static void build_blocks(struct writer *w)
{
	size_t bytes = (size_t)w->img->ndescriptors * TPB_BUNDLE;

	for (int i = 0; i < w->img->nblocks; i++) {
		const struct image_block *b = &w->img->block[i];
		uint8_t *p = extend(&w->sec[SEC_BLOCKS], BLOCK_SIZE);

		image_put(p + BLOCK_DESCRIPTORS, b->descriptors, 4);
		image_put(p + BLOCK_MODE, b->mode, 1);
		image_put(p + BLOCK_ID, b->id, 1);
		image_put(p + BLOCK_OPERAND, b->operand, 4);
	}
	if (bytes)
		memcpy(extend(&w->sec[SEC_DESCRIPTORS], bytes),
		       w->img->descriptor, bytes);
	for (int i = 0; i < w->img->ndge; i++) {
		const struct image_dge *d = &w->img->dge[i];
		uint8_t *p = extend(&w->sec[SEC_DGE], DGE_SIZE);

		image_put(p + DGE_ID, d->id, 4);
		image_put(p + DGE_BASE, d->base, 8);
		image_put(p + DGE_BYTES, d->size, 8);
	}
}

static void build_files(struct writer *w)
{
	for (int i = 0; i < w->img->nfiles; i++)
		image_put(extend(&w->sec[SEC_FILES], FILE_SIZE),
		          add_text(&w->sec[SEC_STRTAB], w->img->file[i]), 4);
}

/* After the sections have their numbers.  An engine without bundles has no
 * section a symbol could be in, and nothing could use it. */
static void build_symbols(struct writer *w)
{
	extend(&w->sec[SEC_SYMTAB], sizeof(Elf64_Sym));
	for (int i = 0; i < w->img->nsymbols; i++) {
		const struct image_symbol *s = &w->img->symbol[i];
		int type = s->function ? STT_FUNC : STT_NOTYPE;
		Elf64_Sym y = {
		    .st_info = (uint8_t)ELF64_ST_INFO(STB_LOCAL, type),
		    .st_other = s->keep_sems ? SYMBOL_KEEP : 0,
		    .st_shndx = (uint16_t)w->index[SEC_TEXT + s->engine],
		    .st_value = (uint64_t)s->pc * TPB_BUNDLE,
		    .st_size = (uint64_t)s->len * TPB_BUNDLE,
		};

		if (!w->img->stream[s->engine].len)
			continue;
		y.st_name = add_text(&w->sec[SEC_STRTAB], s->name);
		memcpy(extend(&w->sec[SEC_SYMTAB], sizeof(y)), &y, sizeof(y));
	}
}

/* ---- the ELF container ---- */

static bool is_text(int k)
{
	return k < SEC_TEXT + TPB_ENGINES;
}

static unsigned align_of(int k)
{
	return is_text(k) ? TPB_BUNDLE : k == SEC_STRTAB ? 1 : 8;
}

static void describe(const struct writer *w, int k, Elf64_Shdr *h)
{
	static const uint8_t entry[SEC_COUNT] = {
	    [SEC_TENSORS] = TENSOR_SIZE,     [SEC_FILES] = FILE_SIZE,
	    [SEC_LINES] = LINE_SIZE,         [SEC_QUEUES] = QUEUE_SIZE,
	    [SEC_INSTANCES] = INSTANCE_SIZE, [SEC_BLOCKS] = BLOCK_SIZE,
	    [SEC_DESCRIPTORS] = TPB_BUNDLE,  [SEC_DGE] = DGE_SIZE,
	};

	h->sh_type = SHT_PROGBITS;
	h->sh_entsize = entry[k];
	if (is_text(k)) {
		h->sh_flags = SHF_ALLOC | SHF_EXECINSTR;
		h->sh_entsize = TPB_BUNDLE;
	} else if (k == SEC_SYMTAB) {
		h->sh_type = SHT_SYMTAB;
		h->sh_entsize = sizeof(Elf64_Sym);
		h->sh_link = (uint32_t)w->index[SEC_STRTAB];
		/* All are local: index behind the last. */
		h->sh_info = (uint32_t)(w->sec[k].len / sizeof(Elf64_Sym));
	} else if (k == SEC_STRTAB) {
		h->sh_type = SHT_STRTAB;
	}
}

static bool attach(const struct buffer *b, Elf_Scn *scn, unsigned align)
{
	Elf_Data *d = elf_newdata(scn);

	if (!d)
		return false;
	d->d_buf = b->data;
	d->d_size = b->len;
	d->d_align = align;
	d->d_type = ELF_T_BYTE;
	d->d_version = EV_CURRENT;
	return true;
}

/* Number the sections that there are, in our order. */
static void number_sections(struct writer *w)
{
	size_t n = 0;

	for (int k = 0; k < SEC_COUNT; k++)
		if (w->sec[k].len || k == SEC_SYMTAB)
			w->index[k] = ++n;
}

static bool build_elf(struct writer *w)
{
	Elf64_Ehdr *h = elf64_newehdr(w->elf);
	Elf64_Shdr *sh;
	Elf_Scn *scn;

	if (!h)
		return false;
	h->e_ident[EI_DATA] = ELFDATA2LSB;
	h->e_type = ET_REL;
	h->e_machine = EM_NONE;
	h->e_version = EV_CURRENT;
	for (int k = 0; k < SEC_COUNT; k++) {
		if (!w->index[k])
			continue;
		scn = elf_newscn(w->elf);
		if (!scn || elf_ndxscn(scn) != w->index[k] ||
		    !attach(&w->sec[k], scn, align_of(k)))
			return false;
		sh = elf64_getshdr(scn);
		sh->sh_name = add_text(&w->names, image_section_name[k]);
		describe(w, k, sh);
	}
	scn = elf_newscn(w->elf);
	if (!scn)
		return false;
	sh = elf64_getshdr(scn);
	sh->sh_name = add_text(&w->names, ".shstrtab");
	sh->sh_type = SHT_STRTAB;
	h->e_shstrndx = (uint16_t)elf_ndxscn(scn);
	return attach(&w->names, scn, 1) &&
	       elf_update(w->elf, ELF_C_WRITE) >= 0;
}

/* What image_read() takes, with room for headers and padding. */
static bool fits(const struct writer *w)
{
	uint64_t total = 0x10000;

	for (int k = 0; k < SEC_COUNT; k++)
		total += w->sec[k].len;
	if (total <= IMAGE_FILE_MAX)
		return true;
	errno = EFBIG;
	return false;
}

static bool write_fd(const struct image *img, int fd)
{
	struct writer w = {.img = img};
	bool ok;

	elf_version(EV_CURRENT);
	w.elf = elf_begin(fd, ELF_C_WRITE, NULL);
	extend(&w.names, 1);
	extend(&w.sec[SEC_STRTAB], 1);
	build_meta(&w);
	build_text(&w);
	build_tensors(&w);
	build_ranks(&w);
	build_queues(&w);
	build_blocks(&w);
	build_files(&w);
	number_sections(&w);
	build_symbols(&w);
	ok = w.elf && fits(&w) && build_elf(&w);
	elf_end(w.elf);
	for (int k = 0; k < SEC_COUNT; k++)
		free(w.sec[k].data);
	free(w.names.data);
	return ok;
}

/* The rights a new file would get; mkstemp() gives them to the owner only. */
static int set_rights(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(fd, 0666 & ~mask);
}

bool image_write(const struct image *img, const char *path,
                 struct image_error *err)
{
	size_t n = strlen(path) + sizeof(".XXXXXX");
	char *temp;
	bool ok = false;
	int fd;

	if (!image_check(img, path, err))
		return false;
	temp = image_alloc(NULL, n, 1);
	snprintf(temp, n, "%s.XXXXXX", path);
	errno = 0;
	fd = mkstemp(temp);
	if (fd >= 0) {
		ok = write_fd(img, fd) && set_rights(fd) == 0;
		ok = close(fd) == 0 && ok;
		ok = ok && rename(temp, path) == 0;
		if (!ok)
			image_fail(err, IMG_WRITE, path, NULL, -1,
			           "cannot be written: %s; check rights and "
			           "space",
			           errno ? strerror(errno) : "libelf failed");
		if (!ok)
			unlink(temp);
	} else {
		image_fail(err, IMG_WRITE, path, NULL, -1,
		           "cannot be written: %s; check the folder",
		           strerror(errno));
	}
	free(temp);
	return ok;
}
