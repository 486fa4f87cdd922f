// The switch behind which mutants stand (tests/mutate.py puts it into the scratch copy's support
// room). HLOCC_MUTANT=N turns mutant N on. HLOCC_MUTANTS_SEEN=FILE notes, a byte a mutant, where
// original and mutant would have answered differently (1), or were asked at all (2); the file is
// mapped, so that children and crashes write it too. A program that tries many mutants in one
// process turns it by hand.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

namespace {

struct Switch {
  long chosen = -1, size = 0;
  char* seen = nullptr;
  Switch() {
    if (const char* text = std::getenv("HLOCC_MUTANT")) chosen = std::atol(text);
    const char* path = std::getenv("HLOCC_MUTANTS_SEEN");
    const int file = path ? open(path, O_RDWR) : -1;
    struct stat facts;
    if (file < 0 || fstat(file, &facts) != 0) return;
    void* bytes = mmap(nullptr, facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (bytes == MAP_FAILED) return;
    seen = static_cast<char*>(bytes);
    size = facts.st_size;
  }
};

Switch& the_switch() {
  static Switch one;
  return one;
}

template <typename T>
T choose(int number, T original, T mutated) {
  const Switch& one = the_switch();
  if (one.seen && number < one.size) {
    char& note = one.seen[number];
    if (note != 1) note = original != mutated ? 1 : 2;
  }
  return one.chosen == number ? mutated : original;
}

}  // namespace

bool hlocc_mutant(int number, bool original, bool mutated) {
  return choose(number, original, mutated);
}
int hlocc_bound(int number, int original, int mutated) { return choose(number, original, mutated); }
void hlocc_mutants_choose(long number) { the_switch().chosen = number; }
void hlocc_mutants_watch(char* seen, long size) {
  the_switch().seen = seen;
  the_switch().size = size;
}

// In headers that C reads, too: runtime_stub's.
extern "C" int hlocc_mutant_c(int number, int original, int mutated) {
  return hlocc_mutant(number, original != 0, mutated != 0);
}
extern "C" int hlocc_bound_c(int number, int original, int mutated) {
  return hlocc_bound(number, original, mutated);
}
