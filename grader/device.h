/* Which device this process grades on, and the only clock that the grader reads. */
#ifndef GRADER_DEVICE_H
#define GRADER_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct device_facts {
    bool usable;
    bool is_virtual;
    bool times_kernels; /* its clock tells how long a kernel takes: speed can be judged */
    char problem[200];  /* why it is not usable: a sentence with what to do */
    char name[128];
    int major, minor; /* compute capability */
    int sm_count;
    size_t memory_bytes, l2_bytes;
    int toolkit, driver;    /* as CUDA numbers them: 13000 is 13.0 */
    bool reads_host_memory; /* kernels can follow a malloc pointer (HMM, coherent platforms) */
};

/* Asks the CUDA runtime. Makes no context on the device. */
struct device_facts device_ask(void);

/* Makes this process's context on the device now: later its environment decides nothing any more. */
void device_wake(void);

/* Nanoseconds; the virtual GPU's own clock where there is one. */
uint64_t device_now_ns(void);

int device_sm_count(void);
size_t device_l2_bytes(void);
size_t device_free_bytes(void);

#endif
