/* What the ranks say to each other. MPI is called here alone, by the main thread; where it fails, it ends all ranks. */
#ifndef PSCAN_MPI_COMM_H
#define PSCAN_MPI_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

/* Once, before anything else here, and once after all. Afterwards only rank 0's messages are printed at once. */
void comm_begin(int *argc, char ***argv);
void comm_end(void);

int comm_rank(void);
int comm_size(void);

/* Ends all ranks at once, after what this one has to say. */
_Noreturn void comm_abort(enum status status);

/* Every rank is to call these, in the same order. */

/* What all come to: OK, or the first failure in the order of the ranks. Prints what the ranks up to that one had to
 * say, in their order, on rank 0. */
enum status comm_agree(enum status own) MUST_CHECK;
/* size bytes of one rank go to all. */
void comm_share(void *data, size_t size, int from);
/* The count numbers of each rank, one rank's after the other's, on all. */
void comm_gather(const uint64_t *numbers, size_t count, uint64_t *all);
/* Adds up count numbers of all ranks on rank 0; elsewhere they stay. */
void comm_add(uint64_t *numbers, size_t count);

/* From one rank to another. Received bytes are appended, and a zero after them that does not count; where there is
 * no memory for them, all ranks end. */
void comm_send(const void *data, size_t size, int to);
void comm_receive(struct bytes *data, int from);

/* What this rank has given to others so far. Of a call that all make what it gives counts once. */
struct comm_traffic {
	uint64_t messages, bytes;
};
struct comm_traffic comm_traffic(void);

#endif
