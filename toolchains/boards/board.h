/* What a test program or an example may ask of the board that it runs on: output, exit code, files
 * of the machine that runs the emulator, and how deep the stack went. Bare-metal rows answer
 * through semihosting and need no libc; Linux rows answer through libc. The same main.c serves
 * both, which is why nothing here is optional. */
#ifndef HLOCC_BOARD_H_
#define HLOCC_BOARD_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Large zeroed data, such as an arena that is bigger than the board's fast RAM, goes into the
 * board's bulk memory. Bulk memory is not cleared at start-up: on real boards that would cost as
 * much as a whole inference. */
#ifdef BOARD_BARE_METAL
#define BOARD_BULK __attribute__((section(".bulk")))
#else
#define BOARD_BULK
#endif

/* Text goes to the standard output of the emulator. */
void board_write(const char* text, size_t size);
void board_print(const char* text);
void board_print_u32(uint32_t value);
void board_print_i32(int32_t value);
/* Eight hexadecimal digits, so that bits of a float can be compared exactly. */
void board_print_hex32(uint32_t value);
/* Fixed point with the given number of decimals (at most 9); magnitudes above 4e9 print as "big".
 */
void board_print_float(float value, int decimals);

/* Ends the program; the low eight bits are the emulator's exit status. Returning from main does the
 * same. */
#ifdef __cplusplus
[[noreturn]]
#else
_Noreturn
#endif
void board_exit(int code);

/* Files of the host, whole and binary. A handle is negative if the file can't be opened; read and
 * write return the number of bytes moved, seek returns 0 or -1, size returns -1 on failure. */
int board_file_open_read(const char* path);
int board_file_open_write(const char* path);
size_t board_file_read(int file, void* data, size_t size);
size_t board_file_write(int file, const void* data, size_t size);
int board_file_seek(int file, long position);
long board_file_size(int file);
void board_file_close(int file);

/* Paints the free stack below the caller; board_stack_used() then tells how many bytes below the
 * caller have been written since, to within a few words, up to BOARD_STACK_SPAN. */
#define BOARD_STACK_SPAN 49152
void board_stack_paint(void);
uint32_t board_stack_used(void);

/* Empty marks around the code that bench/count counts the instructions of. */
void board_measure_begin(void);
void board_measure_end(void);

#ifdef __cplusplus
}
#endif
#endif /* HLOCC_BOARD_H_ */
