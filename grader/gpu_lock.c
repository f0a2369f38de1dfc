/* The lock is an advisory one on a file that every user may open. The file stays: to remove it
 * would let one grader lock the old file and another a new one. */
#define _GNU_SOURCE
#include "gpu_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* One name for all users, so no TMPDIR: that differs from user to user. %s: the GPU. */
#define LOCK_PATH "/tmp/cuda-workbook-gpu-%s.lock"

enum { NO_LOCK = -1, OPEN_ATTEMPTS = 3, POLL_MS = 20 };

/* Opens the file for reading, which suffices to lock it, and which is allowed for another user's
 * file even where the system protects shared folders from being created in. */
static int open_lock_file(const char *gpu)
{
    const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW;
    char path[96];

    snprintf(path, sizeof path, LOCK_PATH, gpu);

    for (int attempt = 0; attempt < OPEN_ATTEMPTS; attempt++) {
        int file = open(path, flags);
        if (file >= 0 || errno != ENOENT)
            return file;
        file = open(path, flags | O_CREAT | O_EXCL, 0444);
        if (file >= 0) {
            fchmod(file, 0444); /* whatever the umask */
            return file;
        }
        if (errno != EEXIST)
            return file;
    }
    return NO_LOCK;
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

int gpu_lock(const char *gpu, uint64_t patience_ns, char *note, size_t note_bytes)
{
    const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    static uint64_t waited_ns;
    const uint64_t start_ns = now_ns();

    int lock = open_lock_file(gpu);
    if (lock < 0) {
        snprintf(note, note_bytes, "no lock file (%s): another grader may measure at the same time",
            strerror(errno));
        return NO_LOCK;
    }
    while (flock(lock, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            snprintf(note, note_bytes, "no lock (%s): another grader may measure at the same time",
                strerror(errno));
            close(lock);
            return NO_LOCK;
        }
        if (waited_ns + now_ns() - start_ns > patience_ns) {
            waited_ns = patience_ns;
            snprintf(note, note_bytes, "another grader held the GPU for %.0f s; measured beside it",
                (double)patience_ns / 1e9);
            close(lock);
            return NO_LOCK;
        }
        nanosleep(&pause, NULL);
    }
    waited_ns += now_ns() - start_ns;
    return lock;
}

void gpu_unlock(int lock)
{
    if (lock < 0)
        return;
    flock(lock, LOCK_UN); /* also for a child process that inherited the descriptor */
    close(lock);
}
