/* SPDX-License-Identifier: Apache-2.0
 *
 * The ELF container of an image: from bytes to the sections we know.
 *
 * The ELF header is checked by hand before libelf sees the bytes, each
 * section header against the file's size before its bytes are touched.
 * After image_elf_open() every section of sec[] lies inside of the file.
 */
#include "image/elf.h"

#define FAIL(f, id, section, off, ...)                                    \
	image_fail((f)->err, id, (f)->place, image_section_name[section], \
	           (int64_t)(off), __VA_ARGS__)
#define FAIL_ELF(f, id, off, ...) \
	image_fail((f)->err, id, (f)->place, "ELF", (int64_t)(off), __VA_ARGS__)

static bool read_header(struct image_elf *f)
{
	Elf64_Ehdr h;

	if (f->size < sizeof(h) || memcmp(f->bytes, ELFMAG, SELFMAG) != 0)
		return FAIL_ELF(f, IMG_NOT_ELF, 0,
		                "not an ELF file; give an image that 'tpb asm' "
		                "wrote");
	memcpy(&h, f->bytes, sizeof(h));
	if (h.e_ident[EI_CLASS] != ELFCLASS64 ||
	    h.e_ident[EI_DATA] != ELFDATA2LSB ||
	    h.e_ident[EI_VERSION] != EV_CURRENT || h.e_version != EV_CURRENT ||
	    h.e_type != ET_REL || h.e_machine != EM_NONE)
		return FAIL_ELF(f, IMG_NOT_ELF, EI_CLASS,
		                "not a 64-bit little-endian relocatable ELF "
		                "file without machine; give an image");
	if (h.e_ehsize != sizeof(h) || h.e_shentsize != sizeof(Elf64_Shdr) ||
	    h.e_phnum != 0)
		return FAIL_ELF(f, IMG_TABLE, offsetof(Elf64_Ehdr, e_ehsize),
		                "header sizes are not those of an image; "
		                "write it again");
	if (h.e_shnum < 2 || h.e_shnum >= SHN_LORESERVE ||
	    h.e_shstrndx >= h.e_shnum || h.e_shoff % 8 != 0 ||
	    h.e_shoff > f->size ||
	    (f->size - h.e_shoff) / sizeof(Elf64_Shdr) < h.e_shnum)
		return FAIL_ELF(f, IMG_TABLE, offsetof(Elf64_Ehdr, e_shoff),
		                "section table of %u headers at 0x%llX is not "
		                "inside of the file; write it again",
		                h.e_shnum, (unsigned long long)h.e_shoff);
	f->nsections = h.e_shnum;
	return true;
}

/* Header and bytes of one section, both inside of the file. */
static bool read_section(struct image_elf *f, size_t number,
                         struct image_bytes *s)
{
	Elf_Scn *scn = elf_getscn(f->elf, number);
	const Elf64_Shdr *h = scn ? elf64_getshdr(scn) : NULL;
	int64_t at;

	if (!h)
		return FAIL_ELF(f, IMG_TABLE, 0,
		                "section %zu has no header; write it again",
		                number);
	s->head = *h;
	s->number = number;
	at = (int64_t)number;
	if (h->sh_type == SHT_NOBITS || (h->sh_flags & SHF_COMPRESSED) ||
	    (h->sh_addralign & (h->sh_addralign - 1)) != 0)
		return image_fail(f->err, IMG_SECTION, f->place, "section", at,
		                  "compressed, without bytes or aligned to "
		                  "no power of two; write it again");
	if (h->sh_offset > f->size || h->sh_size > f->size - h->sh_offset)
		return image_fail(f->err, IMG_SECTION, f->place, "section", at,
		                  "0x%llX bytes at 0x%llX are not inside of "
		                  "the file; write it again",
		                  (unsigned long long)h->sh_size,
		                  (unsigned long long)h->sh_offset);
	s->size = h->sh_size;
	s->data = f->bytes + h->sh_offset;
	s->present = true;
	return true;
}

/* NUL-terminated text at an offset, or NULL. */
const char *image_text_at(const struct image_bytes *s, uint64_t off)
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
static bool take_section(struct image_elf *f, size_t number)
{
	struct image_bytes s = {0};
	const char *name;
	int k;

	if (!read_section(f, number, &s))
		return false;
	name = image_text_at(&f->names, s.head.sh_name);
	if (!name)
		return image_fail(f->err, IMG_SECTION_NAME, f->place, "section",
		                  (int64_t)number,
		                  "name is not inside of the name table; "
		                  "write the image again");
	k = section_named(name);
	if (k < 0) {
		if (strncmp(name, ".tpb.", 5) && strncmp(name, ".text", 5))
			return true;
		return image_fail(f->err, IMG_UNKNOWN, f->place, "section",
		                  (int64_t)number,
		                  "not known to this version; use a newer "
		                  "tpb or write the image again");
	}
	if (f->sec[k].present)
		return FAIL(f, IMG_TWICE, k, -1,
		            "section is there twice; write the image again");
	if (s.head.sh_type != (k == SEC_SYMTAB   ? SHT_SYMTAB
	                       : k == SEC_STRTAB ? SHT_STRTAB
	                                         : SHT_PROGBITS))
		return FAIL(f, IMG_SECTION, k, -1,
		            "section type %u is wrong; write the image again",
		            s.head.sh_type);
	f->sec[k] = s;
	return true;
}

static bool read_sections(struct image_elf *f)
{
	const Elf64_Ehdr *h = elf64_getehdr(f->elf);
	static const int needed[] = {SEC_META, SEC_STRTAB, SEC_SYMTAB};
	size_t n;

	if (elf_kind(f->elf) != ELF_K_ELF || !h ||
	    elf_getshdrnum(f->elf, &n) != 0 || n != f->nsections)
		return FAIL_ELF(f, IMG_NOT_ELF, 0,
		                "libelf refuses the file (%s); write it again",
		                elf_errmsg(-1));
	if (!read_section(f, h->e_shstrndx, &f->names))
		return false;
	for (size_t i = 1; i < f->nsections; i++)
		if (!take_section(f, i))
			return false;
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++)
		if (!f->sec[needed[i]].present)
			return FAIL(f, IMG_MISSING, needed[i], -1,
			            "section is missing; write the image "
			            "again");
	return true;
}

/* libelf may change the bytes it is given: they are the caller's own. */
bool image_elf_open(struct image_elf *f)
{
	if (!read_header(f))
		return false;
	elf_version(EV_CURRENT);
	f->elf = elf_memory((char *)(uintptr_t)f->bytes, f->size);
	if (!f->elf)
		return FAIL_ELF(f, IMG_NOT_ELF, 0,
		                "libelf refuses the file (%s); write it again",
		                elf_errmsg(-1));
	return read_sections(f);
}

void image_elf_close(struct image_elf *f)
{
	elf_end(f->elf);
	f->elf = NULL;
}
