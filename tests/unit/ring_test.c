/* Which threads the ring wakes, and when. The test plays all threads of a pipeline except one. This one waits, and
 * must be woken in time. (A run whose ring does not wake a thread would only be slower, or hang once in a thousand
 * times.) */
#include "stream/ring.h"

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* So long a thread gets to fall asleep, which is not needed, and so long to wake up, which only one that hangs
 * needs. */
#define ASLEEP_MS 30
#define AWAKE_MS 600000

static int dummy;

/* What the waiting thread does. */
enum wait { WAIT_FOR_WORK, WAIT_FOR_SCAN, WAIT_FOR_BLOCK, WAIT_TO_WITHDRAW };

struct waiter {
	struct ring *ring;
	enum wait wait;
	struct pool pool; /* of what it waits for */
	pthread_t thread;
	atomic_bool done;
	struct work_item item; /* WAIT_FOR_WORK: what came */
	bool answer; /* of the others, */
	size_t other; /* and the piece that is to be done */
};

static void *run(void *context)
{
	struct waiter *w = context;
	if (w->wait == WAIT_FOR_WORK)
		w->item = ring_claim_work(w->ring, WORK_NONE);
	else if (w->wait == WAIT_TO_WITHDRAW)
		w->pool.withdraw(&w->pool, 0);
	else
		w->answer = w->pool.help(&w->pool, 0, &w->other);
	atomic_store(&w->done, true);
	return NULL;
}

static void start(struct waiter *w, struct ring *r, enum wait wait)
{
	*w = (struct waiter){.ring = r,
			     .wait = wait,
			     .pool = ring_pool(r, wait == WAIT_FOR_BLOCK ? WORK_DEFLATE : WORK_SCAN, 2),
			     .other = SIZE_MAX};
	if (pthread_create(&w->thread, NULL, run, w) != 0)
		abort();
	(void)poll(NULL, 0, ASLEEP_MS);
	EXPECT(!atomic_load(&w->done), "it had nothing to wait for");
}

/* Whether it woke up. One that sleeps on is left to itself, with its ring. */
static bool wakes(struct waiter *w)
{
	for (int ms = 0; ms < AWAKE_MS && !atomic_load(&w->done); ms++)
		(void)poll(NULL, 0, 1);
	const bool done = atomic_load(&w->done);
	if (done)
		(void)pthread_join(w->thread, NULL);
	EXPECT(done, "it sleeps on");
	return done;
}

/* The next piece of work of a thread that has done `last`. Who filled or conducted ends that by taking the next one. */
static struct work_item claim_after(struct ring *r, enum work last, enum work wanted)
{
	const struct work_item item = ring_claim_work(r, last);
	EXPECT(item.work == wanted, "work %d instead of %d", (int)item.work, (int)wanted);
	return item;
}

/* The test's next piece of work. */
static struct slot *claim(struct ring *r, enum work wanted)
{
	static enum work last = WORK_NONE;
	const struct work_item item = claim_after(r, last, wanted);
	last = item.work;
	return item.slot;
}

/* A ring of two slots for two workers. Both are filled, from a file, and are being decoded: there is nothing to do. */
static struct ring *busy_ring(bool conductor_waits, struct slot *slots[2])
{
	struct ring *r = ring_new(2);
	if (r == NULL)
		abort();
	ring_set_workers(r, 2, conductor_waits);
	for (size_t i = 0; i < 2; i++) {
		slots[i] = claim(r, WORK_FILL);
		slots[i]->in.input = (struct input *)(void *)&dummy; /* a window, which is not waited for */
		ring_put(r, slots[i], WORK_FILL);
		slots[i]->in.input = NULL;
	}
	for (size_t i = 0; i < 2; i++) {
		struct slot *s = claim(r, WORK_DECODE);
		EXPECT(s == slots[i], "not in the stream's order");
	}
	return r;
}

/* The conductor has the first slot. */
static struct ring *conducting_ring(bool conductor_waits, struct slot *slots[2])
{
	struct ring *r = busy_ring(conductor_waits, slots);
	ring_put(r, slots[0], WORK_DECODE);
	(void)claim(r, WORK_CONDUCT);
	EXPECT(ring_take_decoded(r) == slots[0], "not the first slot");
	return r;
}

static void end(struct ring *r)
{
	ring_stop(r, STATUS_SYSTEM);
	ring_free(r);
}

static void a_writer_leaves_conducting(void)
{
	struct slot *slots[2];
	struct waiter w;
	struct ring *r = busy_ring(false, slots);
	start(&w, r, WAIT_FOR_WORK);
	ring_put(r, slots[0], WORK_DECODE);
	(void)claim(r, WORK_CONDUCT);
	EXPECT(ring_take_decoded(r) == slots[0], "not the first slot");
	ring_put(r, slots[0], WORK_CONDUCT);
	(void)claim(r, WORK_ENCODE);
	ring_put(r, slots[0], WORK_ENCODE);
	ring_put(r, slots[1], WORK_DECODE);
	(void)claim(r, WORK_WRITE);
	if (wakes(&w)) {
		EXPECT(w.item.work == WORK_CONDUCT, "work %d", (int)w.item.work);
		end(r);
	}
	check_promise("a thread that goes to write has another one conduct");
}

static void a_waiting_conductor_leaves_encoding(void)
{
	struct slot *slots[2];
	struct waiter w;
	struct ring *r = conducting_ring(true, slots);
	start(&w, r, WAIT_FOR_WORK);
	ring_put(r, slots[0], WORK_CONDUCT);
	if (wakes(&w)) {
		EXPECT(w.item.work == WORK_ENCODE && w.item.slot == slots[0], "work %d", (int)w.item.work);
		end(r);
	}
	check_promise("a conductor that waits for a device has another thread encode");
}

static void a_scan_wakes_the_conductor(void)
{
	struct slot *slots[2];
	struct waiter w;
	struct ring *r = conducting_ring(false, slots);
	const struct pool scans = ring_pool(r, WORK_SCAN, 2);
	scans.post(&scans, 0, NULL, NULL);
	(void)claim(r, WORK_SCAN);
	start(&w, r, WAIT_FOR_SCAN);
	EXPECT(!scans.is_done(&scans, 0), "done before its end");
	scans.end(&scans, 0);
	if (wakes(&w)) {
		EXPECT(!w.answer && scans.is_done(&scans, 0), "it is to be done again");
		end(r);
	}
	check_promise("the end of a scan wakes the conductor that waits for it");
}

static void a_scan_is_left_to_the_conductor(void)
{
	struct slot *slots[2];
	size_t other = SIZE_MAX;
	struct ring *r = conducting_ring(false, slots);
	const struct pool scans = ring_pool(r, WORK_SCAN, 2);
	scans.post(&scans, 1, NULL, NULL);
	scans.post(&scans, 0, NULL, NULL);
	EXPECT(scans.help(&scans, 0, &other) && other == 1, "scan %zu instead of the oldest", other);
	scans.end(&scans, 1);
	EXPECT(scans.help(&scans, 0, &other) && other == 0, "scan %zu", other);
	scans.end(&scans, 0);
	EXPECT(!scans.help(&scans, 0, &other), "it is to be done again");
	end(r);
	check_promise("what nobody has begun is the conductor's to do, the oldest first");
}

static void a_scan_is_withdrawn(void)
{
	struct slot *slots[2];
	struct waiter w;
	size_t other = SIZE_MAX;
	struct ring *r = conducting_ring(false, slots);
	const struct pool scans = ring_pool(r, WORK_SCAN, 2);
	scans.post(&scans, 0, NULL, NULL);
	scans.post(&scans, 1, NULL, NULL);
	scans.withdraw(&scans, 0);
	EXPECT(scans.is_done(&scans, 0) && !scans.is_done(&scans, 1), "not the first alone is withdrawn");
	EXPECT(scans.help(&scans, 1, &other) && other == 1, "scan %zu instead of the second", other);
	scans.end(&scans, 1);
	scans.post(&scans, 0, NULL, NULL);
	(void)claim_after(r, WORK_NONE, WORK_SCAN);
	start(&w, r, WAIT_TO_WITHDRAW);
	scans.end(&scans, 0);
	if (wakes(&w))
		end(r);
	check_promise("what is withdrawn nobody does, and what somebody has begun is waited for");
}

static void blocks(void)
{
	struct slot *slots[2];
	struct waiter w;
	struct ring *r = conducting_ring(false, slots); /* one of two workers is left */
	const struct pool deflates = ring_pool(r, WORK_DEFLATE, 2);
	start(&w, r, WAIT_FOR_WORK);
	deflates.post(&deflates, 0, NULL, NULL);
	if (wakes(&w)) {
		EXPECT(w.item.work == WORK_DEFLATE && w.item.piece == 0, "work %d", (int)w.item.work);
		start(&w, r, WAIT_FOR_BLOCK);
		deflates.end(&deflates, 0);
		if (wakes(&w)) {
			EXPECT(!w.answer && deflates.is_done(&deflates, 0), "it is to be done again");
			end(r);
		}
	}
	check_promise("a posted block wakes who waits for work, and its end who waits for the block");
}

static void a_block_waits_for_a_worker(void)
{
	struct slot *slots[2];
	struct waiter w;
	struct ring *r = busy_ring(false, slots); /* two of two workers work */
	const struct pool deflates = ring_pool(r, WORK_DEFLATE, 2);
	deflates.post(&deflates, 0, NULL, NULL);
	start(&w, r, WAIT_FOR_BLOCK);
	ring_put(r, slots[0], WORK_DECODE);
	if (wakes(&w)) {
		EXPECT(w.answer && w.other == 0, "answer %d, block %zu", (int)w.answer, w.other);
		end(r);
	}
	check_promise("who waits for a block works on it when there is a worker less");
}

static void a_stop_wakes_everybody(void)
{
	struct slot *slots[2];
	struct waiter idle[3];
	struct waiter helper;
	bool awake = true;
	struct ring *r = busy_ring(false, slots);
	struct pollfd stop = {.fd = ring_stop_fd(r), .events = POLLIN};
	for (size_t i = 0; i < 3; i++)
		start(&idle[i], r, WAIT_FOR_WORK);
	const struct pool deflates = ring_pool(r, WORK_DEFLATE, 2);
	deflates.post(&deflates, 0, NULL, NULL);
	start(&helper, r, WAIT_FOR_BLOCK);
	EXPECT(poll(&stop, 1, 0) == 0, "the source shall stop at once");
	ring_stop(r, STATUS_DATA);
	for (size_t i = 0; i < 3; i++) {
		awake = wakes(&idle[i]) && awake;
		EXPECT(idle[i].item.work == WORK_NONE, "work %d", (int)idle[i].item.work);
	}
	awake = wakes(&helper) && awake;
	EXPECT(helper.answer && helper.other == 0, "a block that nobody else begins any more");
	EXPECT(poll(&stop, 1, 0) == 1, "the source goes on waiting for input");
	ring_stop(r, STATUS_OK);
	EXPECT(ring_status(r) == STATUS_DATA, "status %d", (int)ring_status(r));
	if (awake)
		ring_free(r);
	check_promise("a stop wakes all who wait, and its first status stays");
}

static void others_wake(void)
{
	struct slot *slots[2];
	struct waiter w;
	struct ring *r = busy_ring(false, slots);
	start(&w, r, WAIT_FOR_WORK);
	ring_want_conductor(r);
	if (wakes(&w))
		EXPECT(w.item.work == WORK_CONDUCT, "work %d", (int)w.item.work);
	if (atomic_load(&w.done))
		end(r);
	check_promise("a conductor that is wanted comes");
}

/* In a child, which is to abort: a slot that was written never comes home, but all ended well. */
static void a_lost_slot_is_noticed(void)
{
	const pid_t child = fork();
	if (child == 0) {
		struct slot *slots[2];
		(void)close(STDERR_FILENO);
		struct ring *r = conducting_ring(false, slots);
		ring_put(r, slots[0], WORK_CONDUCT);
		ring_put(r, claim(r, WORK_ENCODE), WORK_ENCODE);
		(void)claim(r, WORK_WRITE);
		ring_stop(r, STATUS_OK);
		ring_free(r);
		_exit(0);
	}
	int status = 0;
	EXPECT(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "status %d",
	       status);
	check_promise("a ring that ended well and lacks a slot is a defect");
}

static void pieces_keep_their_order(void)
{
	struct task_queue q = {0};
	size_t next = 0;
	for (size_t i = 0; i < 4 * (size_t)TASK_QUEUE_MAX; i++) {
		task_queue_post(&q, i % TASK_QUEUE_MAX);
		/* One to three wait. */
		while (q.count > i % 3) {
			const size_t piece = task_queue_take(&q);
			EXPECT(q.first < TASK_QUEUE_MAX && piece == next % TASK_QUEUE_MAX, "%zu, not %zu", piece,
			       next % TASK_QUEUE_MAX);
			next++;
		}
	}
	check_promise("pieces are taken in the order of their posts, round the circle and on");
}

int main(void)
{
	(void)alarm(3600); /* if it is the test that waits in vain */
	a_lost_slot_is_noticed();
	a_writer_leaves_conducting();
	a_waiting_conductor_leaves_encoding();
	a_scan_wakes_the_conductor();
	a_scan_is_left_to_the_conductor();
	a_scan_is_withdrawn();
	blocks();
	pieces_keep_their_order();
	a_block_waits_for_a_worker();
	a_stop_wakes_everybody();
	others_wake();
	return check_done();
}
