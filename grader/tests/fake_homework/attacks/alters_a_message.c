// expect=EXITED diagnosis=exit others=PASS
// Puts a socket of its own in the place of the grader's, makes a PASS of the message that it
// catches, sends that in its place, and leaves.
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "channel.h"
#include "host.h"
#include "outcome.h"

static int genuine = -1, own[2];

static void take_the_place_of_the_socket(void)
{
    for (int descriptor = 3; descriptor < 1024 && genuine < 0; descriptor++) {
        int type = 0;
        socklen_t length = sizeof type;
        if (getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) != 0 || type != SOCK_DGRAM)
            continue;
        genuine = dup(descriptor);
        if (socketpair(AF_UNIX, SOCK_DGRAM, 0, own) == 0)
            dup2(own[1], descriptor);
    }
}

static void send_instead(
    struct message *message, enum message_kind kind, const void *payload, size_t bytes)
{
    message->kind = kind;
    message->bytes = (uint32_t)bytes;
    memcpy(message->payload, payload, bytes);
    (void)!write(genuine, message, offsetof(struct message, payload) + bytes);
    message->number++;
}

int largest(const int *values, int count)
{
    static struct message message;
    const struct outcome pass = {.verdict = PASS, .safety = PASS, .cases_passed = 4};

    if (genuine < 0)
        take_the_place_of_the_socket();
    if (recv(own[0], &message, sizeof message, MSG_DONTWAIT) > 0) {
        send_instead(&message, MESSAGE_OUTCOME, &pass, sizeof pass);
        send_instead(&message, MESSAGE_FINISHED, &pass, 0);
        _exit(0);
    }
    return values[count - 1]; /* right where there is one value only */
}
