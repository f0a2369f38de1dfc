/* Finding tasks by what people type. */
#include "task.h"

#include <string.h>

#include "settings.h"

const char *task_number(const struct task *task)
{
    return strchr(task->id, '.') + 1;
}

const struct task *task_find(const char *id)
{
    for (size_t i = 0; i < homework.task_count; i++)
        if (strcmp(homework.tasks[i].id, id) == 0 ||
            strcmp(task_number(&homework.tasks[i]), id) == 0)
            return &homework.tasks[i];
    return NULL;
}

bool task_chosen(const struct task *task)
{
    const char *wanted = setting("TASK");
    return !wanted || task_find(wanted) == task;
}
