/* The shadows of device memory, as the engine sees them.  Indexed by
 * allocation->shadow_offset + (address - allocation->address). */
#ifndef VIRTUAL_GPU_SHADOW_H
#define VIRTUAL_GPU_SHADOW_H

#include <stdint.h>

extern uint8_t *shadow_initialised; /* one bit a byte: was ever written */
extern uint8_t *shadow_by_device;   /* one bit a byte: written last by a kernel */
/* One entry for every 4 bytes: the last writer and the last readers; race.h
 * explains the bits. */
extern uint64_t *shadow_writer;
extern uint64_t *shadow_reader;
/* Race words of the four bytes of word number `word`: writers, then readers. */
uint64_t *shadow_race_bytes(uint64_t word);

/* One entry for every 32 bytes: the launch that last loaded from the sector
 * (low half) and the one that last stored to it (high half), for counting what
 * a launch touches at all. */
extern uint32_t *shadow_sectors;

/* Forgets them, when the number of launches is about to wrap. */
void shadow_forget_sectors(void);

/* One entry for every 4 KiB: the launch that touched the page last, shifted left by two, and how:
 * 1 read, 2 written. */
extern uint32_t *shadow_pages;
void shadow_forget_pages(void);

/* Forgets all races, when the counter of segments is about to wrap. */
void shadow_forget_races(void);

#endif
