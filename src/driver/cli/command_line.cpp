// See command_line.h: from the texts that CLI11 hands over to values.
#include "driver/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "driver/cli/command_tree.h"
#include "driver/cli/command_values.h"
#include "driver/cli/command_words.h"
#include "driver/cli/config.h"
#include "driver/cli/dimensions.h"
#include "driver/pipeline/memories.h"
#include "driver/pipeline/shared_library.h"
#include "import/file.h"
#include "package/version.h"
#include "support/suggest.h"
#include "support/text.h"
#include "target/gpu.h"

namespace hlocc::driver {
namespace {

Verb verb_of(const CLI::App& app) {
  const std::vector<CLI::App*> given = app.get_subcommands();
#define HLOCC_VERB(Name, word, ...) \
  if (!given.empty() && given[0]->get_name() == #word) return Verb::k##Name;
#include "driver/cli/verbs.def"
  return Verb::kNone;
}

Status parse_budgets(const CommandTexts& raw, CommandLine& out) {
  struct Row {
    const std::string& text;
    const char* flag;
    int64_t& into;
  };
  for (const Row& row :
       {Row{raw.ram, "--ram", out.budgets.ram}, Row{raw.flash, "--flash", out.budgets.flash},
        Row{raw.stack, "--stack", out.budgets.stack},
        Row{raw.ram_budget, "--ram-budget", out.options.ram_budget}}) {
    if (row.text.empty()) continue;
    HLOCC_TRY_ASSIGN(row.into, parse_bytes(row.text, row.flag));
  }
  if (!raw.ram_budget.empty() && out.options.ram_budget == 0)
    return usage("--ram-budget 0: an arena takes a byte at least");
  if (!raw.memories.empty()) {
    HLOCC_TRY_ASSIGN(out.options.memories, parse_memories(raw.memories));
  }
  if (!raw.limits.empty()) {
    HLOCC_TRY_ASSIGN(out.limits, parse_limits(raw.limits));
  }
  if (!raw.clock.empty()) {
    HLOCC_TRY_ASSIGN(out.clock, parse_clock(raw.clock, "--clock"));
  }
  return {};
}

// What -o - and its like write is all that stdout may hold.
Status check_output(const CommandLine& out) {
  const bool is_taken = out.output == "-" || out.html == "-";
  if (!is_taken) return {};
  if (out.json || out.print || !out.compile.print_after.empty() ||
      (out.output == "-" && out.html == "-"))
    return usage("two things would go to the standard output, which - names")
        .note("--json, --print, --print-after and a second - are the others");
  if (out.verb != Verb::kCompile) return {};
  if (out.compile.emit.size() != 1 || out.targets.size() > 1 || !out.depfile.empty())
    return usage(
               "`compile -o -` writes one file of one target to the standard output, and no "
               "depfile")
        .note("--emit names it: header, c, lib, obj, asm, llvm, hlo, kernel or report");
  return {};
}

Status check_stream(const CommandLine& out) {
  if (out.stream.empty() && out.given.contains("--every"))
    return usage("--every needs a --stream").note("hlocc compile MODEL --stream NAME --every N");
  if (out.stream.empty()) return {};
  if (out.given.contains("--curve"))
    return usage("--curve and --stream do not go together")
        .note("rows that are pushed are planned for the smallest arena");
  if (out.compile.shared_arena)
    return usage("--shared-arena and --stream do not go together")
        .note("compile a library of its own: its arena may be the others', too (hlocc_arena.h)");
  if (!out.device.empty() || !out.plugin.empty())
    return usage("--stream and a device beside the target do not go together");
  return {};
}

enum class Targets : uint8_t { kOne, kSeveral };

Status check_targets(const CommandLine& out) {
  if (out.targets.size() <= 1) return {};
  std::vector<std::string_view> several;
#define HLOCC_VERB(Name, word, targets)        \
  if (Targets::targets == Targets::kSeveral) { \
    if (out.verb == Verb::k##Name) return {};  \
    several.emplace_back(#word);               \
  }
#include "driver/cli/verbs.def"
  return usage(cat("only ", join(several, ", "), " take several --target"));
}

}  // namespace

Status check_command(const CommandLine& out) {
  if (out.compile.shared_arena) HLOCC_TRY(check_shared(out));
  if (out.verb == Verb::kCompile && out.models.size() > 1 && !out.compile.shared_arena)
    return usage(cat("`hlocc compile` takes one MODEL, here are ", join(out.models, " and ")))
        .note("--shared-arena makes one library of several models");
  HLOCC_TRY(check_targets(out));
  if (out.options.profile && !out.device.empty())
    return usage("--profile and --backend vulkan do not go together");
  if (out.options.profile && !out.plugin.empty())
    return usage("--profile and --plugin do not go together")
        .note("`hlocc bench --plugin FILE --steps` tells what each step takes where");
  HLOCC_TRY(check_stream(out));
  HLOCC_TRY(check_memories(out));
  if (!out.verify.runner.empty() && out.targets.empty())
    return usage("--runner needs a --target")
        .note("hlocc verify SNAPSHOT --target cortex-m4f --runner ./flash_and_listen.sh");
  if (out.quiet && out.verbose) return usage("-q and -v do not go together");
  if (out.verb == Verb::kInspect && out.inspect.graph.empty() && !out.output.empty())
    return usage("-o of inspect names the file of --graph, which is not given")
        .note("hlocc inspect MODEL --graph svg -o FILE.svg");
  HLOCC_TRY(check_output(out));
  if (!out.board.empty() && out.targets.empty()) return usage("--board needs a --target");
  if (out.verify.streams < 0 && out.verb == Verb::kVerify && out.models.empty() &&
      out.verify.index.empty())
    return usage("verify needs a snapshot or an --index");
  if (out.verify.streams >= 0 && (out.verify.rtol || out.verify.atol))
    return usage("--rtol and --atol compare results, and --streams compares bytes");
  if (!out.verify.known_gaps.empty() && out.verify.index.empty())
    return usage("--known-gaps names cases of an --index");
  if (out.verb == Verb::kVerify && !(out.values.inputs.empty() && out.values.expected.empty()) &&
      out.models.size() != 1)
    return usage("--input and --expect are values of one model")
        .note("hlocc verify MODEL --input NAME=FILE.npy --expect NAME=FILE.npy");
  if (out.verb == Verb::kVerify && out.values.inputs.empty() && out.values.expected.empty() &&
      !(out.reading.dimensions.empty() && out.reading.frozen.empty()))
    return usage("--dim and --freeze change a model, and a snapshot's values would not fit it")
        .note("hlocc verify MODEL --freeze NAME=FILE.npy --input NAME=FILE.npy");
  return {};
}

std::string version_line(std::string_view commit, std::string_view llvm) {
  const bool is_changed = commit.ends_with('+');
  if (is_changed) commit.remove_suffix(1);
  return cat("hlocc ", package::version(), " (",
             commit.empty() ? "commit unknown: not built from a checkout" : cat("commit ", commit),
             is_changed ? " with changes" : "", ", ",
             llvm.empty() ? "without LLVM" : cat("LLVM ", llvm), ")");
}

bool wants_json(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc,
                     [](const char* text) { return std::string_view(text) == "--json"; });
}

namespace {

// The words of the config file that no flag of the command line overrules.
Result<std::vector<ConfigValue>> config_values(const CommandWords& words, CLI::App& app) {
  const auto given = words.flags.find("--config");
  if (given == words.flags.end()) return std::vector<ConfigValue>{};
  if (given->second.size() > 1) return usage("--config is given twice");
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(given->second[0]));
  HLOCC_TRY_ASSIGN(std::vector<ConfigValue> values,
                   read_config({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                               given->second[0], *app.get_subcommand(words.verb)));
  std::erase_if(values, [&](const ConfigValue& v) { return words.flags.contains(v.flag); });
  return values;
}

// A GPU is a device beside a target. To compile, --backend vulkan says no more than that: the
// target has the backend that it has without; another says what its own code is made by.
Status read_device(CommandLine& out) {
  if (!out.device.empty()) {
    const bool beside = out.verb == Verb::kCompile && !out.backend.empty();
    if (out.backend != "vulkan" && !beside)
      return usage(cat("--device ", out.device, ": it is for --backend vulkan"));
    HLOCC_TRY(find_gpu(out.device));
  }
  if (out.backend != "vulkan" || out.verb != Verb::kCompile) return {};
  if (out.device.empty()) out.device = gpu_devices().front().name;
  out.backend.clear();
  return {};
}

Status to_values(const CLI::App& verb, const CommandTexts& raw, CommandLine& out) {
  const auto is_given = [&](const char* flag) {
    return verb.get_option_no_throw(flag) != nullptr && verb.count(flag) > 0;
  };
  out.has_cpu = is_given("--cpu");
  out.has_features = is_given("--features");
  out.profile.has_level = is_given("-O");
  if (is_given("--weights-section"))
    HLOCC_TRY(check_section("--weights-section", out.options.weights_section));
  HLOCC_TRY(parse_level(raw.level, out.options));
  HLOCC_TRY(parse_float_abi(raw.float_abi, out.float_abi));
  HLOCC_TRY_ASSIGN(out.reading.dimensions, parse_dimensions(raw.dimensions));
  HLOCC_TRY(parse_names(raw.arguments, "--arg", out.compile.argument_names));
  HLOCC_TRY(parse_names(raw.results, "--result", out.compile.result_names));
  HLOCC_TRY(parse_emit(raw.emit, out.compile));
  HLOCC_TRY(parse_shard(raw.shard, out));
  HLOCC_TRY(parse_budgets(raw, out));
  HLOCC_TRY(parse_tolerance("--rtol", raw.rtol, is_given("--rtol"), out.verify.rtol));
  HLOCC_TRY(read_device(out));
  if (!out.inspect.graph.empty() && out.output.empty()) out.output = "-";
  HLOCC_TRY(parse_tolerance("--atol", raw.atol, is_given("--atol"), out.verify.atol));
  return check_command(out);
}

}  // namespace

namespace {

// `help`, `help VERB` and `version` are flags under another name.
void read_help_as_flags(std::vector<std::string>& words) {
  if (words.empty()) return;
  if (words[0] == "version") words[0] = "--version";
  if (words[0] != "help") return;
  words.erase(words.begin());
  words.emplace_back("--help");
}

}  // namespace

Result<CommandLine> parse_command_line(int argc, const char* const* argv) {
  CommandLine out;
  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    out.asks_for_version = true;  // build tools ask often; the tree need not be built
    return out;
  }
  CommandTexts raw;
  CLI::App app;
  build_command_tree(app, out, raw);
  std::vector<std::string> all(argv + std::min(argc, 1), argv + argc);
  read_help_as_flags(all);
  HLOCC_TRY_ASSIGN(const CommandWords words, read_words(app, all));
  HLOCC_TRY_ASSIGN(out.config, config_values(words, app));
  out.given = words.flags;
  for (const ConfigValue& value : out.config) out.given[value.flag].push_back(value.value);
  // Right behind the verb: what stands at the end may lie behind a `--`.
  auto place = std::find(all.begin(), all.end(), words.verb);
  for (const ConfigValue& value : out.config) place = all.insert(place + 1, value.word());
  std::reverse(all.begin(), all.end());  // as CLI11 takes them
  // CLI11 reports through exceptions; none leaves this function.
  try {
    app.parse(std::move(all));
  } catch (const CLI::CallForHelp&) {
    out.answer =
        app.get_subcommands().empty() ? app.help() : app.get_subcommands()[0]->help("hlocc");
    return out;
  } catch (const CLI::CallForVersion&) {
    out.asks_for_version = true;
    return out;
  } catch (const CLI::ParseError& failure) {
    return locate_in_config(usage(failure.what()), out.config)
        .note("`hlocc --help` and `hlocc VERB --help` list what there is");
  }
  out.verb = verb_of(app);
  if (Status status = to_values(*app.get_subcommands()[0], raw, out); !status)
    return locate_in_config(std::move(status).error(), out.config);
  return out;
}

}  // namespace hlocc::driver
