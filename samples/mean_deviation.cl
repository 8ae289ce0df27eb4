/* The mean of a sensor's readings so far and their standard deviation, in one pass and without cancellation.
 *
 *     pscan -H -f temperature -a -op @mean_deviation.cl readings.txt
 *
 * Source: Chan, Golub and LeVeque 1983, "Algorithms for computing the sample variance". */
typedef struct {
	double count, mean, squares; /* of the distances to the mean */
} state;

typedef struct {
	double mean, deviation;
} statistics;

state lift(double x)
{
	state s = {1, x, 0};
	return s;
}

state combine(state earlier, state later)
{
	double count = earlier.count + later.count;
	double distance = later.mean - earlier.mean;
	state s = {count, earlier.mean + distance * (later.count / count),
	           earlier.squares + later.squares + distance * distance * (earlier.count * later.count / count)};
	return s;
}

statistics emit(state s)
{
	statistics r = {s.mean, sqrt(s.squares / (s.count - 1))};
	return r;
}
