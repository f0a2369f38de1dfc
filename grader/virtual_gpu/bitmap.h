/* Ranges of bits in a bitmap of bytes: bit i is bit i % 8 of byte i / 8. */
#ifndef VIRTUAL_GPU_BITMAP_H
#define VIRTUAL_GPU_BITMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Mask of the bits from `first` (0…7) to the end of a byte, and up to `end` (0…7), exclusive. */
#define BITS_FROM(first) ((uint8_t)(0xFF << (first)))
#define BITS_BELOW(end) ((uint8_t)((1 << (end)) - 1))

static inline void bitmap_fill(uint8_t *map, uint64_t first, uint64_t count, bool value)
{
    if (count == 0)
        return;
    uint64_t end = first + count, head = first / 8, tail = end / 8;
    uint8_t head_bits = BITS_FROM(first % 8), tail_bits = BITS_BELOW(end % 8);
    if (head == tail) {
        head_bits &= tail_bits;
        tail_bits = 0;
    }
    map[head] = value ? map[head] | head_bits : map[head] & (uint8_t)~head_bits;
    if (tail_bits != 0)
        map[tail] = value ? map[tail] | tail_bits : map[tail] & (uint8_t)~tail_bits;
    if (tail > head + 1)
        memset(map + head + 1, value ? 0xFF : 0, tail - head - 1);
}

/* First position in [first, first + count) whose bit differs from `value`, relative to `first`;
 * `count` when there is none. */
static inline uint64_t bitmap_first_not(
    const uint8_t *map, uint64_t first, uint64_t count, bool value)
{
    uint8_t same = value ? 0xFF : 0;
    for (uint64_t i = 0; i < count;) {
        uint64_t bit = first + i;
        if (bit % 8 == 0 && count - i >= 64) {
            uint64_t word, want = value ? UINT64_MAX : 0;
            memcpy(&word, map + bit / 8, 8);
            if (word == want) {
                i += 64;
                continue;
            }
        }
        if (bit % 8 == 0 && count - i >= 8 && map[bit / 8] == same) {
            i += 8;
            continue;
        }
        if (((map[bit / 8] >> bit % 8) & 1) != value)
            return i;
        i++;
    }
    return count;
}

static inline bool bitmap_all(const uint8_t *map, uint64_t first, uint64_t count, bool value)
{
    return bitmap_first_not(map, first, count, value) == count;
}

/* Copies `count` bits; the ranges may overlap only when they are equal. */
static inline void bitmap_copy(uint8_t *map, uint64_t target, uint64_t source, uint64_t count)
{
    if (target == source)
        return;
    uint64_t i = 0;
    if (target % 8 == source % 8) {
        for (; i < count && (target + i) % 8 != 0; i++)
            bitmap_fill(map, target + i, 1, (map[(source + i) / 8] >> (source + i) % 8) & 1);
        memmove(map + (target + i) / 8, map + (source + i) / 8, (count - i) / 8);
        i += (count - i) / 8 * 8;
    }
    for (; i < count; i++)
        bitmap_fill(map, target + i, 1, (map[(source + i) / 8] >> (source + i) % 8) & 1);
}

#endif
