/* Between warp.c, flow.c, collective.c and block.c: groups, meetings and activations. */
#ifndef VIRTUAL_GPU_FLOW_H
#define VIRTUAL_GPU_FLOW_H

#include "warp.h"

struct group *group_new(struct warp *warp, uint32_t mask, uint32_t pc, struct meeting *meeting,
    struct activation *activation);
void group_end(struct warp *warp, struct group *group);

/* Takes in every other ready group at the same place with the same meetings ahead. */
void group_join(struct warp *warp, struct group *group);

struct meeting *meeting_new(
    uint32_t members, uint32_t pc, struct activation *activation, struct meeting *outer);

/* The group has come to the meeting. True: everyone is there, and the group now stands for them
 * all, behind it.  False: it waits, and the group is gone. */
bool group_arrive(struct warp *warp, struct group *group, struct meeting *meeting);
void meetings_leave(struct warp *warp, struct meeting *from, struct meeting *until, uint32_t lanes);

struct activation *activation_new(const struct program *program);
void activation_free(struct activation *activation);
/* Constants and special registers. */
void activation_fill(struct warp *warp, struct activation *activation);

/* A function with `bytes` of local memory starts for a lane. */
void local_begin(struct warp *warp, uint32_t lane, uint32_t bytes);

/* Collectives that wait for lanes: runs those that have become complete, for example because
 * lanes exited. */
void collective_check(struct warp *warp);

/* No group of the warp can run.  Reports collectives that will never complete and lets them go on;
 * tells the block when the warp has come to a barrier.  True: something can run again. */
bool warp_settle(struct warp *warp);

/* The part of warp_settle that concerns barriers of the block; in block.c. */
bool barrier_settle(struct warp *warp);

/* The current instruction of a group. */
static inline const struct insn *group_insn(const struct group *g)
{
    return &g->activation->program->code[g->pc];
}

#endif
