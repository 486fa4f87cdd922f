/* A QEMU TCG plug-in that tells which function loads and stores which bytes of some ranges of
 * memory: what tests/e2e/memories_test.py holds against the plan. Arguments: functions=FILE, lines
 * "BEGIN END NAME" of code; ranges=FILE, lines "BEGIN BYTES NAME" of memory; out=FILE, where a line
 * "FUNCTION RANGE FIRST BYTES" is written for each run of bytes that the function touched. The few
 * functions that are used are declared here, as no package ships qemu-plugin.h (version 1). */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                           void (*)(qemu_plugin_id_t, struct qemu_plugin_tb*));
void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void*), void*);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn*);
void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn*,
                                      void (*)(unsigned, uint32_t, uint64_t, void*), int flags,
                                      int which, void*);
unsigned qemu_plugin_mem_size_shift(uint32_t info);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;

enum { kNoRegisters = 0, kReadsAndWrites = 3, kMost = 4096 };

typedef struct {
  uint64_t begin, end;
  char name[256];
} Named;
static Named functions[kMost], ranges[8];
static int function_count, range_count;
static unsigned char* touched[kMost][8];
static FILE* out;

static void on_access(unsigned cpu, uint32_t info, uint64_t address, void* data) {
  const int function = (int)(intptr_t)data;
  const uint64_t bytes = 1u << qemu_plugin_mem_size_shift(info);
  (void)cpu;
  for (int r = 0; r < range_count; ++r)
    for (uint64_t at = address; at < address + bytes; ++at) {
      if (at < ranges[r].begin || at >= ranges[r].end) continue;
      if (touched[function][r] == NULL)
        touched[function][r] = calloc(ranges[r].end - ranges[r].begin, 1);
      touched[function][r][at - ranges[r].begin] = 1;
    }
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  (void)id;
  for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); ++i) {
    struct qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, i);
    const uint64_t address = qemu_plugin_insn_vaddr(insn);
    for (int f = 0; f < function_count; ++f)
      if (address >= functions[f].begin && address < functions[f].end)
        qemu_plugin_register_vcpu_mem_cb(insn, on_access, kNoRegisters, kReadsAndWrites,
                                         (void*)(intptr_t)f);
  }
}

static void at_exit(qemu_plugin_id_t id, void* data) {
  (void)id, (void)data;
  for (int f = 0; f < function_count; ++f)
    for (int r = 0; r < range_count; ++r) {
      const uint64_t bytes = ranges[r].end - ranges[r].begin;
      for (uint64_t at = 0, first; touched[f][r] != NULL && at < bytes; ++at) {
        if (!touched[f][r][at]) continue;
        for (first = at; at < bytes && touched[f][r][at];) ++at;
        fprintf(out, "%s %s %llu %llu\n", functions[f].name, ranges[r].name,
                (unsigned long long)first, (unsigned long long)(at - first));
      }
    }
  fclose(out);
}

/* Lines "HEX NUMBER NAME"; the second is an end where it is hexadecimal, or a size. */
static int read_named(const char* path, Named* into, int most, bool sizes) {
  FILE* file = fopen(path, "r");
  int count = 0;
  unsigned long long a, b;
  while (file != NULL && count < most &&
         fscanf(file, sizes ? "%llx %llu %255s" : "%llx %llx %255s", &a, &b, into[count].name) ==
             3) {
    into[count].begin = a;
    into[count].end = sizes ? a + b : b;
    ++count;
  }
  if (file != NULL) fclose(file);
  return count;
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const void* info, int argc, char** argv) {
  (void)info;
  for (int i = 0; i < argc; ++i) {
    char* value = strchr(argv[i], '=');
    if (value == NULL) return -1;
    *value++ = 0;
    if (strcmp(argv[i], "functions") == 0)
      function_count = read_named(value, functions, kMost, false);
    if (strcmp(argv[i], "ranges") == 0) range_count = read_named(value, ranges, 8, true);
    if (strcmp(argv[i], "out") == 0) out = fopen(value, "w");
  }
  if (out == NULL || function_count == 0 || range_count == 0) return -1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
  qemu_plugin_register_atexit_cb(id, at_exit, NULL);
  return 0;
}
