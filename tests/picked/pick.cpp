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

#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <iostream>
#include <random>
#include <set>

#include "package/names.h"
#include "picked/changes.h"
#include "picked/drawn.h"
#include "picked/nearest.h"
#include "picked/picked.h"
#include "picked/stages.h"
#include "support/text.h"

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

// Programs that take long to compile are no tests.
bool is_large(const hlo::Module& module) {
  for (const hlo::Computation& c : module.computations)
    for (const hlo::Instruction& i : c.instructions)
      for (const hlo::Shape& shape : hlo::leaf_shapes(i.shape))
        if (shape.is_array() && shape.element_count() > (1 << 14)) return true;
  return false;
}

const char* const kNearness[] = {"unmet", "reached", "differed"};

class Picker {
 public:
  explicit Picker(uint64_t seed) : random_(seed), nearest_(seed), seen_(kNumbers), ever_(kNumbers) {
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
      uint64_t changes = changes_.draw(4);
      const uint64_t kind = changes_.draw(20);
      if (const Picked* near = kind < 11 ? nearest_.draw() : nullptr) {
        row = *near;
        changes_.change_chip(row.chip);
        changes = changes_.draw(3);
      } else {
        if (kind < 14) {
          row = pool_[changes_.draw(pool_.size())];
        } else if (kind < 16) {
          row.base = drawn_base();
          changes = changes_.draw(2);
        } else {
          row.base =
              kind < 19 ? cases[changes_.draw(cases.size())] : others[changes_.draw(others.size())];
        }
        row.chip = changes_.random_chip();
      }
      // One in so many of any program is what lowering gets as it stands.
      if (changes_.draw(40) == 0 && !stands(row)) row.base = cat("stands ", row.base);
      const std::string& base = text(row.base);
      for (uint64_t i = 0; i < changes; ++i) changes_.add_change(row, base);
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
  const std::string& text(const std::string& base) {
    auto& found = texts_[base];
    if (found.empty()) found = base_text(base);
    return found;
  }

  std::string drawn_base() {
    const auto kinds = drawn_kinds();
    const char* const kind = kinds[changes_.draw(kinds.size())];
    return cat(kind, ": ", changes_.draw(100'000));
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
    std::string texts[kStages];
    std::vector<long> todo[kStages];
    if (is_large(*module)) return;
    // What no pass has put in order may be nothing that lowering promises to take.
    if (stages.stands && !ends_well(stages)) return;
    const double begin = now();
    bool is_new = false;
    for (int stage = 0; stage < kStages; ++stage) {
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
        if (++state.tries > kMostTries && changes_.draw(1 + state.tries / 10) != 0) continue;
        todo[stage].push_back(number);
      }
    }
    if (is_new && may_pick && std::count(row.changes.begin(), row.changes.end(), '>') < 6)
      pool_.push_back(row);
    for (int stage = 0; stage < kStages; ++stage) {
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

  std::mt19937_64 random_;
  ChangeDrawer changes_{random_};
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
