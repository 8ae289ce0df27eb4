/* An operator that costs a thousand operations, each of which waits for the one before it: for timing. (Every value ends as the same
 * fixed point.)
 *
 *     pscan -D gpu --format=binary -op @expensive.cl < numbers.f64 > results.f64
 */
typedef struct {
	double x;
} state;

state lift(double x)
{
	state s = {x};
	return s;
}

state combine(state earlier, state later)
{
	double a = earlier.x;
	double b = later.x;
	for (int i = 0; i < 250; i++) {
		a = a * a - 0.5 * a + 0.1;
		b = b * b - 0.5 * b + 0.1;
	}
	state s = {a + b};
	return s;
}

double emit(state s)
{
	return s.x;
}
