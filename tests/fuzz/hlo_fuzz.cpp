// hlo_fuzz: random modules and the grid of op x type, interpreter against code for this machine:
// what LLVM makes, or with --backend another backend's.
//
//   hlo_fuzz [random] [--seed N] [--count N] [--seconds S] [--focus OP] [--save DIR] [--save-all
//   DIR] [--backend NAME] hlo_fuzz chains [as random] hlo_fuzz windows [as random] hlo_fuzz grid [FILTER] [--save DIR]
//   [--save-all DIR] [--table FILE] hlo_fuzz keep FOLDER [FILE[=NAME[=NOTE]]]...
//
// `windows` draws networks whose rows loops take one after the other, and plans them for less memory
// (less_ram.h): the interpreter's bits with --optimize=ram and budgets that are drawn.
// --focus draws ops whose names hold OP two times out of three ("narrow", "requantize", "qdq",
// "window"). --hostile replaces a third of the arguments' numbers (hostile.h).
//
// Prints each program that differs, with what is needed to make it again; --save writes it as a
// snapshot for `hlocc reduce` and `hlocc verify`, --save-all writes those that agree as well, for
// ahead-of-time runs on other targets, --table writes docs/ops_types.md. `keep` adds programs to a
// folder of regression cases, or, without any, makes the results of those there again (keep.h).
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <set>

#include "driver/run/execute.h"
#include "fuzz/chains.h"
#include "fuzz/generator.h"
#include "fuzz/grid.h"
#include "fuzz/hostile.h"
#include "fuzz/keep.h"
#include "fuzz/less_ram.h"
#include "fuzz/type_table.h"
#include "fuzz/windows.h"
#include "support/text.h"

namespace hlocc::fuzz {
namespace {

constexpr double kSecondsEach = 60;

struct Wishes {
  bool grid = false, chains = false, windows = false, hostile = false, interpreter_only = false;
  std::string filter, focus, save, save_all, known, table;
  std::string backend = driver::default_way() == "cpu" ? "cpu" : "c";
  uint64_t seed = 1, count = 100;
  double seconds = 1e9;
};

class Tally {
 public:
  explicit Tally(const Wishes& wishes) : wishes_(wishes) {
    // A line is "seed 35: why"; '#' starts a comment.
    std::ifstream lines(wishes.known);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty() && line[0] != '#') known_.insert(line.substr(0, line.find(':')));
  }

  void add(const std::string& name, const Program& program, const Finding& finding) {
    if (known_.contains(name)) {
      ++of_known_;
      if (finding.outcome == Outcome::kAgree)
        std::printf("%s agrees now: take it off the list\n", name.c_str());
      return;
    }
    ++counts_[finding.outcome];
    static const char* const names[] = {"agree", "INVALID", "unsupported", "DIFFER", "FAILED"};
    if (finding.outcome == Outcome::kUnsupported) {
      if (lacks_.insert(finding.what.substr(0, 60)).second)
        std::printf("unsupported %s: %s\n", name.c_str(), finding.what.c_str());
    } else if (finding.outcome != Outcome::kAgree) {
      std::printf("%s %s: %s\n", names[static_cast<int>(finding.outcome)], name.c_str(),
                  finding.what.c_str());
      if (!wishes_.save.empty()) write_case(program, wishes_.save, file_name(name));
    }
    std::fflush(stdout);
    if (!wishes_.save_all.empty() && finding.outcome == Outcome::kAgree)
      write_case(program, wishes_.save_all, file_name(name), true);
  }

  // The exit code.
  int finish() const {
    const auto of = [&](Outcome outcome) {
      return counts_.contains(outcome) ? counts_.at(outcome) : 0;
    };
    const int bad = of(Outcome::kInvalid) + of(Outcome::kDiffer) + of(Outcome::kFailed);
    std::printf("%d agree, %d differ, %d failed, %d invalid, %d unsupported\n", of(Outcome::kAgree),
                of(Outcome::kDiffer), of(Outcome::kFailed), of(Outcome::kInvalid),
                of(Outcome::kUnsupported));
    if (of_known_ > 0) std::printf("%d are on the list of known differences\n", of_known_);
    return bad > 0 ? 1 : 0;
  }

 private:
  static std::string file_name(std::string name) {
    for (char& c : name)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return name;
  }

  const Wishes& wishes_;
  std::map<Outcome, int> counts_;
  std::set<std::string> lacks_, known_;
  int of_known_ = 0;
};

// What the seeds of a run are called.
const char* name_of(const Wishes& wishes) {
  return wishes.chains ? "chain" : wishes.windows ? "windows" : wishes.hostile ? "hostile" : "seed";
}

void run_random(const Wishes& wishes, Tally& tally) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (uint64_t seed = wishes.seed; seed < wishes.seed + wishes.count; ++seed) {
    if (std::chrono::duration<double>(Clock::now() - start).count() > wishes.seconds) break;
    Program program = wishes.chains    ? random_chain(seed)
                      : wishes.windows ? random_windows(seed)
                                       : random_program(seed, wishes.focus);
    if (wishes.hostile) make_hostile(program, seed);
    const Tolerance tolerance{
        .rule = {}, .interpreter_only = wishes.interpreter_only, .backend = wishes.backend};
    const Finding finding = wishes.windows ? check_less_ram(program, seed, 4 * kSecondsEach)
                                           : check(program, tolerance, kSecondsEach);
    tally.add(cat(name_of(wishes), " ", seed), program, finding);
  }
}

// A cell that is not in order is tried result by result, so that each failure has a name.
void run_grid(const Wishes& wishes, Tally& tally) {
  TypeTable table;
  each_cell(wishes.filter, [&](const GridCell& cell) {
    Tolerance tolerance = cell.tolerance;
    tolerance.interpreter_only = wishes.interpreter_only;
    tolerance.backend = wishes.backend;
    const Finding finding = check(cell.program, tolerance, 4 * kSecondsEach);
    table.add(cell.name, finding);
    if (finding.outcome == Outcome::kAgree || cell.results.size() == 1)
      return tally.add(cell.name, cell.program, finding);
    const std::vector<Program> parts = split(cell.program);
    // Some are enough to see what is wrong.
    int bad = 0;
    for (size_t i = 0; i < parts.size() && bad < 4; ++i) {
      const Finding part = check(parts[i], tolerance, kSecondsEach);
      bad += part.outcome != Outcome::kAgree;
      tally.add(cell.results[i], parts[i], part);
    }
  });
  if (!wishes.table.empty()) std::ofstream(wishes.table) << table.page();
}

int usage() {
  std::fprintf(
      stderr,
      "hlo_fuzz [random | chains | windows | grid [FILTER]] [--seed N] [--count N] [--seconds S] "
      "[--focus OP] [--hostile] [--save "
      "DIR] [--save-all DIR] [--known FILE] [--table FILE] [--backend NAME] [--interpreter]\n"
      "hlo_fuzz keep FOLDER [FILE[=NAME[=NOTE]]]...\n");
  return 2;
}

// The name is the file's up to the first dot where none is given.
Keep parse_keep(const std::string& word) {
  const std::vector<std::string> parts = hlocc::split(word, '=');
  const size_t slash = parts[0].rfind('/');
  const std::string file = parts[0].substr(slash == std::string::npos ? 0 : slash + 1);
  return {parts[0], parts.size() > 1 ? parts[1] : file.substr(0, file.find('.')),
          parts.size() > 2 ? parts[2] : ""};
}

int run_keep(int argc, char** argv) {
  if (argc < 3) return usage();
  std::vector<Keep> cases;
  for (int i = 3; i < argc; ++i) cases.push_back(parse_keep(argv[i]));
  const std::vector<std::string> wrong =
      cases.empty() ? refresh_cases(argv[2]) : keep_cases(cases, argv[2]);
  for (const std::string& what : wrong) std::printf("%s\n", what.c_str());
  return wrong.empty() ? 0 : 1;
}

int main_of(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "keep") return run_keep(argc, argv);
  Wishes wishes;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* next = i + 1 < argc ? argv[i + 1] : nullptr;
    if (word == "random") continue;
    if (word == "chains") {
      wishes.chains = true;
      continue;
    }
    if (word == "windows") {
      wishes.windows = true;
      continue;
    }
    if (word == "grid") {
      wishes.grid = true;
      if (next && next[0] != '-') wishes.filter = argv[++i];
      continue;
    }
    if (word == "--hostile") {
      wishes.hostile = true;
      continue;
    }
    if (word == "--interpreter") {
      wishes.interpreter_only = true;
      continue;
    }
    if (!next) return usage();
    ++i;
    if (word == "--seed")
      wishes.seed = std::strtoull(next, nullptr, 10);
    else if (word == "--count")
      wishes.count = std::strtoull(next, nullptr, 10);
    else if (word == "--seconds")
      wishes.seconds = std::strtod(next, nullptr);
    else if (word == "--save")
      wishes.save = next;
    else if (word == "--focus")
      wishes.focus = next;
    else if (word == "--save-all")
      wishes.save_all = next;
    else if (word == "--table")
      wishes.table = next;
    else if (word == "--backend")
      wishes.backend = next;
    else if (word == "--known")
      wishes.known = next;
    else
      return usage();
  }
  Tally tally(wishes);
  wishes.grid ? run_grid(wishes, tally) : run_random(wishes, tally);
  return tally.finish();
}

}  // namespace
}  // namespace hlocc::fuzz

int main(int argc, char** argv) { return hlocc::fuzz::main_of(argc, argv); }
