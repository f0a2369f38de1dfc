/* Finding tasks by what people type. */
#include "task.h"

#include <string.h>

#include "settings.h"

const char *task_number(const struct task *task)
{
    return strchr(task->id, '.') + 1;
}

/* "hw4.2", "4.2" and "2" are one task. */
const struct task *task_find(const char *id)
{
    for (size_t i = 0; i < homework.task_count; i++) {
        const struct task *task = &homework.tasks[i];
        if (strcmp(task->id, id) == 0 || strcmp(task->id + strlen("hw"), id) == 0 ||
            strcmp(task_number(task), id) == 0)
            return task;
    }
    return NULL;
}

bool task_chosen(const struct task *task)
{
    const char *wanted = setting("TASK");
    return !wanted || task_find(wanted) == task;
}
