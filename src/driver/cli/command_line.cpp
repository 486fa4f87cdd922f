// See command_line.h: from the texts that CLI11 hands over to values.
#include "driver/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>

#include "driver/cli/command_tree.h"
#include "driver/cli/command_words.h"
#include "driver/cli/config.h"
#include "driver/cli/dimensions.h"
#include "driver/pipeline/shared_library.h"
#include "import/file.h"
#include "package/version.h"
#include "support/suggest.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

Verb verb_of(const CLI::App& app) {
  static const std::map<std::string, Verb> verbs = {
      {"compile", Verb::kCompile}, {"run", Verb::kRun},           {"verify", Verb::kVerify},
      {"bench", Verb::kBench},     {"inspect", Verb::kInspect},   {"analyze", Verb::kAnalyze},
      {"reduce", Verb::kReduce},   {"snapshot", Verb::kSnapshot}, {"doctor", Verb::kDoctor},
      {"targets", Verb::kTargets}, {"backends", Verb::kBackends}, {"profile", Verb::kProfile},
      {"convert", Verb::kConvert}, {"matrix", Verb::kMatrix},     {"explain", Verb::kExplain}};
  return app.get_subcommands().empty() ? Verb::kNone
                                       : verbs.at(app.get_subcommands()[0]->get_name());
}

Status parse_level(const std::string& text, Options& options) {
  if (text.empty()) return {};
  for (Level level : {Level::kO0, Level::kO1, Level::kO2, Level::kO3, Level::kOs, Level::kOz})
    if (level_name(level) == "-O" + text) {
      options.level = level;
      return {};
    }
  return usage(cat("-O", text, ": levels are -O0 -O1 -O2 -O3 -Os -Oz"));
}

Status parse_float_abi(const std::string& text, FloatAbi& abi) {
  static const std::map<std::string, FloatAbi> names = {{"", FloatAbi::kDefault},
                                                        {"hard", FloatAbi::kHard},
                                                        {"softfp", FloatAbi::kSoftfp},
                                                        {"soft", FloatAbi::kSoft}};
  const auto found = names.find(text);
  if (found == names.end())
    return suggest(usage(cat("--float-abi ", text, ": it is hard, softfp or soft")), text,
                   {"hard", "softfp", "soft"});
  abi = found->second;
  return {};
}

std::optional<int> parse_number(std::string_view text) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// "0=mfcc" or "s['gain']=gain", once for each leaf.
Status parse_names(const std::vector<std::string>& wishes, const char* flag,
                   std::map<std::string, std::string>& names) {
  for (const std::string& wish : wishes) {
    const size_t equal = wish.rfind('=');
    if (equal == std::string::npos || equal == 0 || wish[0] == '-')
      return usage(cat(std::string(flag), " ", wish,
                       ": it is I=NAME, as in 0=mfcc, or HLO_NAME=NAME, as in s['gain']=gain"));
    const std::string leaf = wish.substr(0, equal);
    if (!names.emplace(leaf, wish.substr(equal + 1)).second)
      return usage(cat(std::string(flag), " ", wish, ": leaf ", leaf, " has a name already"));
  }
  return {};
}

Status parse_emit(const std::vector<std::string>& kinds, CommandLine& out) {
  for (const std::string& kind : kinds) {
    const auto& rows = package::emit_table();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == kind; });
    if (row == rows.end()) {
      std::vector<std::string> names;
      for (const auto& known : rows) names.emplace_back(known.name);
      return suggest(usage(cat("--emit ", kind, ": there is no such kind of file")), kind, names)
          .note("kinds are " + join(names, ", "));
    }
    out.emit.insert(row->emit);
    out.has_emit = true;
  }
  return {};
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
  if (!raw.limits.empty()) {
    HLOCC_TRY_ASSIGN(out.limits, parse_limits(raw.limits));
  }
  if (!raw.clock.empty()) {
    HLOCC_TRY_ASSIGN(out.clock, parse_clock(raw.clock, "--clock"));
  }
  return {};
}

Status parse_shard(const std::string& text, CommandLine& out) {
  if (text.empty()) return {};
  const size_t slash = text.find('/');
  const std::optional<int> shard = parse_number(std::string_view(text).substr(0, slash));
  const std::optional<int> shards = slash == std::string::npos
                                        ? std::nullopt
                                        : parse_number(std::string_view(text).substr(slash + 1));
  if (!shard || !shards || *shard >= *shards)
    return usage(cat("--shard ", text, ": it is I/N with I from 0 to N - 1"));
  out.shard = *shard;
  out.shards = *shards;
  return {};
}

// What LLVM and every assembler take unquoted; and no name that makes a linker treat the section as
// something else than constants.
Status check_section(const std::string& flag, const std::string& name) {
  const auto plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$' ||
           c == '-';
  };
  const std::string what = cat(flag, " ", name, ": ");
  if (name.empty() || !std::all_of(name.begin(), name.end(), plain))
    return usage(cat(what, name.empty() ? "the name is empty" : "no assembler takes that name"))
        .note("a section's name is made of letters, digits and . _ $ -, as in .rodata.weights");
  struct Special {
    std::string_view name, why;
  };
  static constexpr Special specials[] = {
      {".bss", "holds zeros, which are not stored"},
      {".sbss", "holds zeros, which are not stored"},
      {".tbss", "holds zeros, which are not stored"},
      {".noinit", "is not stored"},
      {".init_array", "holds addresses of functions"},
      {".fini_array", "holds addresses of functions"},
      {".preinit_array", "holds addresses of functions"},
      {".ctors", "holds addresses of functions"},
      {".dtors", "holds addresses of functions"},
      {".tdata", "belongs to threads"},
      {".note", "holds the linker's notes"},
      {".debug", "is left out of a firmware"},
      {".comment", "is left out of a firmware"},
      {".symtab", "is the linker's own"},
      {".strtab", "is the linker's own"},
      {".shstrtab", "is the linker's own"},
      {".rel", "is the linker's own"},
      {".rela", "is the linker's own"},
      {".group", "is the linker's own"},
  };
  for (const Special& row : specials)
    if (name == row.name || name.starts_with(cat(row.name, ".")) ||
        (row.name == ".debug" && name.starts_with(".debug_")))
      return usage(cat(what, row.name, " ", row.why))
          .note("constants lie in a section of another name, as in .rodata.weights");
  return {};
}

Status parse_tolerance(const char* flag, const std::string& text, bool is_given,
                       std::optional<double>& out) {
  if (!is_given) return {};
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
      value < 0)
    return usage(cat(flag, " ", text, ": a tolerance is a number that is not negative"))
        .note(cat(flag, " 1e-4"));
  out = value;
  return {};
}

// What -o - and its like write is all that stdout may hold.
Status check_output(const CommandLine& out) {
  const bool is_taken = out.output == "-" || out.html == "-";
  if (!is_taken) return {};
  if (out.json || out.print || !out.print_after.empty() || (out.output == "-" && out.html == "-"))
    return usage("two things would go to the standard output, which - names")
        .note("--json, --print, --print-after and a second - are the others");
  if (out.verb != Verb::kCompile) return {};
  if (out.emit.size() != 1 || out.targets.size() > 1 || !out.depfile.empty())
    return usage(
               "`compile -o -` writes one file of one target to the standard output, and no "
               "depfile")
        .note("--emit names it: header, c, lib, obj, asm, llvm, hlo, kernel or report");
  return {};
}

Status check_verb(const CommandLine& out) {
  if (out.shared_arena) HLOCC_TRY(check_shared(out));
  if (out.verb == Verb::kCompile && out.models.size() > 1 && !out.shared_arena)
    return usage(cat("`hlocc compile` takes one MODEL, here are ", join(out.models, " and ")))
        .note("--shared-arena makes one library of several models");
  if (out.verb != Verb::kCompile && out.verb != Verb::kAnalyze && out.targets.size() > 1)
    return usage("only compile and analyze take several --target");
  if (out.options.profile && !out.plugin.empty())
    return usage("--profile and --plugin do not go together")
        .note("`hlocc bench --plugin FILE --steps` tells what each step takes where");
  if (!out.runner.empty() && out.targets.empty())
    return usage("--runner needs a --target")
        .note("hlocc verify SNAPSHOT --target cortex-m4f --runner ./flash_and_listen.sh");
  if (out.quiet && out.verbose) return usage("-q and -v do not go together");
  HLOCC_TRY(check_output(out));
  if (!out.board.empty() && out.targets.empty()) return usage("--board needs a --target");
  if (out.streams < 0 && out.verb == Verb::kVerify && out.models.empty() && out.index.empty())
    return usage("verify needs a snapshot or an --index");
  if (out.streams >= 0 && (out.rtol || out.atol))
    return usage("--rtol and --atol compare results, and --streams compares bytes");
  if (!out.known_gaps.empty() && out.index.empty())
    return usage("--known-gaps names cases of an --index");
  if (out.verb == Verb::kVerify && !(out.inputs.empty() && out.expected.empty()) &&
      out.models.size() != 1)
    return usage("--input and --expect are values of one model")
        .note("hlocc verify MODEL --input NAME=FILE.npy --expect NAME=FILE.npy");
  if (out.verb == Verb::kVerify && out.inputs.empty() && out.expected.empty() &&
      !(out.dimensions.empty() && out.frozen.empty()))
    return usage("--dim and --freeze change a model, and a snapshot's values would not fit it")
        .note("hlocc verify MODEL --freeze NAME=FILE.npy --input NAME=FILE.npy");
  return {};
}

}  // namespace

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
  if (given == words.flags.end() || given->second.empty()) return std::vector<ConfigValue>{};
  if (given->second.size() > 1) return usage("--config is given twice");
  HLOCC_TRY_ASSIGN(const std::vector<std::byte> bytes, import::read_file(given->second[0]));
  HLOCC_TRY_ASSIGN(std::vector<ConfigValue> values,
                   read_config({reinterpret_cast<const char*>(bytes.data()), bytes.size()},
                               given->second[0], *app.get_subcommand(words.verb)));
  std::erase_if(values, [&](const ConfigValue& v) { return words.flags.contains(v.flag); });
  return values;
}

Status to_values(const CLI::App& verb, const CommandTexts& raw, CommandLine& out) {
  const auto is_given = [&](const char* flag) {
    return verb.get_option_no_throw(flag) != nullptr && verb.count(flag) > 0;
  };
  out.has_cpu = is_given("--cpu");
  out.has_features = is_given("--features");
  out.has_level = is_given("-O");
  if (is_given("--weights-section"))
    HLOCC_TRY(check_section("--weights-section", out.options.weights_section));
  HLOCC_TRY(parse_level(raw.level, out.options));
  HLOCC_TRY(parse_float_abi(raw.float_abi, out.float_abi));
  HLOCC_TRY(parse_names(raw.arguments, "--arg", out.argument_names));
  HLOCC_TRY(parse_names(raw.results, "--result", out.result_names));
  HLOCC_TRY_ASSIGN(out.dimensions, parse_dimensions(raw.dimensions));
  HLOCC_TRY(parse_emit(raw.emit, out));
  HLOCC_TRY(parse_shard(raw.shard, out));
  HLOCC_TRY(parse_budgets(raw, out));
  HLOCC_TRY(parse_tolerance("--rtol", raw.rtol, is_given("--rtol"), out.rtol));
  HLOCC_TRY(parse_tolerance("--atol", raw.atol, is_given("--atol"), out.atol));
  return check_verb(out);
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
