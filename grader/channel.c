/* Datagrams with a token: see channel.h. */
#define _GNU_SOURCE
#include "channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define VARIABLE "GRADER_CHANNEL" /* "<address> <token>", both hexadecimal */

static uint8_t token[TOKEN_BYTES];
static char address_text[2 * TOKEN_BYTES + 1];
static int sending = -1;

static void to_hex(char *text, const uint8_t *bytes)
{
    for (size_t i = 0; i < TOKEN_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

static void draw(uint8_t *bytes)
{
    if (getrandom(bytes, TOKEN_BYTES, 0) != TOKEN_BYTES)
        abort(); /* no randomness, no trust: the kernel always has some */
}

/* An address in the abstract namespace: it begins with a zero byte and has no file. */
static socklen_t abstract_address(struct sockaddr_un *address, const char *name)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path + 1, name, 2 * TOKEN_BYTES);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + 2 * TOKEN_BYTES);
}

int channel_listen(void)
{
    struct sockaddr_un address;
    uint8_t name[TOKEN_BYTES];
    int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    draw(name);
    to_hex(address_text, name);
    socklen_t length = abstract_address(&address, address_text);
    if (descriptor >= 0 && bind(descriptor, (struct sockaddr *)&address, length) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

void channel_new_token(void)
{
    char variable[4 * TOKEN_BYTES + 2], token_text[2 * TOKEN_BYTES + 1];

    draw(token);
    to_hex(token_text, token);
    snprintf(variable, sizeof variable, "%s %s", address_text, token_text);
    setenv(VARIABLE, variable, 1);
}

bool channel_receive(int descriptor, struct message *message)
{
    const size_t header = offsetof(struct message, payload);

    for (;;) {
        ssize_t got = recv(descriptor, message, sizeof *message, MSG_DONTWAIT);
        if (got < 0)
            return false;
        if ((size_t)got >= header && (size_t)got == header + message->bytes &&
            memcmp(message->token, token, TOKEN_BYTES) == 0)
            return true;
    }
}

static void connect_to(const char *name)
{
    struct sockaddr_un address;
    socklen_t length = abstract_address(&address, name);

    sending = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (sending >= 0 && connect(sending, (struct sockaddr *)&address, length) != 0) {
        close(sending);
        sending = -1;
    }
}

void channel_connect_runner(void)
{
    connect_to(address_text);
}

void channel_connect(void)
{
    char *variable = getenv(VARIABLE);

    if (!variable || strlen(variable) != 4 * TOKEN_BYTES + 1)
        return;
    connect_to(variable);
    for (size_t i = 0; i < TOKEN_BYTES; i++)
        sscanf(variable + 2 * TOKEN_BYTES + 1 + 2 * i, "%2hhx", &token[i]);
    memset(variable, 'x', strlen(variable)); /* also from /proc/self/environ */
    unsetenv(VARIABLE);
}

void channel_send(enum message_kind kind, size_t task, const void *payload, size_t bytes)
{
    struct message message = {.kind = kind, .task = (uint32_t)task, .bytes = (uint32_t)bytes};

    if (sending < 0 || bytes > sizeof message.payload)
        return;
    memcpy(message.token, token, sizeof token);
    if (bytes > 0)
        memcpy(message.payload, payload, bytes);
    /* A failed send is a missing message, and a missing message is never a PASS. */
    (void)!send(sending, &message, offsetof(struct message, payload) + bytes, MSG_NOSIGNAL);
}
