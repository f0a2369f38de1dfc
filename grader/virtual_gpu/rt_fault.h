/* The host's accesses to memory that is not the host's. */
#ifndef VIRTUAL_GPU_RT_FAULT_H
#define VIRTUAL_GPU_RT_FAULT_H

/* Explains a host access to device memory before the process dies of it, and repeats one to a
 * managed page. Other faults go where they went before. */
void rt_watch_faults(void);

#endif
