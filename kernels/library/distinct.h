/* Elements are 1 for a text that the scan has not had yet, else 0. */
typedef u64 state;

static inline state lift(T x)
{
	return (state)x;
}

static inline state combine(state earlier, state later)
{
	return earlier + later;
}

static inline u64 emit(state s)
{
	return s;
}
