/* The files of kernels/ as bytes in the program; build/kernel_text.c is generated from them. */
#ifndef PSCAN_SCAN_KERNEL_TEXT_H
#define PSCAN_SCAN_KERNEL_TEXT_H

#include <stddef.h>

struct kernel_text {
	const char *name; /* the file's, below kernels/ */
	const unsigned char *text;
	size_t size;
};

/* In the order in which they make up a program, which has one operator. */
extern const struct kernel_text kernel_texts[];
extern const size_t kernel_text_count;

/* Where in kernels/ the operators' texts are. */
#define KERNEL_LIBRARY "library/"

#endif
