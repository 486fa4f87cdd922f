// Picks programs that show mutants (tests/mutate.py --pick builds and runs it): changes words of
// the programs that the tests have, compiles them with each mutant that they could show, one child
// process for many mutants, and prints a row wherever a text differs that no program before it
// made differ.
//
//     HLOCC_PICK_MUTANTS   a file: lines `NUMBER ROOM`
//     HLOCC_PICK_SECONDS   how long; HLOCC_PICK_SEED: the first random number
//     HLOCC_PICK_KNOWN     a file of mutants that are shown already, by number
//     HLOCC_PICK_ROWS      the file that rows are appended to, `ROOM: ROW`; beside it FILE.now, the
//                          program at work: if the compiler itself ends the process, a bug's input
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fstream>
#include <iostream>
#include <random>
#include <set>

#include "driver/pipeline.h"
#include "lowering/program/lower.h"
#include "ops/printer.h"
#include "package/names.h"
#include "picked/drawn.h"
#include "picked/forms.h"
#include "picked/nearest.h"
#include "picked/picked.h"
#include "picked/planned_text.h"
#include "support/text.h"
#include "transforms/pipeline.h"

void hlocc_mutants_choose(long number);
void hlocc_mutants_watch(char* seen, long size);

namespace hlocc::tests {
namespace {

constexpr long kNumbers = 1 << 20;
constexpr int kMostTries = 6;
constexpr double kLongest = 0.15;  // seconds that one program may take

struct MutantState {
  std::string room;
  bool shown = false;
  int tries = 0;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// The stages, each with its text.
struct Stages {
  const hlo::Module& module;
  const Target& chip;
  kernel::Signature signature;
  bool stands = false;
  std::optional<Result<hlo::Module>> passed;

  std::string transforms() {
    if (stands) {
      passed = module;
      return "";
    }
    passed = transforms::run_passes(module, chip);
    return *passed ? ops::to_text(**passed, {.metadata = false}) : passed->error().to_string();
  }
  std::string lowering() const {
    if (!*passed) return "";
    const auto made = lowering::lower(**passed, signature, chip);
    return made ? kernel::to_text(*made) : made.error().to_string();
  }
  std::string choices() const {
    if (stands) return "";
    const auto made = driver::plan_module(module, signature, chip, {});
    return made ? planned_text(*made, chip) : made.error().to_string();
  }
  std::string text(int stage) {
    return stage == 0 ? transforms() : stage == 1 ? lowering() : choices();
  }
};

// Programs that take long to compile are no tests.
bool is_large(const hlo::Module& module) {
  for (const hlo::Computation& c : module.computations)
    for (const hlo::Instruction& i : c.instructions)
      for (const hlo::Shape& shape : hlo::leaf_shapes(i.shape))
        if (shape.is_array() && shape.element_count() > (1 << 14)) return true;
  return false;
}

const char* const kNearness[] = {"unmet", "reached", "differed"};
const char* const kRooms[] = {"transforms", "lowering", "choices"};

class Picker {
 public:
  Picker(uint64_t seed) : random_(seed), nearest_(seed), seen_(kNumbers), ever_(kNumbers) {
    std::ifstream file(std::getenv("HLOCC_PICK_MUTANTS"));
    long number = 0;
    std::string room;
    while (file >> number >> room) mutants_[number] = {room};
    if (const char* known = std::getenv("HLOCC_PICK_KNOWN")) {
      std::ifstream shown(known);
      while (shown >> number)
        if (mutants_.count(number)) mutants_[number].shown = true;
    }
    rows_.open(std::getenv("HLOCC_PICK_ROWS"), std::ios::app);
    now_path_ = cat(std::getenv("HLOCC_PICK_ROWS"), ".now");
  }

  // What the tests have as it stands: shows mutants, but needs no rows.
  void known(const Picked& row) { consider(row, false, 10); }

  // Whether tests have told what they show.
  bool knows() const {
    return std::ranges::any_of(mutants_, [](const auto& one) { return one.second.shown; });
  }
  // Those of tests/choices, in any order.
  void known_ones(double seconds) {
    const double end = now() + seconds;
    std::vector<Picked> rows;
    for (const std::string& base : all_bases(40))
      for (const char* chip :
           {"cortex-m0", "cortex-m4f", "cortex-a53", "cortex-a53+wide", "cortex-a53+wide+Os"})
        if (!is_case(base)) rows.push_back({base, "", chip});
    std::shuffle(rows.begin(), rows.end(), random_);
    for (const Picked& row : rows)
      if (now() < end) known(row);
  }

  void search(double seconds) {
    const double end = now() + seconds;
    // Random modules are other ones after each change of their generator.
    const std::vector<std::string> bases = all_bases(0);
    std::vector<std::string> cases, others;
    for (const std::string& base : bases) (is_case(base) ? cases : others).push_back(base);
    for (const std::string& base : cases) pool_.push_back({base, "", ""});
    for (size_t n = 0; now() < end; ++n) {
      Picked row;
      uint64_t changes = draw(4);
      const uint64_t kind = draw(20);
      if (const Picked* near = kind < 11 ? nearest_.draw() : nullptr) {
        row = *near;
        change_chip(row.chip);
        changes = draw(3);
      } else {
        if (kind < 14) {
          row = pool_[draw(pool_.size())];
        } else if (kind < 16) {
          row.base = drawn_base();
          changes = draw(2);
        } else {
          row.base = kind < 19 ? cases[draw(cases.size())] : others[draw(others.size())];
        }
        row.chip = random_chip();
      }
      // One in so many of any program is what lowering gets as it stands.
      if (draw(40) == 0 && !stands(row)) row.base = cat("stands ", row.base);
      const std::string& base = text(row.base);
      for (uint64_t i = 0; i < changes; ++i) add_change(row, base);
      consider(row, true, kLongest);
      if (n % 500 == 0) report(n);
    }
    report(0);
  }

  void report(size_t n) const {
    size_t shown = 0, seen = 0;
    for (const auto& [number, state] : mutants_)
      shown += state.shown, seen += ever_[static_cast<size_t>(number)] != 0;
    std::cout << n << ": " << valid_ << " programs compiled, " << picked_ << " rows; " << shown
              << " of " << mutants_.size() << " mutants shown, " << seen << " seen" << std::endl;
  }
  void write_left(const std::string& path) const {
    std::ofstream file(path);
    for (const auto& [number, state] : mutants_)
      if (!state.shown)
        file << number << " " << state.room << " "
             << std::max<int>(state.tries, ever_[static_cast<size_t>(number)]) << " "
             << kNearness[static_cast<int>(nearest_.nearness(number))] << "\n";
  }

 private:
  static bool is_case(const std::string& base) {
    for (const char* other : {"ops: ", "regressions: ", "random: ", "narrow: ", "requantize: ",
                              "window: ", "chain: ", "models: "})
      if (base.starts_with(other)) return false;
    return true;
  }
  uint64_t draw(uint64_t limit) { return limit == 0 ? 0 : random_() % limit; }
  const std::string& text(const std::string& base) {
    auto& found = texts_[base];
    if (found.empty()) found = base_text(base);
    return found;
  }

  std::string drawn_base() {
    const auto kinds = drawn_kinds();
    const char* const kind = kinds[draw(kinds.size())];
    return cat(kind, ": ", draw(100'000));
  }

  std::string random_chip() {
    static const auto& presets = *new std::vector<std::string>([] {
      std::vector<std::string> all = {"cortex-m0", "cortex-m4f", "cortex-a53", "cortex-m4f",
                                      "cortex-a53"};
      for (const std::string& name : preset_names())
        if (name != "host" && !name.starts_with("nvptx") && !name.starts_with("tau"))
          all.push_back(name);
      return all;
    }());
    static const auto& parts = *new std::vector<std::string>(chip_parts());
    std::string chip = presets[draw(presets.size())];
    for (uint64_t n = draw(4); n > 0; --n) {
      const std::string& part = parts[draw(parts.size())];
      if (chip.find("+" + part) == std::string::npos) chip += "+" + part;
    }
    return chip;
  }

  // Three times in five another chip, mostly one that differs by one thing.
  void change_chip(std::string& chip) {
    const uint64_t kind = chip.empty() ? 0 : draw(10);
    if (kind == 0) {
      chip = random_chip();
    } else if (kind < 4) {
      static const auto& parts = *new std::vector<std::string>(chip_parts());
      const std::string part = "+" + parts[draw(parts.size())];
      if (const size_t at = (chip + "+").find(part + "+"); at != std::string::npos)
        chip.erase(at, part.size());
      else
        chip += part;
    } else if (kind < 6) {
      const std::string other = random_chip(),
                        rest = chip.substr(std::min(chip.find('+'), chip.size()));
      chip = other.substr(0, other.find('+')) + rest;
    }
  }

  void add_change(Picked& row, const std::string& base) {
    const std::string now_is = with_changes(base, row.changes);
    const std::vector<std::string> words = words_of(now_is);
    if (words.empty()) return;
    // A value in another form.
    if (draw(3) == 0) {
      static const auto& forms = *new std::vector<std::string>(form_names());
      const std::vector<std::string> values = values_of(now_is);
      if (!values.empty())
        row.changes += cat(row.changes.empty() ? "" : " ; ", values[draw(values.size())], " => ",
                           forms[draw(forms.size())]);
      return;
    }
    for (int attempt = 0; attempt < 10; ++attempt) {
      const size_t at = draw(words.size());
      const std::string& from = words[at];
      const std::string to = other_word(from, words);
      if (to.empty() || to == from) continue;
      std::string change = from;
      // A size everywhere, where it is no number of a dimension or of a slice.
      const bool is_size = from[0] >= '0' && from[0] <= '9' && draw(3) == 0;
      if (is_size) change = "[" + from;
      if (!is_size && draw(10) < 3)
        change += cat("@", std::count(words.begin(), words.begin() + static_cast<long>(at), from));
      row.changes += cat(row.changes.empty() ? "" : " ; ", change, " -> ", to);
      return;
    }
  }

  std::string other_word(const std::string& from, const std::vector<std::string>& words) {
    static const std::vector<std::vector<std::string>> kinds = {
        {"f32", "f64", "f16", "bf16", "s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64", "pred",
         "c64", "s4"},
        {"add", "subtract", "multiply", "divide", "maximum", "minimum", "power", "remainder", "and",
         "or", "xor", "atan2", "shift-left", "shift-right-arithmetic", "shift-right-logical"},
        {"negate",
         "abs",
         "exponential",
         "tanh",
         "log",
         "sine",
         "floor",
         "ceil",
         "sqrt",
         "rsqrt",
         "not",
         "sign",
         "copy",
         "convert",
         "logistic",
         "is-finite",
         "real",
         "imag",
         "bitcast-convert",
         "reshape"},
        {"EQ", "NE", "LT", "LE", "GT", "GE"},
        {"true", "false"},
        {"b01f_01io", "b01f_01oi", "b01f_io01", "b01f_oi01", "bf01_01io", "bf01_oi01", "b10f_01io",
         "f01b_01io", "b01f_10io"},
        {"b01f", "bf01", "b10f", "01bf", "f01b"},
        {"b0f_0io", "b0f_0oi", "bf0_0io", "bf0_oi0"},
        {"b0f", "bf0", "0bf"}};
    for (const auto& kind : kinds)
      if (std::find(kind.begin(), kind.end(), from) != kind.end()) return kind[draw(kind.size())];
    const char first = from[0] == '-' && from.size() > 1 ? from[1] : from[0];
    if (first >= '0' && first <= '9') {
      const double value = std::strtod(from.c_str(), nullptr);
      static const int64_t numbers[] = {0,  1,  2,  3,   4,   5,   6,   7,   8,  9,
                                        12, 15, 16, 17,  24,  31,  32,  33,  40, 48,
                                        63, 64, 65, 127, 128, 130, 255, 256, -1};
      switch (draw(6)) {
        case 0: return cat(static_cast<int64_t>(value) - 1);
        case 1: return cat(static_cast<int64_t>(value) + 1);
        case 2: return cat(static_cast<int64_t>(value) * 2);
        default: return cat(numbers[draw(std::size(numbers))]);
      }
    }
    if (std::count(words.begin(), words.end(), from) < 2) return "";
    // Another name of something.
    for (int attempt = 0; attempt < 8; ++attempt) {
      const std::string& to = words[draw(words.size())];
      if (to != from && to[0] >= 'a' && to[0] <= 'z' && to.size() <= 12 &&
          std::count(words.begin(), words.end(), to) >= 2)
        return to;
    }
    return "";
  }

  // Whether rows of a stage may show mutants of the room.
  static bool may_meet(const std::string& room, int stage) {
    return room == kRooms[stage] || room == "costs" || (room == "planning" && stage == 2);
  }

  void consider(const Picked& row, bool may_pick, double longest) {
    const std::string changed = with_changes(text(row.base), row.changes);
    if (changed.empty()) return;
    hlocc_mutants_watch(nullptr, 0);
    const Result<hlo::Module> module = parsed(changed);
    if (!module) return;
    const Target chip = chip_of(row.chip);
    const auto signature = package::make_signature(*module, chip.options);
    if (!signature) return;
    ++valid_;
    std::ofstream(now_path_) << row.line() << "\n";
    Stages stages{*module, chip, *signature, stands(row), {}};
    std::string texts[3];
    std::vector<long> todo[3];
    if (is_large(*module)) return;
    // What no pass has put in order may be nothing that lowering promises to take.
    if (stages.stands && !ends_well(stages)) return;
    const double begin = now();
    bool is_new = false;
    for (int stage = 0; stage < 3; ++stage) {
      std::fill(seen_.begin(), seen_.end(), 0);
      hlocc_mutants_watch(seen_.data(), kNumbers);
      texts[stage] = stages.text(stage);
      hlocc_mutants_watch(nullptr, 0);
      if (now() - begin > longest) return;
      for (auto& [number, state] : mutants_) {
        const char met = seen_[static_cast<size_t>(number)];
        if (met == 0) continue;
        const bool differs = met == 1, is_short = row.changes.size() < 160;
        if (!state.shown && is_short && may_meet(state.room, stage))
          nearest_.note(number, differs ? Nearness::kDiffered : Nearness::kReached, row);
        if (!differs) continue;
        is_new |= !ever_[static_cast<size_t>(number)];
        ever_[static_cast<size_t>(number)] = 1;
        if (!may_meet(state.room, stage) || state.shown) continue;
        // Ever more seldom: most that many programs meet and none shows change nothing.
        if (++state.tries > kMostTries && draw(1 + state.tries / 10) != 0) continue;
        todo[stage].push_back(number);
      }
    }
    if (is_new && may_pick && std::count(row.changes.begin(), row.changes.end(), '>') < 6)
      pool_.push_back(row);
    for (int stage = 0; stage < 3; ++stage) {
      std::erase_if(todo[stage], [&](long number) { return mutants_[number].shown; });
      const std::vector<long> shown = shown_by(stages, stage, texts[stage], todo[stage]);
      for (long number : shown) {
        mutants_[number].shown = true;
        nearest_.forget(number);
      }
      if (shown.empty() || !may_pick) continue;
      if (stage == 1 && !*stages.passed) continue;
      ++picked_;
      rows_ << kRooms[stage] << ": " << row.line() << std::endl;
    }
  }

  static bool ends_well(Stages& stages) {
    const pid_t child = fork();
    if (child == 0) {
      quiet_child();
      try {
        for (int stage = 0; stage < 3; ++stage) stages.text(stage);
      } catch (...) {
        _exit(1);
      }
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status == 0;
  }

  // What a child needs that may crash, or run away.
  static void quiet_child() {
    for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGALRM, SIGBUS, SIGTERM})
      std::signal(signal, SIG_DFL);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
    const rlimit memory{4ull << 30, 4ull << 30};
    setrlimit(RLIMIT_DATA, &memory);
    limit_time();
  }
  static void limit_time() {
    const itimerval limit{{0, 0}, {0, 700'000}};
    setitimer(ITIMER_REAL, &limit, nullptr);
  }

  // Those of `numbers` that change the stage's text, or end the process.
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

  std::mt19937_64 random_;
  Nearest nearest_;
  std::vector<char> seen_, ever_;
  std::map<long, MutantState> mutants_;
  std::map<std::string, std::string> texts_;
  std::vector<Picked> pool_;
  std::ofstream rows_;
  std::string now_path_;
  size_t valid_ = 0, picked_ = 0;
};

double number_of(const char* name, double otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atof(text) : otherwise;
}

}  // namespace

TEST_CASE("picks programs") {
  Picker picker(static_cast<uint64_t>(number_of("HLOCC_PICK_SEED", 1)));
  const bool knows = picker.knows();
  for (const char* room : kRooms)
    for (const Picked& row : read_picked(cat("../", room, "/picked.txt"))) picker.known(row);
  picker.report(0);
  if (!knows) picker.known_ones(number_of("HLOCC_PICK_SECONDS", 60) / 3);
  picker.report(0);
  picker.search(number_of("HLOCC_PICK_SECONDS", 60));
  if (const char* left = std::getenv("HLOCC_PICK_LEFT")) picker.write_left(left);
}

}  // namespace hlocc::tests
