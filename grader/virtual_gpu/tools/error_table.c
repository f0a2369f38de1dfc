/* Prints the installed runtime's error names and sentences as rows of a C table, so that the
 * virtual GPU says exactly what this toolkit says.  Neither function needs a GPU.
 *
 *   error_table LIBCUDART >error_table.inc        rows: {code, "name", "sentence"},
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef const char *(*describe_function)(int code);

static describe_function find(void *library, const char *name)
{
    describe_function function;
    *(void **)&function = dlsym(library, name);
    return function;
}

int main(int count, char **words)
{
    void *library = count == 2 ? dlopen(words[1], RTLD_NOW) : NULL;
    if (library == NULL) {
        fprintf(
            stderr, "error_table: %s\n", count == 2 ? dlerror() : "needs the path of libcudart");
        return 2;
    }
    const describe_function name = find(library, "cudaGetErrorName");
    const describe_function sentence = find(library, "cudaGetErrorString");
    if (name == NULL || sentence == NULL) {
        fprintf(stderr, "error_table: %s has no cudaGetErrorName\n", words[1]);
        return 2;
    }
    enum { CODES = 20000, NO_SUCH_CODE = -12345 };
    const char *unknown = name(NO_SUCH_CODE);
    for (int code = 0; code < CODES; code++)
        if (strcmp(name(code), unknown) != 0)
            printf("{%d, \"%s\", \"%s\"},\n", code, name(code), sentence(code));
    printf("{%d, \"%s\", \"%s\"},\n", NO_SUCH_CODE, unknown, sentence(NO_SUCH_CODE));
    return 0;
}
