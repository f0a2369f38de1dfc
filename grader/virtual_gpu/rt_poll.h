/* Queued work also runs when the host polls memory for it without calling the runtime. */
#ifndef VIRTUAL_GPU_RT_POLL_H
#define VIRTUAL_GPU_RT_POLL_H

/* A call of the runtime: the host is not polling. */
void rt_poll_note_call(void);
/* Work was queued. Starts the watcher when the program has memory that both sides see. */
void rt_poll_note_work(void);

#endif
