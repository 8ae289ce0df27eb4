/* The product of 2x2 matrices modulo a prime, of rows a b, c d. So many lines of 1 1 1 0 give the Fibonacci numbers, modulo the prime:
 *
 *     yes 1 1 1 0 | head -n 100 | pscan -c 4 --total -op @fibonacci.cl
 */
#define PRIME 998244353

typedef struct {
	ulong m[4];
} state;

typedef struct {
	ulong a, b, c, d;
} matrix;

state lift(ulong a, ulong b, ulong c, ulong d)
{
	state s = {{a % PRIME, b % PRIME, c % PRIME, d % PRIME}};
	return s;
}

state combine(state p, state q)
{
	state s;
	for (int row = 0; row < 2; row++)
		for (int column = 0; column < 2; column++)
			s.m[2 * row + column] = (p.m[2 * row] * q.m[column] + p.m[2 * row + 1] * q.m[2 + column]) % PRIME;
	return s;
}

matrix emit(state s)
{
	matrix r = {s.m[0], s.m[1], s.m[2], s.m[3]};
	return r;
}

state identity(void)
{
	state s = {{1, 0, 0, 1}};
	return s;
}
