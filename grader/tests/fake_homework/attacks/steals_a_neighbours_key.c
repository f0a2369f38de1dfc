// expect=PASS diagnosis=- others=EXITED
// Only the first task is solved; its test looks, while it runs, for a test of another task that is
// about to start, gets hold of the key of that one's messages, and reports a success in its name.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "channel.h"
#include "outcome.h"
#include "siphash.c"

int largest(const int *values, int count);

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void report(int to, const uint8_t *key, struct message *message, uint32_t number)
{
    const size_t start = offsetof(struct message, sender);

    message->number = number;
    message->signature = siphash(key, (const char *)message + start,
        offsetof(struct message, payload) - start + message->bytes);
    send(to, message, offsetof(struct message, payload) + message->bytes, 0);
}

/* What the environment of the test calls the key, or the address where it is given away. */
static void take_key(const char *word, uint8_t *key)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const int asking = socket(AF_UNIX, SOCK_SEQPACKET, 0);

    for (int i = 0; i < SIPHASH_KEY_BYTES; i++)
        sscanf(word + 2 * i, "%2hhx", &key[i]);
    memcpy(address.sun_path + 1, word, 32);
    if (connect(asking, (struct sockaddr *)&address,
            (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 33)) == 0)
        (void)!recv(asking, key, SIPHASH_KEY_BYTES, 0);
    close(asking);
}

static void forge(const char *variable)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    static struct message success = {.kind = MESSAGE_OUTCOME, .bytes = sizeof(struct outcome)};
    static struct message end = {.kind = MESSAGE_FINISHED};
    struct outcome outcome = {
        .verdict = PASS, .efficiency = PASS, .safety = PASS, .cases_passed = 4};
    const int to = socket(AF_UNIX, SOCK_DGRAM, 0);
    uint8_t key[SIPHASH_KEY_BYTES];

    memcpy(address.sun_path + 1, variable, 32);
    take_key(variable + 33, key);
    memcpy(success.payload, &outcome, sizeof outcome);
    connect(
        to, (struct sockaddr *)&address, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 33));
    usleep(300000); /* it has begun its first case, message 0 */
    report(to, key, &success, 1);
    report(to, key, &end, 2);
    close(to);
}

static void look_at(const char *process)
{
    static char environment[1 << 17], last[100];
    char path[300], own[300] = "", program[300] = "";
    ssize_t bytes = 0, got;

    snprintf(path, sizeof path, "/proc/%.20s/exe", process);
    if (readlink("/proc/self/exe", own, sizeof own - 1) < 0 ||
        readlink(path, program, sizeof program - 1) < 0 || strcmp(own, program) != 0)
        return; /* no test of this grader */
    snprintf(path, sizeof path, "/proc/%.20s/environ", process);
    const int file = open(path, O_RDONLY);
    if (file < 0)
        return;
    while ((got = read(file, environment + bytes, sizeof environment - 1 - (size_t)bytes)) > 0)
        bytes += got;
    close(file);
    for (char *at = environment; at < environment + bytes; at += strlen(at) + 1)
        if (strncmp(at, "GRADER_CHANNEL=", 15) == 0 && at[15] != 'x' && strcmp(at, last) != 0) {
            snprintf(last, sizeof last, "%.99s", at);
            forge(last + 15);
        }
}

int largest(const int *values, int count)
{
    const double end_s = now_s() + (count == 1 ? 4 : 0);
    struct dirent *entry;

    while (now_s() < end_s) {
        DIR *processes = opendir("/proc");
        while (processes && (entry = readdir(processes)))
            if (atoi(entry->d_name) > getpid())
                look_at(entry->d_name);
        closedir(processes);
    }
    int result = values[0];
    for (int i = 1; i < count; i++)
        result = values[i] > result ? values[i] : result;
    return result;
}

int smallest(const int *values, int count)
{
    (void)values, (void)count;
    usleep(1500000);
    _exit(0);
}

int even_ones(const int *values, int count)
{
    return smallest(values, count);
}
