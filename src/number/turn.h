/* Reverses the order of things in an array. */
#ifndef PSCAN_NUMBER_TURN_H
#define PSCAN_NUMBER_TURN_H

#include <stddef.h>

/* Reverses the order of `count` things of `size` bytes each, in place. Any thread. */
void turn(void *things, size_t count, size_t size);

#endif
