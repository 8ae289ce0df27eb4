/* A linear recurrence whose coefficients change: y = a y + b, from 0. Elements are pairs a, b.
 *
 *     pscan --csv -H -f a,b -a -op @recurrence.cl pairs.csv
 *
 * An element is the map y -> a y + b; two of them, one after the other, are such a map again. */
typedef struct {
	double a, b;
} state;

state lift(double a, double b)
{
	state s = {a, b};
	return s;
}

state combine(state earlier, state later)
{
	state s = {later.a * earlier.a, later.a * earlier.b + later.b};
	return s;
}

double emit(state s)
{
	return s.b;
}

state identity(void)
{
	state s = {1, 0};
	return s;
}
