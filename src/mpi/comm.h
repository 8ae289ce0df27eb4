/* Communication between ranks. Only this module calls MPI, on the main thread. If an MPI call fails, MPI ends all
 * ranks. */
#ifndef PSCAN_MPI_COMM_H
#define PSCAN_MPI_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

/* Call comm_begin once before the other functions here, and comm_end once after them. After comm_begin only rank 0
 * prints its messages; the others keep theirs for comm_agree. */
void comm_begin(int *argc, char ***argv);
void comm_end(void);

/* The number of this rank, from 0, and the number of ranks. */
int comm_rank(void);
int comm_size(void);

/* Prints this rank's kept messages and ends all ranks at once, with this status. */
_Noreturn void comm_abort(enum status status);

/* The next four functions must be called by every rank, in one order. */

/* Returns one status for all ranks: STATUS_OK, or the first failure in the order of the ranks. Rank 0 prints the kept
 * messages of the ranks up to the one that failed, or of all, in the order of the ranks. */
enum status comm_agree(enum status own) MUST_CHECK;
/* Copies `size` bytes from rank `from` to all ranks. */
void comm_share(void *data, size_t size, int from);
/* Collects `count` numbers of each rank in `all`, in the order of the ranks, on all ranks. */
void comm_gather(const uint64_t *numbers, size_t count, uint64_t *all);
/* Replaces each of `count` numbers by its sum over all ranks, on rank 0. On other ranks the numbers stay. */
void comm_add(uint64_t *numbers, size_t count);

/* Send `size` bytes to one rank, and receive bytes from one rank. Received bytes are appended to *data; a zero that
 * does not count in its size follows them. If memory is missing, all ranks end. */
void comm_send(const void *data, size_t size, int to);
void comm_receive(struct bytes *data, int from);

/* The messages and bytes that this rank has sent so far. A call that all ranks make counts as one message. */
struct comm_traffic {
	uint64_t messages, bytes;
};
struct comm_traffic comm_traffic(void);

#endif
