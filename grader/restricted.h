/* The rules that managed memory has under Windows, WSL and before Pascal, on any device: pages do
 * not move one by one, so the host must not touch them while a kernel runs. */
#ifndef GRADER_RESTRICTED_H
#define GRADER_RESTRICTED_H

#include <stdbool.h>

/* While on, whoever asks is told that concurrentManagedAccess is 0, and prefetches and the advice
 * that names a device are refused with cudaErrorInvalidDevice, as they are there. Switch it on
 * around a call of the candidate. */
void restrict_managed_memory(bool on);

#endif
