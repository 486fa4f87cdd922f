/* A QEMU TCG plug-in that counts the guest instructions executed between two addresses, exactly and
 * repeatably, in system and in user mode. Arguments: begin=ADDR,end=ADDR,out=FILE[,profile=FILE];
 * `out` gets one line "insns N" for each begin/end pair, `profile` the count of every address in
 * the last pair. No package ships qemu-plugin.h, so the few functions that are used are declared
 * here; this is version 1 of the API. Loads and stores are not counted: QEMU 7.2's inline memory
 * counters are wrong. */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
typedef struct qemu_info_t qemu_info_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void (*InstructionCallback)(unsigned cpu, void* data);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                           void (*)(qemu_plugin_id_t, struct qemu_plugin_tb*));
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb*);
struct qemu_plugin_insn* qemu_plugin_tb_get_insn(const struct qemu_plugin_tb*, size_t);
uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn*);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn*, InstructionCallback,
                                            int flags, void*);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn*, int operation, void*,
                                                uint64_t);

#define EXPORT __attribute__((visibility("default")))
EXPORT int qemu_plugin_version = 1;

enum { kNoRegisters = 0, kAddUint64 = 0 };

static uint64_t begin_address, end_address;
static uint64_t executed, executed_at_begin;
static bool inside;
static FILE* out;

/* One counter an address, in a table of fixed size with open addressing: generated code keeps
 * pointers to the counters, so that they may never move. */
enum { kSlots = 1 << 20 };
typedef struct {
  uint64_t address, count;
  bool used;
} Slot;
static Slot* slots;
static const char* profile_path;

static uint64_t* counter_of(uint64_t address) {
  unsigned at = (unsigned)((address >> 1) * 2654435761u) % kSlots;
  while (slots[at].used && slots[at].address != address) at = (at + 1) % kSlots;
  slots[at].used = true;
  slots[at].address = address;
  return &slots[at].count;
}

static void write_profile(void) {
  FILE* file = fopen(profile_path, "w");
  if (file == NULL) return;
  for (unsigned i = 0; i < kSlots; ++i) {
    if (slots[i].count == 0) continue;
    fprintf(file, "%llx %llu\n", (unsigned long long)slots[i].address,
            (unsigned long long)slots[i].count);
  }
  fclose(file);
}

static void on_begin(unsigned cpu, void* data) {
  (void)cpu, (void)data;
  executed_at_begin = executed;
  inside = true;
  for (unsigned i = 0; slots != NULL && i < kSlots; ++i) slots[i].count = 0;
}

static void on_end(unsigned cpu, void* data) {
  (void)cpu, (void)data;
  if (!inside) return;
  inside = false;
  fprintf(out, "insns %llu\n", (unsigned long long)(executed - executed_at_begin));
  fflush(out);
  if (profile_path != NULL) write_profile();
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  (void)id;
  const size_t count = qemu_plugin_tb_n_insns(block);
  for (size_t i = 0; i < count; ++i) {
    struct qemu_plugin_insn* insn = qemu_plugin_tb_get_insn(block, i);
    const uint64_t address = qemu_plugin_insn_vaddr(insn);
    if (address == begin_address) {
      qemu_plugin_register_vcpu_insn_exec_cb(insn, on_begin, kNoRegisters, NULL);
    }
    if (address == end_address) {
      qemu_plugin_register_vcpu_insn_exec_cb(insn, on_end, kNoRegisters, NULL);
    }
    qemu_plugin_register_vcpu_insn_exec_inline(insn, kAddUint64, &executed, 1);
    if (slots != NULL) {
      qemu_plugin_register_vcpu_insn_exec_inline(insn, kAddUint64, counter_of(address), 1);
    }
  }
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t* info, int argc,
                               char** argv) {
  (void)info;
  out = stderr;
  for (int i = 0; i < argc; ++i) {
    char* value = strchr(argv[i], '=');
    if (value == NULL) return -1;
    *value++ = 0;
    if (strcmp(argv[i], "begin") == 0) begin_address = strtoull(value, NULL, 0);
    if (strcmp(argv[i], "end") == 0) end_address = strtoull(value, NULL, 0);
    if (strcmp(argv[i], "out") == 0) out = fopen(value, "w");
    if (strcmp(argv[i], "profile") == 0) profile_path = strdup(value);
  }
  if (out == NULL || begin_address == 0 || end_address == 0) return -1;
  if (profile_path != NULL) slots = calloc(kSlots, sizeof *slots);
  qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
  return 0;
}
