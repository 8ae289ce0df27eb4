/* The polynomial hash of every prefix of a stream of bytes: of "abc" ((a B + b) B + c) mod P.
 *
 *     pscan --format=binary --output-format=text --total -op @polynomial_hash.cl FILE
 */
#define BASE 911382323
#define PRIME 2147483647

typedef struct {
	ulong power, hash; /* BASE to the number of bytes */
} state;

state lift(uchar byte)
{
	state s = {BASE, byte + 1};
	return s;
}

state combine(state earlier, state later)
{
	state s = {earlier.power * later.power % PRIME, (earlier.hash * later.power + later.hash) % PRIME};
	return s;
}

ulong emit(state s)
{
	return s.hash;
}

state identity(void)
{
	state s = {1, 0};
	return s;
}
