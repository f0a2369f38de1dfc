/* See balance.h. */
#include "balance.h"

#include "trace.h"

void balance_block(struct launch *launch, const struct block *block)
{
    struct balance *balance = &launch->balance;
    uint64_t sum = 0, longest = 0;
    uint32_t least = 0;
    for (uint32_t k = 0; k < block->warp_count; k++) {
        const uint64_t mine = block->warps[k].executed;
        sum += mine;
        longest = mine > longest ? mine : longest;
    }
    for (uint32_t sm = 1; sm < DEVICE_SMS; sm++)
        if (balance->of_sm[sm] < balance->of_sm[least])
            least = sm;
    balance->of_sm[least] += sum;
    balance->instructions += sum;
    if (!trace_is_long(block, longest))
        return;
    balance->long_blocks++;
    balance->long_instructions += sum;
    balance->longest_warps += longest;
    balance->longest = longest > balance->longest ? longest : balance->longest;
}

double balance_busiest(const struct balance *balance)
{
    uint64_t most = 0;
    for (uint32_t sm = 0; sm < DEVICE_SMS; sm++)
        most = balance->of_sm[sm] > most ? balance->of_sm[sm] : most;
    return balance->instructions == 0 ? 0.0 : (double)most / (double)balance->instructions;
}

bool balance_is_lopsided(const struct launch *launch)
{
    const double sms = launch->block_total < DEVICE_SMS ? (double)launch->block_total : DEVICE_SMS;
    return balance_busiest(&launch->balance) > 1.5 / sms;
}
