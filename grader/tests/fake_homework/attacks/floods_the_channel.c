// expect=EXITED diagnosis=process-left-behind others=PASS
// Children in sessions of their own find the grader's socket and send it junk without end.
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "host.h"

enum { CHILDREN = 12, SECONDS_MAX = 40, NAME_LENGTH = 32 };

static void send_junk(const char *name)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    const size_t bytes = offsetof(struct sockaddr_un, sun_path) + 1 + NAME_LENGTH;
    const char junk[64] = {0};
    int sending = socket(AF_UNIX, SOCK_DGRAM, 0);

    memcpy(address.sun_path + 1, name, NAME_LENGTH);
    if (connect(sending, (struct sockaddr *)&address, (socklen_t)bytes) == 0)
        while (send(sending, junk, sizeof junk, 0) > 0)
            ;
    close(sending);
}

static void flood(void)
{
    char line[300];
    FILE *sockets = fopen("/proc/net/unix", "r");

    while (sockets && fgets(line, sizeof line, sockets)) {
        const char *name = strchr(line, '@');
        if (name && strcspn(name + 1, "\n") == NAME_LENGTH)
            send_junk(name + 1);
    }
}

int largest(const int *values, int count)
{
    for (int child = 0; child < CHILDREN && count == 1; child++)
        if (fork() == 0) {
            setsid();
            alarm(SECONDS_MAX);
            flood();
            _exit(0);
        }
    if (count == 1000)
        sleep(1);
    return right_largest(values, count);
}
