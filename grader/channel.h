/* How a test process tells the supervisor what it found.
 *
 * Criterion closes every inherited descriptor but the first three, so the messages travel over a
 * datagram socket with an abstract address. Each carries a token that the supervisor drew for this
 * test alone; a test reads and erases it before the candidate is opened. What a candidate sends
 * without the token is counted, and believed in nothing. */
#ifndef GRADER_CHANNEL_H
#define GRADER_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum message_kind {
    MESSAGE_CASE,     /* the name of the case that starts now */
    MESSAGE_OUTCOME,  /* struct outcome of the task */
    MESSAGE_SPEED,    /* struct speed_result of the task */
    MESSAGE_FINISHED, /* the last act of a test: without it, no PASS */
    MESSAGE_AUDIT,    /* struct audit, from the process that runs Criterion */
};

enum { TOKEN_BYTES = 16, PAYLOAD_BYTES_MAX = 4096 };

struct message {
    uint8_t token[TOKEN_BYTES];
    uint32_t kind;  /* enum message_kind */
    uint32_t task;  /* index into homework.tasks */
    uint32_t bytes; /* of the payload */
    _Alignas(16) unsigned char payload[PAYLOAD_BYTES_MAX];
};

/* What Criterion says of the one test that it ran. */
struct audit {
    uint32_t tests_run;
    bool name_matches, passed, crashed, timed_out;
    int signal, exit_code;
};

/* Supervisor: opens the socket once. Returns its descriptor, or -1. */
int channel_listen(void);

/* Supervisor: draws the token of the next test and leaves it for the test in the environment. */
void channel_new_token(void);

/* Supervisor: the next genuine message, or false if none is waiting. */
bool channel_receive(int descriptor, struct message *message);

/* Runner: connects; the token came with the fork. */
void channel_connect_runner(void);

/* Test: reads and erases the token. Must come before the candidate is opened. */
void channel_connect(void);

/* Test or runner: sends one message; silently does nothing where there is no supervisor. */
void channel_send(enum message_kind kind, size_t task, const void *payload, size_t bytes);

#endif
