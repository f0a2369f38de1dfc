/* SipHash-2-4 against the vectors of its authors: key 00 01 … 0f, message 00 01 … of n bytes. */
#include "../siphash.h"

#include <criterion/criterion.h>

Test(siphash, equals_the_published_vectors)
{
    static const struct {
        size_t bytes;
        uint64_t hash;
    } vectors[] = {{0, 0x726fdb47dd0e0e31}, {1, 0x74f839c593dc67fd}, {7, 0xab0200f58b01d137},
        {8, 0x93f5f5799a932462}, {15, 0xa129ca6149be45e5}};
    uint8_t key[SIPHASH_KEY_BYTES], message[16];

    for (uint8_t i = 0; i < 16; i++)
        key[i] = message[i] = i;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        cr_expect_eq(siphash(key, message, vectors[i].bytes), vectors[i].hash, "%zu bytes",
            vectors[i].bytes);
}

Test(siphash, depends_on_every_bit_of_key_and_message)
{
    uint8_t key[SIPHASH_KEY_BYTES] = {0}, message[16] = {0};
    const uint64_t hash = siphash(key, message, sizeof message);

    for (int bit = 0; bit < 128; bit++) {
        key[bit / 8] ^= (uint8_t)(1 << bit % 8);
        cr_expect_neq(siphash(key, message, sizeof message), hash);
        key[bit / 8] ^= (uint8_t)(1 << bit % 8);
        message[bit / 8] ^= (uint8_t)(1 << bit % 8);
        cr_expect_neq(siphash(key, message, sizeof message), hash);
        message[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
}
