// The command line as plain values: what CLI11 parsed, the config file's options among it, checked
// as far as that is possible without reading the model.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "driver/cli/config.h"
#include "driver/matrix/flags.h"
#include "driver/packages/flags.h"
#include "driver/pipeline/budgets.h"
#include "package/file_set.h"
#include "support/budget.h"
#include "support/result.h"
#include "target/options.h"
#include "target/target.h"

namespace hlocc::driver {

enum class Verb : uint8_t {
  kNone,
#define HLOCC_VERB(Name, word, ...) k##Name,
#include "driver/cli/verbs.def"
};

// --- the flags of one verb ---
struct CompileFlags {
  std::set<package::Emit> emit;
  bool has_emit = false;
  std::string print_after;
  bool shared_arena = false;  // several models, one library
  // --arg, --result: by leaf, which is a number or HLO's name, the name that it is to have.
  std::map<std::string, std::string> argument_names, result_names;
};

struct VerifyFlags {
  std::string index, known_gaps;
  std::string runner;        // a command of the user's that brings a case to hardware
  bool allow_skips = false;  // that nothing ran is no failure
  bool guard = false;
  int case_seconds = 300;
  // How near every result must come, whatever the cases' rules say.
  std::optional<double> rtol, atol;
  int streams = -1;  // random schedules of the suite of streams; -1: cases, and not the suite
};

struct BenchFlags {
  int repeat = 0;  // samples; 0: as many as a second takes
  bool steps = false;
};

struct InspectFlags {
  bool check = false;    // ends with 1 if an op cannot be compiled
  bool kernels = false;  // a line for each launch
  std::string graph;     // a picture of the layers: svg
};

struct ProfileFlags {
  std::string model;
  bool has_level = false;  // -O was given
};

struct DoctorFlags {
  std::string library, header, arena;
};

// --- flags that several verbs have ---
// How a model is read: --dim NAME=SIZE, --freeze NAME=FILE.npy or PATTERN, the snapshot of --from,
// the --member of an archive, the --signature of a file, the --rounding of its integers.
struct ReadingFlags {
  std::map<std::string, int64_t> dimensions;
  std::vector<std::string> frozen;
  std::string frozen_from, member, signature, rounding;
};

// NAME=FILE.npy, of arguments and of results.
struct ValueFlags {
  std::vector<std::string> inputs, expected;
};

struct CommandLine {
  Verb verb = Verb::kNone;
  std::vector<std::string> models;  // the one MODEL, verify's snapshots, or those of --shared-arena
  bool json = false, quiet = false, verbose = false;
  Limits limits;  // of work and memory that a file may cost

  // --- what to compile for ---
  std::vector<std::string> targets;  // empty: host, or, where that has a meaning, not ahead of time
  std::string cpu, features, backend, board, plugin, device;
  bool has_cpu = false, has_features = false;
  FloatAbi float_abi = FloatAbi::kDefault;
  Options options;
  Budgets budgets;

  // --- files; what else several verbs have ---
  std::string output;  // -o; run: --output; reduce, snapshot: the file
  std::string depfile;
  std::string html;             // a page to write
  std::string stream;           // --stream NAME[=axis]
  std::optional<double> clock;  // cycles a second
  bool time_report = false;
  bool print = false;         // run: the results
  int shard = 0, shards = 1;  // verify, matrix
  int jobs = 0;               // verify, matrix: processes at once; 0: one a processor
  std::string name;           // targets, explain: the one to be shown
  std::string cache;          // --cache: folders and addresses, with commas
  int cache_verify = 0;       // percent

  CompileFlags compile;
  VerifyFlags verify;
  BenchFlags bench;
  InspectFlags inspect;
  ProfileFlags profile;
  MatrixFlags matrix;
  DoctorFlags doctor;
  PackageFlags package;
  ReadingFlags reading;
  ValueFlags values;

  std::vector<ConfigValue> config;  // what came from --config
  // Each flag that was given, here or in the config file, with its values in order.
  std::map<std::string, std::vector<std::string>> given;
  std::string tool;  // what `hlocc --version` says
  // Set when everything is said already (--help): the text for stdout.
  std::string answer;
  bool asks_for_version = false;
};

Result<CommandLine> parse_command_line(int argc, const char* const* argv);
// What goes together, and what a verb needs.
Status check_command(const CommandLine& line);

// "hlocc 1.2.3 (commit 0123456789ab with changes, LLVM 19.1.7)", for a commit as cmake/commit.cmake
// writes it. Either may be empty: not known, and built without LLVM.
std::string version_line(std::string_view commit, std::string_view llvm);

// True if --json stands among the arguments, also of a command line that does not parse.
bool wants_json(int argc, const char* const* argv);

}  // namespace hlocc::driver
