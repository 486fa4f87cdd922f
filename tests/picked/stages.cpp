// One child process takes many mutants; where one ends it, the next child goes on behind that one.
#include "picked/stages.h"

#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdio>

#include "lowering/program/lower.h"
#include "picked/module_figures.h"
#include "picked/planned_figures.h"
#include "picked/program_figures.h"
#include "transforms/pipeline.h"

void hlocc_mutants_choose(long number);

namespace hlocc::tests {
namespace {

void limit_time() {
  const itimerval limit{{0, 0}, {0, 700'000}};
  setitimer(ITIMER_REAL, &limit, nullptr);
}

// What a child needs that may crash, or run away.
void quiet_child() {
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGBUS, SIGTERM})
    std::signal(signal, SIG_DFL);
  if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
  const rlimit memory{4ull << 30, 4ull << 30};
  setrlimit(RLIMIT_DATA, &memory);
  limit_time();
}

}  // namespace

std::string Stages::transforms() {
  if (stands) {
    passed = module;
    return "";
  }
  passed = hlocc::transforms::run_passes(module, chip);
  return *passed ? figures_of(**passed).to_text() : passed->error().to_string();
}

std::string Stages::lowering() const {
  if (!*passed) return "";
  const auto made = hlocc::lowering::lower(**passed, signature, chip);
  return made ? figures_of(*made, chip).to_text() : made.error().to_string();
}

std::string Stages::choices() const {
  if (stands) return "";
  return figures_of(driver::plan_module(module, signature, chip, {}), chip).to_text();
}

std::string Stages::text(int stage) {
  return stage == 0 ? transforms() : stage == 1 ? lowering() : choices();
}

bool ends_well(Stages& stages) {
  const pid_t child = fork();
  if (child == 0) {
    quiet_child();
    try {
      for (int stage = 0; stage < kStages; ++stage) stages.text(stage);
    } catch (...) {
      _exit(1);
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

std::vector<long> shown_by(Stages& stages, int stage, const std::string& text,
                           const std::vector<long>& numbers) {
  std::vector<long> shown;
  for (size_t first = 0; first < numbers.size();) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      quiet_child();
      for (size_t n = first; n < numbers.size(); ++n) {
        limit_time();
        hlocc_mutants_choose(numbers[n]);
        char differs = 1;
        try {
          differs = stages.text(stage) != text;
        } catch (...) {
          // No mutant may go on in the test's name.
        }
        if (write(ends[1], &differs, 1) != 1) _exit(1);
      }
      _exit(0);
    }
    close(ends[1]);
    char differs = 0;
    size_t n = first;
    while (read(ends[0], &differs, 1) == 1) {
      if (differs) shown.push_back(numbers[n]);
      ++n;
    }
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    if (n < numbers.size()) shown.push_back(numbers[n++]);
    first = n;
  }
  return shown;
}

}  // namespace hlocc::tests
