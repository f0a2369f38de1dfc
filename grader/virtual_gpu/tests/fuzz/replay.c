/* Runs the fuzz target on the files that are named, without libFuzzer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int count, char **paths)
{
    static uint8_t data[1 << 20];

    for (int i = 1; i < count; i++) {
        FILE *file = fopen(paths[i], "rb");
        if (!file) {
            perror(paths[i]);
            return EXIT_FAILURE;
        }
        LLVMFuzzerTestOneInput(data, fread(data, 1, sizeof data, file));
        fclose(file);
    }
    printf("%d inputs, no crash\n", count - 1);
    return count > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
