/* Which device grades: the GPU, or the virtual GPU. Asked in a process of its own, because a
 * process that has touched CUDA cannot fork test processes that use it. */
#ifndef GRADER_DEVICE_CHOICE_H
#define GRADER_DEVICE_CHOICE_H

#include "device.h"

/* DEVICE=auto, gpu or virtual (NULL: auto).  The tests that follow run on the device that is returned;
 * if it is not usable, `problem` says why and what to do. */
struct device_facts choose_device(const char *wanted);

/* Whether test processes that are started from now on find the virtual GPU. False: it is not built. */
bool use_virtual_gpu(bool use);

/* How many devices the virtual GPU has in test processes that are started from now on; 0: as many as
 * the environment said at first. */
void use_virtual_devices(unsigned count);

/* --mode=probe: writes struct device_facts of this process's device to standard output. */
int probe_main(void);

#endif
