/* log(exp(x0) + exp(x1) + ...) of the elements so far, which would overflow if it were computed so.
 *
 *     pscan -op @log_sum_exp.cl scores.txt
 *
 * What exp and log give differs between drivers in the last digits. */
typedef struct {
	double greatest, sum; /* of exp(x - greatest) */
} state;

state lift(double x)
{
	state s = {x, 1};
	return s;
}

state combine(state earlier, state later)
{
	double greatest = fmax(earlier.greatest, later.greatest);
	state s = {greatest,
	           earlier.sum * exp(earlier.greatest - greatest) + later.sum * exp(later.greatest - greatest)};
	return s;
}

double emit(state s)
{
	return s.greatest + log(s.sum);
}
