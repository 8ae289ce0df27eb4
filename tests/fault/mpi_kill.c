/* A library to be preloaded into every rank (LD_PRELOAD=./mpi_kill.so) that kills a rank at one of its calls of MPI. It
 * is all that a rank does between two calls that the other ranks see as one step.
 *
 *     MPI_KILL=RANK:N      the rank is killed before its N-th call, counted from 1
 *     MPI_CALLS=FILE       when a rank ends, the line "RANK COUNT" is appended: how many calls it made */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static int calls;

/* Call it before each call. */
static void reach(void)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");
	const char *kill = getenv("MPI_KILL");
	char now[64];
	(void)snprintf(now, sizeof now, "%s:%d", rank != NULL ? rank : "", ++calls);
	for (size_t i = 0; kill != NULL && kill[i] == now[i]; i++) {
		if (now[i] == '\0')
			(void)raise(SIGKILL);
	}
}

static void append_count(void)
{
	const char *rank = getenv("OMPI_COMM_WORLD_RANK");
	const char *name = getenv("MPI_CALLS");
	FILE *file = name != NULL ? fopen(name, "a") : NULL;
	if (file == NULL)
		return;
	(void)fprintf(file, "%s %d\n", rank != NULL ? rank : "", calls);
	(void)fclose(file);
}

/* The calls of src/mpi/comm.c, but for MPI_Reduce. */
#define CALL(name, parameters, arguments)     \
	int MPI_##name parameters             \
	{                                     \
		reach();                      \
		return PMPI_##name arguments; \
	}

CALL(Init_thread, (int *argc, char ***argv, int wanted, int *provided), (argc, argv, wanted, provided))
CALL(Gather,
     (const void *from, int from_count, MPI_Datatype from_type, void *to, int to_count, MPI_Datatype to_type, int root,
      MPI_Comm comm),
     (from, from_count, from_type, to, to_count, to_type, root, comm))
CALL(Allgather,
     (const void *from, int from_count, MPI_Datatype from_type, void *to, int to_count, MPI_Datatype to_type,
      MPI_Comm comm),
     (from, from_count, from_type, to, to_count, to_type, comm))
CALL(Bcast, (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm), (data, count, type, root, comm))
CALL(Send, (const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
     (data, count, type, to, tag, comm))
CALL(Probe, (int from, int tag, MPI_Comm comm, MPI_Status *status), (from, tag, comm, status))
CALL(Recv, (void *data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status),
     (data, count, type, from, tag, comm, status))

int MPI_Finalize(void)
{
	reach();
	append_count();
	return PMPI_Finalize();
}
