// expect=PASS diagnosis=- others=PASS
// A right solution that shows itself to the whole process, to be taken for the virtual GPU, whose
// clock the grader would believe. The timing fails if it is.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#include "host.h"

uint64_t vgpu_now_ns(void)
{
    return 0;
}

__attribute__((constructor)) static void become_visible(void)
{
    Dl_info self;

    if (dladdr((void *)vgpu_now_ns, &self))
        dlopen(self.dli_fname, RTLD_NOW | RTLD_GLOBAL);
}

int largest(const int *values, int count)
{
    return right_largest(values, count);
}
