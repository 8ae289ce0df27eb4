/* The files of kernels/ as bytes in the program; build/kernel_text.c is generated from them. */
#ifndef PSCAN_DEVICE_KERNEL_TEXT_H
#define PSCAN_DEVICE_KERNEL_TEXT_H

#include <stddef.h>

struct kernel_text {
	const char *name; /* the file's name, for #line */
	const unsigned char *text;
	size_t size;
};

#define KERNEL_TEXT_COUNT 16
/* In the order in which they make up a program. */
extern const struct kernel_text kernel_texts[KERNEL_TEXT_COUNT];

#endif
