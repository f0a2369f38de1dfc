/* SipHash-2-4: a keyed hash of a short message (Aumasson and Bernstein, 2012). Who lacks the key
 * can neither make the hash of a message nor alter the message. */
#ifndef GRADER_SIPHASH_H
#define GRADER_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

enum { SIPHASH_KEY_BYTES = 16 };

uint64_t siphash(const uint8_t key[SIPHASH_KEY_BYTES], const void *message, size_t bytes);

#endif
