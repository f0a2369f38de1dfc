/* Reading /proc: each process names its parent, so the descendants of this one can be told. */
#define _GNU_SOURCE
#include "family.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct process {
    pid_t id, parent, group;
    size_t threads, resident_pages;
    bool is_descendant;
};

/* False for a process that is gone already. */
static bool read_process(int proc, const char *id, struct process *process)
{
    char path[40], line[1024];
    long threads, pages;

    snprintf(path, sizeof path, "%.20s/stat", id);
    const int file = openat(proc, path, O_RDONLY | O_CLOEXEC);
    const ssize_t got = file >= 0 ? read(file, line, sizeof line - 1) : -1;
    if (file >= 0)
        close(file);
    if (got <= 0)
        return false;
    line[got] = '\0';
    /* The name comes first and may hold anything, also parentheses and blanks. */
    const char *after_name = strrchr(line, ')');
    if (!after_name || sscanf(after_name,
                           ") %*c %d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d "
                           "%ld %*d %*u %*u %ld",
                           &process->parent, &process->group, &threads, &pages) != 4)
        return false;
    process->id = (pid_t)atoi(id);
    process->threads = threads > 0 ? (size_t)threads : 0;
    process->resident_pages = pages > 0 ? (size_t)pages : 0;
    process->is_descendant = process->parent == getpid();
    return true;
}

/* All processes of the machine; the caller frees. An empty list if memory or /proc is missing. */
static struct process *read_processes(size_t *count)
{
    struct process *processes = NULL;
    size_t room = 0;
    DIR *proc = opendir("/proc");
    struct dirent *entry;

    *count = 0;
    while (proc && (entry = readdir(proc))) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        if (*count == room) {
            room = room ? 2 * room : 256;
            struct process *grown = realloc(processes, room * sizeof *grown);
            if (!grown)
                break;
            processes = grown;
        }
        *count += read_process(dirfd(proc), entry->d_name, &processes[*count]);
    }
    if (proc)
        closedir(proc);
    return processes;
}

static int by_id(const void *left, const void *right)
{
    const struct process *a = left, *b = right;
    return (a->id > b->id) - (a->id < b->id);
}

/* A child of a descendant is one. Children mostly come after their parents, so two rounds do. */
static void mark_descendants(struct process *processes, size_t count)
{
    if (count > 0)
        qsort(processes, count, sizeof *processes, by_id);
    for (bool found = count > 0; found;) {
        found = false;
        for (size_t i = 0; i < count; i++) {
            const struct process key = {.id = processes[i].parent};
            const struct process *parent = bsearch(&key, processes, count, sizeof key, by_id);
            if (!processes[i].is_descendant && parent && parent->is_descendant)
                found = processes[i].is_descendant = true;
        }
    }
}

static struct process *read_family(size_t *count)
{
    size_t all = 0, kept = 0;
    struct process *processes = read_processes(&all);

    mark_descendants(processes, all);
    for (size_t i = 0; i < all; i++)
        if (processes[i].is_descendant)
            processes[kept++] = processes[i];
    *count = kept;
    return processes;
}

bool is_child_of(pid_t process, pid_t parent)
{
    struct process found = {.parent = 0};
    char id[20];
    const int proc = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);

    snprintf(id, sizeof id, "%d", process);
    const bool is_child = proc >= 0 && read_process(proc, id, &found) && found.parent == parent;
    if (proc >= 0)
        close(proc);
    return is_child;
}

struct family_use family_use(void)
{
    struct family_use use = {0};
    size_t count;
    struct process *family = read_family(&count);

    use.processes = count;
    for (size_t i = 0; i < count; i++) {
        use.threads += family[i].threads;
        use.resident_bytes += family[i].resident_pages * (size_t)sysconf(_SC_PAGESIZE);
    }
    free(family);
    return use;
}

/* Criterion's runner has one, which it cannot remove any more when it is killed. */
static void remove_socket(pid_t killed)
{
    char path[40];

    snprintf(path, sizeof path, "/tmp/criterion_%d.sock", killed);
    unlink(path);
}

void family_kill(void)
{
    size_t count;
    struct process *family = read_family(&count);

    for (size_t i = 0; i < count; i++) {
        const bool group_is_known = i > 0 && family[i].group == family[i - 1].group;
        if (family[i].group > 1 && family[i].group != getpgrp() && !group_is_known)
            kill(-family[i].group, SIGKILL);
        kill(family[i].id, SIGKILL);
        remove_socket(family[i].id);
    }
    free(family);
}
