/* Cuts text into slices at the beginnings of lines. */
#ifndef PSCAN_MPI_CUT_H
#define PSCAN_MPI_CUT_H

#include <stdint.h>

#include "base/status.h"

struct options;
struct plan;
struct share_inputs;

/* Sets begins[2 * i] to where rank i's slice begins, for all ranks, begins[2 * i + 1] to where its second part begins
 * (segments.c), and begins[2 * number of ranks] to the end of the last slice, in bytes of all files together. A rank's
 * slice is empty if the next one begins at the same byte. Every rank must call this. STATUS_SYSTEM after a message if a
 * file cannot be read or memory is missing. */
enum status cut_text(const struct options *o, const struct plan *plan, const struct share_inputs *inputs,
		     uint64_t *begins) MUST_CHECK;

#endif
