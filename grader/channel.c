/* Signed and numbered datagrams: see channel.h. */
#define _GNU_SOURCE
#include "channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "family.h"
#include "siphash.h"

#define VARIABLE "GRADER_CHANNEL" /* "<address of messages> <address of the key>", hexadecimal */

enum { HEX_CHARACTERS = 2 * SIPHASH_KEY_BYTES, KEY_REQUESTS_MOST = 16 };
enum message_sender { SENDER_TEST, SENDER_RUNNER, SENDER_COUNT };

static uint8_t key[SIPHASH_KEY_BYTES];
static bool key_given; /* to the test that it was drawn for */
static int key_requests = -1;
static char address_text[HEX_CHARACTERS + 1], key_address_text[HEX_CHARACTERS + 1];
static uint32_t next_number[SENDER_COUNT]; /* to be sent, or to be received */
static enum message_sender sender;
static int sending = -1;
static pid_t test_process;

static void to_hex(char *text, const uint8_t *bytes)
{
    for (size_t i = 0; i < SIPHASH_KEY_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", bytes[i]);
}

static void draw(uint8_t *bytes)
{
    if (getrandom(bytes, SIPHASH_KEY_BYTES, 0) != SIPHASH_KEY_BYTES)
        abort(); /* no randomness, no trust: the kernel always has some */
}

/* An address in the abstract namespace: it begins with a zero byte and has no file. */
static socklen_t abstract_address(struct sockaddr_un *address, const char *name)
{
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path + 1, name, HEX_CHARACTERS);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + HEX_CHARACTERS);
}

/* From the sender's field to the end of the payload. */
static uint64_t signature_of(const struct message *message)
{
    const size_t start = offsetof(struct message, sender);
    return siphash(key, (const char *)message + start,
        offsetof(struct message, payload) - start + message->bytes);
}

/* A socket of its own with a new address. Returns its descriptor, or -1. */
static int open_socket(int type, char *name_text)
{
    struct sockaddr_un address;
    uint8_t name[SIPHASH_KEY_BYTES];
    int descriptor = socket(AF_UNIX, type | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

    draw(name);
    to_hex(name_text, name);
    socklen_t length = abstract_address(&address, name_text);
    if (descriptor >= 0 && bind(descriptor, (struct sockaddr *)&address, length) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

int channel_listen(int *requests)
{
    char variable[2 * HEX_CHARACTERS + 2];
    const int descriptor = open_socket(SOCK_DGRAM, address_text);

    key_requests = *requests = open_socket(SOCK_SEQPACKET, key_address_text);
    if (descriptor < 0 || key_requests < 0 || listen(key_requests, KEY_REQUESTS_MOST) != 0)
        return -1;
    snprintf(variable, sizeof variable, "%s %s", address_text, key_address_text);
    setenv(VARIABLE, variable, 1);
    return descriptor;
}

void channel_new_key(void)
{
    draw(key);
    key_given = false;
    memset(next_number, 0, sizeof next_number);
}

bool channel_answer_request(pid_t runner)
{
    struct ucred peer;
    socklen_t bytes = sizeof peer;
    const int connection = accept4(key_requests, NULL, NULL, SOCK_CLOEXEC);

    if (connection < 0)
        return key_given;
    if (!key_given && getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) == 0 &&
        is_child_of(peer.pid, runner))
        key_given = send(connection, key, sizeof key, MSG_NOSIGNAL) == (ssize_t)sizeof key;
    close(connection);
    return key_given;
}

enum received channel_receive(int descriptor, struct message *message)
{
    const size_t header = offsetof(struct message, payload);
    const ssize_t got = recv(descriptor, message, sizeof *message, MSG_DONTWAIT);

    if (got < 0)
        return RECEIVED_NOTHING;
    if ((size_t)got < header || message->bytes != (size_t)got - header ||
        message->sender >= SENDER_COUNT || message->number != next_number[message->sender] ||
        message->signature != signature_of(message))
        return RECEIVED_JUNK;
    next_number[message->sender]++;
    return RECEIVED_MESSAGE;
}

static void connect_to(const char *name, enum message_sender as)
{
    struct sockaddr_un address;
    socklen_t length = abstract_address(&address, name);

    sender = as;
    sending = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (sending >= 0 && connect(sending, (struct sockaddr *)&address, length) != 0) {
        close(sending);
        sending = -1;
    }
}

void channel_connect_runner(void)
{
    connect_to(address_text, SENDER_RUNNER);
}

static bool ask_for_key(const char *name)
{
    struct sockaddr_un address;
    socklen_t length = abstract_address(&address, name);
    const int asking = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const bool got = asking >= 0 && connect(asking, (struct sockaddr *)&address, length) == 0 &&
                     recv(asking, key, sizeof key, 0) == (ssize_t)sizeof key;

    if (asking >= 0)
        close(asking);
    return got;
}

void channel_connect(void)
{
    const char *variable = getenv(VARIABLE);

    if (!variable || strlen(variable) != 2 * HEX_CHARACTERS + 1)
        return;
    test_process = getpid();
    if (ask_for_key(variable + HEX_CHARACTERS + 1))
        connect_to(variable, SENDER_TEST);
    unsetenv(VARIABLE);
}

void channel_guard(void)
{
    if (test_process != 0 && getpid() != test_process)
        _exit(1);
}

void channel_send(enum message_kind kind, size_t task, const void *payload, size_t bytes)
{
    struct message message = {.sender = sender,
        .number = next_number[sender],
        .kind = kind,
        .task = (uint32_t)task,
        .bytes = (uint32_t)bytes};

    channel_guard();
    if (sending < 0 || bytes > sizeof message.payload)
        return;
    if (bytes > 0)
        memcpy(message.payload, payload, bytes);
    message.signature = signature_of(&message);
    next_number[sender]++;
    (void)!send(sending, &message, offsetof(struct message, payload) + bytes, MSG_NOSIGNAL);
}
