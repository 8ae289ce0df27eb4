/* The program's version. */
#ifndef PSCAN_BASE_VERSION_H
#define PSCAN_BASE_VERSION_H
#define PSCAN_VERSION "0.9.0"
#endif
