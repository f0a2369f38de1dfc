/* See fatbin.h. */
#include "fatbin.h"

#include <elf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FATBIN_MAGIC = (int)0xBA55ED50,
    KIND_PTX = 1,
    KIND_ELF = 2,
    FLAG_LZ4 = 0x2000,
    FLAG_ZSTD = 0x8000,
    SM_MAX = 90,
};

struct fatbin_header {
    uint32_t magic;
    uint16_t version, header_bytes;
    uint64_t size; /* of the entries */
};

struct fatbin_entry {
    uint16_t kind, version;
    uint32_t header_bytes;
    uint64_t payload_bytes;
    uint32_t compressed_bytes, options_offset;
    uint16_t minor, major;
    uint32_t sm;
    uint32_t unused[2];
    uint64_t flags;
};

/* The entry after `previous`, or the first for NULL; NULL at the end. */
static const struct fatbin_entry *next_entry(const void *data, const struct fatbin_entry *previous)
{
    const struct fatbin_header *header = data;
    const uint8_t *start = (const uint8_t *)data + header->header_bytes;
    const uint8_t *end = start + header->size;
    const uint8_t *at = previous == NULL ? start
                                         : (const uint8_t *)previous + previous->header_bytes +
                                               previous->payload_bytes;
    if (header->magic != (uint32_t)FATBIN_MAGIC || at + sizeof(struct fatbin_entry) > end)
        return NULL;
    const struct fatbin_entry *entry = (const struct fatbin_entry *)at;
    bool sound = entry->header_bytes >= sizeof *entry && entry->kind != 0 &&
                 entry->payload_bytes <= (uint64_t)(end - at) &&
                 entry->header_bytes <= (uint64_t)(end - at) - entry->payload_bytes;
    return sound ? entry : NULL;
}

char *fatbin_ptx(const void *data, char *error, size_t error_size)
{
    const struct fatbin_entry *best = NULL;
    bool compressed = false, any = false;
    for (const struct fatbin_entry *e = NULL; (e = next_entry(data, e)) != NULL;) {
        any = true;
        if (e->kind != KIND_PTX)
            continue;
        if (e->flags & (FLAG_LZ4 | FLAG_ZSTD))
            compressed = true;
        else if (e->sm <= SM_MAX && (best == NULL || e->sm > best->sm))
            best = e;
    }
    if (best == NULL) {
        snprintf(error, error_size, "%s",
            compressed ? "the program's PTX is compressed: rebuild it with nvcc -no-compress"
            : any      ? "the program has no PTX: build it with nvcc -arch=compute_80"
                       : "the fat binary is not understood: build with nvcc 11.8 or newer");
        return NULL;
    }
    char *text = malloc(best->payload_bytes + 1);
    if (text == NULL) {
        snprintf(error, error_size, "out of memory");
        return NULL;
    }
    memcpy(text, (const uint8_t *)best + best->header_bytes, best->payload_bytes);
    text[best->payload_bytes] = '\0';
    return text;
}

/* ---- register counts ------------------------------------------------------------------------- */

enum { EIFMT_SVAL = 4, EIATTR_REGCOUNT = 0x2F };

struct elf {
    const uint8_t *bytes;
    size_t size;
    const Elf64_Shdr *sections;
    uint32_t section_count;
};

static bool open_elf(struct elf *elf, const uint8_t *bytes, size_t size)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)bytes;
    if (size < sizeof *header || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
        header->e_shentsize != sizeof(Elf64_Shdr) ||
        header->e_shoff + (uint64_t)header->e_shnum * sizeof(Elf64_Shdr) > size)
        return false;
    *elf =
        (struct elf){bytes, size, (const Elf64_Shdr *)(bytes + header->e_shoff), header->e_shnum};
    return true;
}

static const void *section_bytes(const struct elf *elf, const Elf64_Shdr *section)
{
    if (section->sh_offset > elf->size || section->sh_size > elf->size - section->sh_offset)
        return NULL;
    return elf->bytes + section->sh_offset;
}

/* Index of the kernel among the symbols; 0 when it is not there. */
static uint32_t symbol_index(const struct elf *elf, const char *kernel)
{
    for (uint32_t s = 0; s < elf->section_count; s++) {
        const Elf64_Shdr *table = &elf->sections[s];
        if (table->sh_type != SHT_SYMTAB || table->sh_link >= elf->section_count)
            continue;
        const Elf64_Shdr *names = &elf->sections[table->sh_link];
        const Elf64_Sym *symbols = section_bytes(elf, table);
        const char *text = section_bytes(elf, names);
        size_t length = strlen(kernel);
        for (uint32_t i = 0;
             symbols != NULL && text != NULL && i < table->sh_size / sizeof *symbols; i++)
            if (symbols[i].st_name < names->sh_size &&
                length < names->sh_size - symbols[i].st_name &&
                strcmp(text + symbols[i].st_name, kernel) == 0)
                return i;
    }
    return 0;
}

/* .nv.info is a list of {format, attribute, size, payload}; REGCOUNT holds {symbol, count}. */
static uint32_t registers_in(const uint8_t *bytes, size_t size, uint32_t symbol)
{
    for (size_t at = 0; at + 4 <= size;) {
        uint8_t format = bytes[at], attribute = bytes[at + 1];
        uint16_t length;
        memcpy(&length, bytes + at + 2, 2);
        at += 4;
        if (format != EIFMT_SVAL)
            continue;
        if (at + length > size)
            break;
        uint32_t pair[2];
        if (attribute == EIATTR_REGCOUNT && length == sizeof pair) {
            memcpy(pair, bytes + at, sizeof pair);
            if (pair[0] == symbol)
                return pair[1];
        }
        at += length;
    }
    return 0;
}

uint32_t fatbin_registers(const void *data, const char *kernel)
{
    for (const struct fatbin_entry *e = NULL; (e = next_entry(data, e)) != NULL;) {
        struct elf elf;
        if (e->kind != KIND_ELF || (e->flags & (FLAG_LZ4 | FLAG_ZSTD)) ||
            !open_elf(&elf, (const uint8_t *)e + e->header_bytes, e->payload_bytes))
            continue;
        uint32_t symbol = symbol_index(&elf, kernel);
        const Elf64_Ehdr *header = (const Elf64_Ehdr *)elf.bytes;
        const char *names = header->e_shstrndx < elf.section_count
                                ? section_bytes(&elf, &elf.sections[header->e_shstrndx])
                                : NULL;
        for (uint32_t s = 0; symbol != 0 && names != NULL && s < elf.section_count; s++) {
            const uint8_t *bytes = section_bytes(&elf, &elf.sections[s]);
            if (bytes == NULL || strcmp(names + elf.sections[s].sh_name, ".nv.info") != 0)
                continue;
            uint32_t count = registers_in(bytes, elf.sections[s].sh_size, symbol);
            if (count != 0)
                return count;
        }
    }
    return 0;
}
