/* Communication between ranks. Only this module calls MPI, on the main thread. If an MPI call fails, MPI ends all
 * ranks. */
#ifndef PSCAN_MPI_COMM_H
#define PSCAN_MPI_COMM_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/status.h"

/* Begins MPI. Call it once, before the other functions here. From now on only rank 0 prints its messages; other ranks
 * keep theirs for comm_agree. argc and argv are main's; MPI may remove its own arguments. */
void comm_begin(int *argc, char ***argv);
/* Ends MPI. Call it once, after the other functions here. */
void comm_end(void);

/* Returns the number of this rank, from 0. */
int comm_rank(void);
/* Returns the number of ranks. */
int comm_size(void);

/* Prints this rank's kept messages, at most 1023 bytes of them, and ends all ranks at once, with this status. */
_Noreturn void comm_abort(enum status status);

/* Returns one status for all ranks: STATUS_OK, or the first failure in the order of the ranks. own: this rank's status.
 * Rank 0 prints the kept messages in the order of the ranks, up to the first rank that failed. The messages of later
 * ranks are dropped. Every rank must call it. */
enum status comm_agree(enum status own) MUST_CHECK;
/* Copies `size` bytes (at most INT_MAX) of `data` from rank `from` to `data` of all other ranks. Every rank must call
 * it, with the same size. */
void comm_share(void *data, size_t size, int from);
/* Collects `count` numbers of each rank in `all` on every rank, in the order of the ranks. all: room for comm_size() *
 * count numbers. Every rank must call it, with the same count. */
void comm_gather(const uint64_t *numbers, size_t count, uint64_t *all);
/* On rank 0, replaces a number by its sum over all ranks. On other ranks it stays. Every rank must call it. */
void comm_add(uint64_t *number);

/* Sends `size` bytes to rank `to`, which must call comm_receive. data may be NULL if size is 0. May wait until that
 * rank receives. */
void comm_send(const void *data, size_t size, int to);
/* Receives what rank `from` sends with one comm_send, and appends it to *data. A zero byte follows, which data->size
 * does not count. If memory is missing, all ranks end after a message. */
void comm_receive(struct bytes *data, int from);

/* The messages and bytes that this rank has sent so far. An MPI call that all ranks make counts as one message of each
 * rank; comm_share counts on rank `from` only. */
struct comm_traffic {
	uint64_t messages, bytes;
};
struct comm_traffic comm_traffic(void);

#endif
