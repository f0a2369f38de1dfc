/* Any bytes as PTX: the parser and the decoder give a module or an error message, and never crash.
 *
 * With libFuzzer (fuzz.sh) it looks for inputs; linked with replay.c it repeats those that were kept. */
#include "../../module.h"

#include <stdlib.h>
#include <string.h>

static void decode_all(struct ptx_module *module)
{
    uint64_t *addresses = calloc(module->variable_count + 1, sizeof *addresses);

    for (uint32_t i = 0; addresses && i < module->function_count; i++)
        if (module->functions[i]->is_entry && module->functions[i]->is_defined)
            decode_free(decode_kernel(module, module->functions[i], addresses));
    free(addresses);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[300], *text = malloc(size + 1);

    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct ptx_module *module = ptx_parse(text, error, sizeof error);
    if (module) {
        decode_all(module);
        ptx_free(module);
    }
    free(text);
    return 0;
}
