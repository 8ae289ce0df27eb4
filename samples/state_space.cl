/* A diagonal state-space model, each channel for itself: h = decay h + drive, y = readout h. Records are the three numbers of
 * every channel, so of 16 channels
 *
 *     pscan -c 48 -op @state_space.cl < steps.f32 > outputs.f32
 */
typedef struct {
	float decay, h;
} state;

state lift(float decay, float drive, float readout)
{
	state s = {decay, drive};
	return s;
}

state combine(state earlier, state later)
{
	state s = {later.decay * earlier.decay, later.decay * earlier.h + later.h};
	return s;
}

float emit(state s, float decay, float drive, float readout)
{
	return readout * s.h;
}
