/* A filter of system calls (seccomp), and limits of the kernel. */
#define _GNU_SOURCE
#include "confine.h"

#include <asm/sockios.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "limits.h"
#include "settings.h"

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifndef SECCOMP_FILTER_FLAG_SPEC_ALLOW
#define SECCOMP_FILTER_FLAG_SPEC_ALLOW (1UL << 2)
#endif
#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000U
#endif

enum { PROTECTED_MOST = 64, INSTRUCTIONS_MOST = 256, ABOVE_X32 = 0x40000000 };

/* Calls whose first argument is a process, a thread or a group. */
static const int aimed_calls[] = {
    SYS_kill,
    SYS_tkill,
    SYS_tgkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_prlimit64,
#ifdef SYS_pidfd_open
    SYS_pidfd_open,
#endif
};

/* Calls that no homework needs and that lead out of the test. */
static const int refused_calls[] = {SYS_setsid, SYS_setpgid, SYS_ptrace, SYS_process_vm_writev};

/* Requests, the second argument of a call, by which the kernel would send a signal in the caller's
 * name: a descriptor that has news tells its owner, and a terminal what is typed. */
static const struct {
    int call;
    uint32_t request;
} refused_requests[] = {
    {SYS_fcntl, F_SETOWN},
    {SYS_fcntl, F_SETOWN_EX},
    {SYS_ioctl, FIOSETOWN},
    {SYS_ioctl, SIOCSPGRP},
    {SYS_ioctl, TIOCSTI},
};

struct program {
    struct sock_filter code[INSTRUCTIONS_MOST];
    unsigned short length;
};

static void add(struct program *program, struct sock_filter instruction)
{
    if (program->length < INSTRUCTIONS_MOST)
        program->code[program->length++] = instruction;
}

static void load(struct program *program, size_t offset)
{
    add(program, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset));
}

static void end_with(struct program *program, uint32_t action)
{
    add(program, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, action));
}

/* If what was loaded is `value`, the program ends with the action. */
static void end_if(struct program *program, uint32_t value, uint32_t action)
{
    add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 1));
    end_with(program, action);
}

static pid_t parent_and_group(pid_t process, pid_t *group)
{
    char path[40], line[512] = "";
    pid_t parent = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", process);
    FILE *stat = fopen(path, "r");
    const char *after_name = stat && fgets(line, sizeof line, stat) ? strrchr(line, ')') : NULL;
    if (!after_name || sscanf(after_name, ") %*c %d %d", &parent, group) != 2)
        parent = 0;
    if (stat)
        fclose(stat);
    return parent;
}

static bool is_first_of_its_call(size_t index)
{
    return index == 0 || refused_requests[index].call != refused_requests[index - 1].call;
}

/* For each call with such requests: skipped by others; else its request is compared, and the
 * program ends. */
static void refuse_requests(struct program *program)
{
    const size_t count = sizeof refused_requests / sizeof refused_requests[0];

    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && !is_first_of_its_call(end);)
            end++;
        const uint8_t length = (uint8_t)(2 + 2 * (end - i));
        add(program, (struct sock_filter)BPF_JUMP(
                         BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)refused_requests[i].call, 0, length));
        load(program, offsetof(struct seccomp_data, args[1]));
        for (size_t request = i; request < end; request++)
            end_if(program, refused_requests[request].request, SECCOMP_RET_ERRNO | EPERM);
        end_with(program, SECCOMP_RET_ALLOW);
    }
}

/* What a signal must not be aimed at: -1, which is everybody, and from the runner's parent upwards
 * each process and its group, with the minus that kill() wants. */
static size_t list_protected(int32_t *targets)
{
    size_t count = 0;
    pid_t group = 0;
    pid_t above = parent_and_group(getppid(), &group);

    targets[count++] = -1;
    while (above > 0 && count + 2 <= PROTECTED_MOST) {
        const pid_t parent = parent_and_group(above, &group);
        targets[count++] = above;
        if (group > 1 && group != getpgrp())
            targets[count++] = -group;
        above = parent;
    }
    return count;
}

static void write_program(struct program *program)
{
    int32_t targets[PROTECTED_MOST];
    const size_t target_count = list_protected(targets);
    const size_t aimed = sizeof aimed_calls / sizeof aimed_calls[0];

    load(program, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; i < sizeof refused_calls / sizeof refused_calls[0]; i++)
        end_if(program, (uint32_t)refused_calls[i], SECCOMP_RET_ERRNO | EPERM);
    refuse_requests(program);
    /* Every aimed call jumps to the comparison of its target, behind the end of all others. */
    for (size_t i = 0; i < aimed; i++)
        add(program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                         (uint32_t)aimed_calls[i], (uint8_t)(aimed - i), 0));
    end_with(program, SECCOMP_RET_ALLOW);
    load(program, offsetof(struct seccomp_data, args[0])); /* its low half: little endian */
    for (size_t i = 0; i < target_count; i++)
        end_if(program, (uint32_t)targets[i], SECCOMP_RET_KILL_PROCESS);
    end_with(program, SECCOMP_RET_ALLOW);
}

/* For all threads that there are, and without the slower code that some kernels tie to a filter. */
static void filter_calls(void)
{
#ifdef ARCHITECTURE
    struct program program = {.length = 0};

    load(&program, offsetof(struct seccomp_data, arch));
    add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0));
    end_with(&program, SECCOMP_RET_KILL_PROCESS); /* numbers of another machine's calls */
#ifdef __x86_64__
    load(&program, offsetof(struct seccomp_data, nr));
    add(&program, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, ABOVE_X32, 0, 1));
    end_with(&program, SECCOMP_RET_KILL_PROCESS);
#endif
    write_program(&program);
    const struct sock_fprog whole = {.len = program.length, .filter = program.code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
            SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &whole);
#endif
}

/* Criterion leaves a pipe there that never ends. */
static void read_from_nowhere(void)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    if (nothing > STDIN_FILENO)
        close(nothing);
}

void confine(void)
{
    const rlim_t file_bytes = (rlim_t)FILE_MIB_MOST << 20;

    read_from_nowhere();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){file_bytes, file_bytes});
    if (!setting("FILTER") || strcmp(setting("FILTER"), "no") != 0)
        filter_calls();
}
