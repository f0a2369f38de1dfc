/* How a test process tells the supervisor what it found.
 *
 * Criterion closes every inherited descriptor but the first three, so the messages travel over a
 * datagram socket with an abstract address. Each is signed with a key that the supervisor drew for
 * this test alone, and numbered. A test asks for the key before the candidate is opened; the
 * supervisor gives it once, to the child of its runner, as the kernel knows the one who asks: the
 * tests of other tasks, which may run at the same time, could read an environment. The key never
 * travels with a message: who catches messages can withhold them, but not forge, alter or repeat
 * one, and a missing message is never a PASS. */
#ifndef GRADER_CHANNEL_H
#define GRADER_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum message_kind {
    MESSAGE_CASE,     /* the name of the case that starts now */
    MESSAGE_OUTCOME,  /* struct outcome of the task */
    MESSAGE_SPEED,    /* struct speed_result of the task */
    MESSAGE_FINISHED, /* the last act of a test: without it, no PASS */
    MESSAGE_AUDIT,    /* struct audit, from the process that runs Criterion */
};

enum { PAYLOAD_BYTES_MAX = 4096 };

struct message {
    uint64_t signature; /* of everything below */
    uint32_t sender;    /* enum message_sender in channel.c */
    uint32_t number;    /* 0, 1, … of this sender in this test */
    uint32_t kind;      /* enum message_kind */
    uint32_t task;      /* index into homework.tasks */
    uint32_t bytes;     /* of the payload */
    uint32_t reserved;
    unsigned char payload[PAYLOAD_BYTES_MAX];
};

/* What Criterion says of the one test that it ran. */
struct audit {
    uint32_t tests_run;
    bool name_matches, passed, crashed, timed_out;
    int signal, exit_code;
};

/* Supervisor: opens its sockets once. Returns the descriptor of the messages, or -1; *requests is
 * that of the requests for a key. */
int channel_listen(int *requests);

/* Supervisor: draws the key of the next test. */
void channel_new_key(void);

/* Supervisor: takes one request for the key, if one is waiting, and grants it if it is the first of
 * the test, a child of the runner. True once the test has its key. */
bool channel_answer_request(pid_t runner);

enum received { RECEIVED_NOTHING, RECEIVED_JUNK, RECEIVED_MESSAGE };

/* Supervisor: takes one datagram, if one is waiting. Only RECEIVED_MESSAGE is genuine. */
enum received channel_receive(int descriptor, struct message *message);

/* Runner: connects; the key came with the fork. */
void channel_connect_runner(void);

/* Test: asks for the key. Must come before the candidate is opened. */
void channel_connect(void);

/* Ends a process that is not the test itself but a copy that the candidate forked: it holds the
 * key, and must not try answers. Belongs after every call of the candidate. */
void channel_guard(void);

/* Test or runner: sends one message; silently does nothing where there is no supervisor. */
void channel_send(enum message_kind kind, size_t task, const void *payload, size_t bytes);

#endif
