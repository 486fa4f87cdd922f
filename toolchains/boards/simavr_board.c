/* simavr_board [--cycles] PROGRAM.elf ARGUMENT...: runs a program on an ATmega2560 in simavr,
 * answers the requests of board_avr.c, and ends with its exit code. --cycles prints "cycles N" for
 * each pair of board_measure_begin and _end. run_board.sh compiles it. */
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>
#include <simavr/sim_io.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board_avr.h"

enum { kGpior0 = 0x3e, kGpior1 = 0x4a, kGpior2 = 0x4b, kMostFiles = 16, kCrashed = 99 };

static FILE* files[kMostFiles];
static char** arguments;
static int argument_count, wants_cycles;
static avr_cycle_count_t begun;

static int32_t open_file(const char* path, const char* mode) {
  for (int slot = 1; slot < kMostFiles; ++slot) {
    if (files[slot] != NULL) continue;
    files[slot] = fopen(path, mode);
    return files[slot] != NULL ? slot : -1;
  }
  return -1;
}

static FILE* file_of(int32_t number) {
  if (number == 0) return stdout;
  return number > 0 && number < kMostFiles ? files[number] : NULL;
}

static int32_t give_arguments(char* room, size_t size) {
  size_t at = 0;
  int given = 0;
  for (; given < argument_count; ++given) {
    const size_t length = strlen(arguments[given]) + 1;
    if (at + length > size) {
      fprintf(stderr, "simavr_board: the arguments are longer than %u bytes\n", (unsigned)size);
      exit(2);
    }
    memcpy(room + at, arguments[given], length);
    at += length;
  }
  return given;
}

static int32_t size_of_file(FILE* file) {
  const long here = ftell(file);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  fseek(file, here, SEEK_SET);
  return (int32_t)size;
}

static int32_t answer(avr_t* avr, const struct AvrRequest* request) {
  const int32_t number = (int32_t)((uint32_t)request->number_high << 16 | request->number_low);
  char* data = (char*)avr->data + request->data;
  size_t size = request->size;
  const int moves = request->operation == kAvrRead || request->operation == kAvrWrite;
  if (moves && request->data + size > (size_t)avr->ramend + 1) size = 0;
  FILE* file = file_of(number);
  switch (request->operation) {
    case kAvrOpenRead: return open_file(data, "rb");
    case kAvrOpenWrite: return open_file(data, "wb");
    case kAvrRead: return file == NULL ? 0 : (int32_t)fread(data, 1, size, file);
    case kAvrWrite: return file == NULL ? 0 : (int32_t)fwrite(data, 1, size, file);
    case kAvrSeek:
      return file == NULL
                 ? -1
                 : fseek(file, (long)((uint32_t)request->size << 16 | request->data), SEEK_SET);
    case kAvrSize: return file == NULL ? -1 : size_of_file(file);
    case kAvrArguments: return give_arguments(data, size);
    case kAvrBegin: begun = avr->cycle; return 0;
    case kAvrEnd:
      if (wants_cycles) printf("cycles %llu\n", (unsigned long long)(avr->cycle - begun));
      return 0;
    case kAvrExit: fflush(NULL); exit((int)(number & 255));
    case kAvrClose:
      if (file != NULL && file != stdout) {
        fclose(file);
        files[number] = NULL;
      }
      return 0;
    default: return -1;
  }
}

static void on_request(avr_t* avr, avr_io_addr_t address, uint8_t value, void* unused) {
  (void)unused;
  avr->data[address] = value;
  uint8_t* at = avr->data + (avr->data[kGpior1] | avr->data[kGpior2] << 8);
  struct AvrRequest request;
  memcpy(&request, at, sizeof request);
  const int32_t number = answer(avr, &request);
  request.number_low = (uint16_t)number;
  request.number_high = (uint16_t)((uint32_t)number >> 16);
  memcpy(at, &request, sizeof request);
}

/* What simavr tells on the way is not the program's output. */
static void log_errors(avr_t* avr, const int level, const char* format, va_list rest) {
  (void)avr;
  if (level == LOG_ERROR) vfprintf(stderr, format, rest);
}

int main(int argc, char** argv) {
  int at = 1;
  avr_global_logger_set(log_errors);
  if (at < argc && strcmp(argv[at], "--cycles") == 0) wants_cycles = at++;
  if (at >= argc) return 2;
  arguments = argv + at;
  argument_count = argc - at;
  elf_firmware_t firmware = {0};
  if (elf_read_firmware(argv[at], &firmware) != 0) return 2;
  strcpy(firmware.mmcu, "atmega2560");
  firmware.frequency = 16000000;
  avr_t* avr = avr_make_mcu_by_name(firmware.mmcu);
  if (avr == NULL) return 2;
  avr_init(avr);
  avr->log = LOG_ERROR;
  avr_load_firmware(avr, &firmware);
  avr_register_io_write(avr, kGpior0, on_request, NULL);
  for (;;) {
    const int state = avr_run(avr);
    if (state == cpu_Done || state == cpu_Crashed) break;
  }
  fflush(NULL);
  fprintf(stderr, "board: crashed at 0x%05x\n", (unsigned)avr->pc);
  return kCrashed;
}
