/* step BEGIN END OUT PROGRAM [ARGUMENT...]: runs a program of this machine (x86-64, Linux), writes
 * the instructions between the functions at BEGIN and END, one line "insns N" for each pair, to the
 * file OUT. It steps through them, a signal an instruction, where the processor has everything that
 * no emulator has: AVX-512, VNNI. An iteration of a repeated string instruction counts as one. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void must(int works, const char* what) {
  if (works) return;
  perror(what);
  exit(2);
}

/* Where the program's first byte lies; addresses of one that may lie anywhere count from there. */
static uint64_t base(const char* program) {
  char path[64];
  unsigned char type[18] = {0};
  uint64_t at = 0;
  FILE* file = fopen(program, "rb");
  must(file != NULL && fread(type, 1, sizeof type, file) == sizeof type, program);
  fclose(file);
  if (type[16] != 3) return 0;
  snprintf(path, sizeof path, "/proc/%d/maps", (int)child);
  file = fopen(path, "r");
  must(file != NULL && fscanf(file, "%lx", &at) == 1, path);
  fclose(file);
  return at;
}

static uint64_t counter(void) {
  struct user_regs_struct registers;
  must(ptrace(PTRACE_GETREGS, child, 0, &registers) == 0, "registers");
  return registers.rip;
}

/* Goes on to the address, by a breakpoint there; 0 where the program ends first. */
static int run_to(uint64_t address) {
  struct user_regs_struct registers;
  int status = 0;
  const long word = ptrace(PTRACE_PEEKTEXT, child, address, 0);
  must(ptrace(PTRACE_POKETEXT, child, address, (word & ~0xffL) | 0xcc) == 0, "breakpoint");
  must(ptrace(PTRACE_CONT, child, 0, 0) == 0, "continue");
  must(waitpid(child, &status, 0) == child, "wait");
  if (WIFEXITED(status)) exit(WEXITSTATUS(status));
  if (!WIFSTOPPED(status) || WSTOPSIG(status) != SIGTRAP) exit(2);
  must(ptrace(PTRACE_POKETEXT, child, address, word) == 0, "breakpoint");
  must(ptrace(PTRACE_GETREGS, child, 0, &registers) == 0, "registers");
  registers.rip = address;
  must(ptrace(PTRACE_SETREGS, child, 0, &registers) == 0, "registers");
  return 1;
}

static void step(void) {
  int status = 0;
  must(ptrace(PTRACE_SINGLESTEP, child, 0, 0) == 0, "step");
  must(waitpid(child, &status, 0) == child && WIFSTOPPED(status), "step");
}

int main(int argc, char** argv) {
  int status = 0;
  if (argc < 5) return 2;
  child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    execv(argv[4], argv + 4);
    _exit(127);
  }
  must(child > 0 && waitpid(child, &status, 0) == child && WIFSTOPPED(status), argv[4]);
  const uint64_t at = base(argv[4]);
  const uint64_t begin = at + strtoull(argv[1], NULL, 16), end = at + strtoull(argv[2], NULL, 16);
  FILE* const out = fopen(argv[3], "w");
  must(out != NULL, argv[3]);
  while (run_to(begin)) {
    uint64_t count = 0;
    for (; counter() != end; ++count) step();
    fprintf(out, "insns %llu\n", (unsigned long long)count);
    fflush(out);
  }
  return 0;
}
