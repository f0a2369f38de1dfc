/* A device with less than this one has, played for the candidate on any device. */
#ifndef GRADER_RESTRICTED_H
#define GRADER_RESTRICTED_H

#include <stdbool.h>

enum restriction {
    /* As under Windows, WSL and before Pascal: pages do not move one by one, so the host must not
     * touch managed memory while a kernel runs; prefetches and the advice that names a device are
     * refused with cudaErrorInvalidDevice. */
    NO_CONCURRENT_MANAGED_ACCESS,
    /* Cooperative launches are refused with cudaErrorNotSupported. */
    NO_COOPERATIVE_LAUNCH,
    RESTRICTIONS
};

/* While on, whoever asks is told that the device lacks it, and what needs it is refused. Switch it
 * on around a call of the candidate. */
void restrict_device(enum restriction restriction, bool on);

bool is_restricted(enum restriction restriction);

#endif
