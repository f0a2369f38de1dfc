/* Two processes, one lock. */
#include "../gpu_lock.h"

#include <criterion/criterion.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

enum { TIMEOUT_S = 60 };

#define MS ((uint64_t)1000000)
#define PATIENT_NS (30000 * MS) /* a grader on this machine may be measuring just now */

Test(gpu_lock, keeps_a_second_process_out_until_the_first_is_done, .timeout = TIMEOUT_S)
{
    char note[160] = "", ready;
    int holds[2], release[2];

    cr_assert(pipe(holds) == 0 && pipe(release) == 0);
    pid_t holder = fork();
    cr_assert(holder >= 0);
    if (holder == 0) {
        close(release[1]);
        int lock = gpu_lock("test", PATIENT_NS, note, sizeof note);
        if (write(holds[1], "y", lock >= 0) == 1 && read(release[0], &ready, 1) >= 0)
            gpu_unlock(lock);
        _exit(0);
    }
    close(holds[1]);
    cr_assert(read(holds[0], &ready, 1) == 1, "the child has no lock");

    cr_assert(gpu_lock("test", 50 * MS, note, sizeof note) < 0);
    cr_assert(note[0] != '\0', "giving up is worth a note");
    close(release[1]);
    cr_assert(waitpid(holder, NULL, 0) == holder);

    note[0] = '\0';
    int lock = gpu_lock("test", PATIENT_NS, note, sizeof note);
    cr_assert(lock >= 0 && note[0] == '\0', "%s", note);
    gpu_unlock(lock);
    lock = gpu_lock("test", PATIENT_NS, note, sizeof note);
    cr_assert(lock >= 0, "it can be had again");
    gpu_unlock(lock);
    gpu_unlock(-1);
}
