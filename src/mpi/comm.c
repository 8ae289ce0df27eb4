/* Results of MPI calls are not checked, because a failure ends the program (MPI_ERRORS_ARE_FATAL, the default). */
#include "mpi/comm.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"

#define TAG 0
/* What is sent is sent in parts of this size. A shorter one, perhaps of no bytes, is the last. */
#define PART_SIZE (1 << 20)

static int rank;
static int size;
static int *statuses; /* Each rank's status, for comm_agree. */
static int *lengths; /* Bytes of each rank's kept messages, on rank 0. */
static struct comm_traffic traffic;

static void count(size_t bytes)
{
	traffic.messages++;
	traffic.bytes += bytes;
}

void comm_begin(int *argc, char ***argv)
{
	int provided;
	(void)MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided);
	(void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	(void)MPI_Comm_size(MPI_COMM_WORLD, &size);
	statuses = memory_new((size_t)size * sizeof *statuses);
	lengths = memory_new((size_t)size * sizeof *lengths);
	if (statuses == NULL || lengths == NULL)
		comm_abort(STATUS_SYSTEM);
	if (rank > 0)
		message_keep();
}

void comm_end(void)
{
	memory_free(statuses);
	memory_free(lengths);
	(void)MPI_Finalize();
}

_Noreturn void comm_abort(enum status status)
{
	char text[1024];
	size_t kept;
	const char *from = message_kept(&kept);
	const size_t shown = kept < sizeof text ? kept : sizeof text - 1;
	memcpy(text, from, shown);
	text[shown] = '\0';
	message_forget();
	message_text(text);
	(void)MPI_Abort(MPI_COMM_WORLD, (int)status);
	_Exit((int)status);
}

int comm_rank(void)
{
	return rank;
}

int comm_size(void)
{
	return size;
}

/* Prints the kept messages of the ranks up to `last`, on rank 0. All ranks call it. */
static void print_kept(int last)
{
	size_t kept = 0;
	const char *text = rank > 0 ? message_kept(&kept) : NULL;
	int length = rank <= last ? (int)kept : 0; /* message.c keeps less than 2^31 bytes. */
	(void)MPI_Gather(&length, 1, MPI_INT, lengths, 1, MPI_INT, 0, MPI_COMM_WORLD);
	count(sizeof length);
	for (int i = 1; i <= last && rank == 0; i++) {
		struct bytes received = {0};
		if (lengths[i] == 0)
			continue;
		comm_receive(&received, i);
		message_text((const char *)received.data);
		bytes_free(&received);
	}
	if (length > 0)
		comm_send(text, (size_t)length, 0);
	if (rank > 0)
		message_keep();
}

enum status comm_agree(enum status own)
{
	const int mine = (int)own;
	int first = 0;
	(void)MPI_Allgather(&mine, 1, MPI_INT, statuses, 1, MPI_INT, MPI_COMM_WORLD);
	count(sizeof mine);
	while (first < size && statuses[first] == (int)STATUS_OK)
		first++;
	print_kept(first < size ? first : size - 1);
	return first < size ? (enum status)statuses[first] : STATUS_OK;
}

void comm_share(void *data, size_t bytes, int from)
{
	(void)MPI_Bcast(data, (int)bytes, MPI_BYTE, from, MPI_COMM_WORLD);
	if (rank == from)
		count(bytes);
}

void comm_gather(const uint64_t *numbers, size_t n, uint64_t *all)
{
	(void)MPI_Allgather(numbers, (int)n, MPI_UINT64_T, all, (int)n, MPI_UINT64_T, MPI_COMM_WORLD);
	count(n * sizeof *numbers);
}

void comm_add(uint64_t *number)
{
	(void)MPI_Reduce(rank == 0 ? MPI_IN_PLACE : number, number, 1, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
	count(sizeof *number);
}

void comm_send(const void *data, size_t bytes, int to)
{
	const unsigned char *from = data;
	int sent = PART_SIZE;
	count(bytes);
	for (size_t at = 0; sent == PART_SIZE; at += PART_SIZE) {
		sent = bytes - at < PART_SIZE ? (int)(bytes - at) : PART_SIZE;
		(void)MPI_Send(sent > 0 ? from + at : NULL, sent, MPI_BYTE, to, TAG, MPI_COMM_WORLD);
	}
}

void comm_receive(struct bytes *data, int from)
{
	int bytes = PART_SIZE;
	while (bytes == PART_SIZE) {
		MPI_Status status;
		(void)MPI_Probe(from, TAG, MPI_COMM_WORLD, &status);
		(void)MPI_Get_count(&status, MPI_BYTE, &bytes);
		if (bytes_reserve(data, (size_t)bytes + 1) != STATUS_OK)
			comm_abort(STATUS_SYSTEM);
		(void)MPI_Recv(data->data + data->size, bytes, MPI_BYTE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		data->size += (size_t)bytes;
	}
	data->data[data->size] = '\0';
}

struct comm_traffic comm_traffic(void)
{
	return traffic;
}
