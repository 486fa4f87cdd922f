/* Stands for a C library's: what the example asks of it. */
#include <stddef.h>
#define stdout 0
size_t fwrite(const void* data, size_t size, size_t count, int file);
int fflush(int file);
