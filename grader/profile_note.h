/* What the part `run` of a profile, under ncu, leaves for the part `read`: lines of key=value. */
#ifndef GRADER_PROFILE_NOTE_H
#define GRADER_PROFILE_NOTE_H

#include "profile.h"

/* Both return false, with errno, if the file cannot be written or read. */
bool write_profile_note(const char *path, const struct profile *profile, const char *device);
bool read_profile_note(const char *path, struct profile *profile, char *device, size_t bytes);

#endif
