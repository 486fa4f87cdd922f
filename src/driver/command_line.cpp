// See command_line.h. Every flag stands here once; a flag whose feature is not there yet is left
// out, so that it is refused and never ignored.
#include "driver/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "package/version.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

// Texts as CLI11 hands them over, before they become values.
struct Raw {
  std::string level, float_abi, shard;
  std::vector<std::string> arguments, results, emit;
};

// A flag that may stand several times with one value each, so that it never eats the MODEL behind
// it.
CLI::Option* repeated(CLI::App* app, const std::string& flag, std::vector<std::string>& into,
                      const std::string& text) {
  return app->add_option(flag, into, text)->allow_extra_args(false);
}

void add_target_flags(CLI::App* app, CommandLine& out, Raw& raw) {
  repeated(app, "--target", out.targets, "a preset of `hlocc targets`, or an LLVM triple")
      ->type_name("T");
  app->add_option("--cpu", out.cpu, "another processor of the target's family")->type_name("C");
  app->add_option("--features", out.features, "added to the target's, as LLVM spells them: +a,-b");
  app->add_option("--float-abi", raw.float_abi, "hard, softfp or soft");
  app->add_option("--backend", out.backend, "see `hlocc backends`")->type_name("NAME");
  app->add_option("-O", raw.level, "0, 1, 2 (default), 3, s or z")->type_name("LEVEL");
  app->add_flag("--keep-arguments", out.options.keep_arguments, "run leaves its arguments intact");
  app->add_flag("--no-winograd{false}", out.options.winograd,
                "3x3 convolutions in their direct form only");
  app->add_flag("--verify-each", out.options.verify_each,
                "check the program between any two stages");
}

void add_compile(CLI::App& app, CommandLine& out, Raw& raw) {
  CLI::App* verb =
      app.add_subcommand("compile", "compile a model into a static library and a header");
  verb->add_option("MODEL", out.models,
                   "HLO: HloModuleProto, HloProto, HloSnapshot or text; - reads stdin")
      ->required()
      ->expected(1);
  add_target_flags(verb, out, raw);
  verb->add_option("-o", out.output, "the folder for the files (default: .)")->type_name("DIR");
  verb->add_option("--name", out.options.name, "the class: acme::Kws");
  verb->add_option("--emit", raw.emit, "lib,header (default), obj, asm, llvm, c, hlo, kernel")
      ->delimiter(',')
      ->allow_extra_args(false);
  repeated(verb, "--arg", raw.arguments, "names argument I")->type_name("I=NAME");
  repeated(verb, "--result", raw.results, "names result I")->type_name("I=NAME");
  verb->add_option("--weights-section", out.options.weights_section, "where the weights go");
  verb->add_option("--print-after", out.print_after,
                   "print the program after a stage: import, a pass, lower, legalize, share, plan")
      ->type_name("STAGE");
  verb->add_option("--depfile", out.depfile, "write a make rule for the files")->type_name("FILE");
  verb->add_flag("--json", out.json, "errors as JSON");
}

void add_run(CLI::App& app, CommandLine& out) {
  CLI::App* verb =
      app.add_subcommand("run", "run a snapshot, or a model on inputs, on this machine");
  verb->add_option("MODEL_OR_SNAPSHOT", out.models)->required()->expected(1);
  verb->add_option("--backend", out.backend,
                   "interpreter, or cpu (default): compiled for this machine")
      ->type_name("NAME");
  repeated(verb, "--input", out.inputs, "an argument's value")->type_name("NAME=FILE.npy");
  verb->add_option("--output", out.output, "a LiteralProto, or a folder for one .npy a result")
      ->type_name("FILE.pb|DIR/");
  verb->add_flag("--print", out.print, "print the results");
  verb->add_flag("--json", out.json, "errors as JSON");
}

void add_verify(CLI::App& app, CommandLine& out, Raw& raw) {
  CLI::App* verb =
      app.add_subcommand("verify", "run snapshots and compare with the results that they expect");
  verb->add_option("SNAPSHOT", out.models);
  verb->add_option("--index", out.index,
                   "the cases and their rules; without snapshots, all of them")
      ->type_name("FILE.json");
  verb->add_option("--board", out.board, "another row of toolchains/boards to run on")
      ->type_name("B");
  verb->add_option("--shard", raw.shard, "run only part I of N, counted from 0")->type_name("I/N");
  verb->add_flag("--json", out.json, "the outcome as JSON");
  add_target_flags(verb, out, raw);
}

void add_bench(CLI::App& app, CommandLine& out, Raw& raw) {
  CLI::App* verb = app.add_subcommand(
      "bench", "time a snapshot, or a model on random arguments, on this machine");
  verb->add_option("MODEL", out.models)->required()->expected(1);
  verb->add_option("--backend", out.backend,
                   "interpreter, or cpu (default): compiled for this machine")
      ->type_name("NAME");
  verb->add_option("--repeat", out.repeat, "samples (default: as many as a second takes)")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20));
  verb->add_option("-O", raw.level, "0, 1, 2 (default), 3, s or z")->type_name("LEVEL");
  verb->add_flag("--json", out.json, "as JSON");
}

void add_inspect(CLI::App& app, CommandLine& out, Raw& raw) {
  CLI::App* verb = app.add_subcommand("inspect", "what a model takes, gives, holds and needs");
  verb->add_option("MODEL", out.models)->required()->expected(1);
  add_target_flags(verb, out, raw);
  verb->add_flag("--json", out.json, "as JSON");
}

void add_reduce(CLI::App& app, CommandLine& out) {
  CLI::App* verb = app.add_subcommand("reduce", "the smallest module that still fails");
  verb->add_option("MODEL", out.models,
                   "fails: another result than the interpreter's, a crash, a diagnostic")
      ->required()
      ->expected(1);
  verb->add_option("-o", out.output, "the snapshot to write")->type_name("OUT")->required();
  verb->add_option("--backend", out.backend, "interpreter, or cpu (default)")->type_name("NAME");
  verb->add_flag("--json", out.json, "errors as JSON");
}

void add_lists(CLI::App& app, CommandLine& out) {
  CLI::App* targets =
      app.add_subcommand("targets", "the presets for --target, or all about one of them");
  targets->add_option("NAME", out.name);
  targets->add_flag("--json", out.json, "as JSON");
  app.add_subcommand("backends", "the backends and what each makes")
      ->add_flag("--json", out.json, "as JSON");
}

Verb verb_of(const CLI::App& app) {
  static const std::map<std::string, Verb> verbs = {
      {"compile", Verb::kCompile}, {"run", Verb::kRun},         {"verify", Verb::kVerify},
      {"bench", Verb::kBench},     {"inspect", Verb::kInspect}, {"reduce", Verb::kReduce},
      {"targets", Verb::kTargets}, {"backends", Verb::kBackends}};
  return app.get_subcommands().empty() ? Verb::kNone
                                       : verbs.at(app.get_subcommands()[0]->get_name());
}

Diagnostic usage(const std::string& message) { return error(DiagnosticKind::kUsage, message); }

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
  if (found == names.end()) return usage(cat("--float-abi ", text, ": it is hard, softfp or soft"));
  abi = found->second;
  return {};
}

std::optional<int> parse_number(std::string_view text) {
  int number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

// "0=mfcc", once for each leaf.
Status parse_names(const std::vector<std::string>& wishes, const char* flag,
                   std::map<int, std::string>& names) {
  for (const std::string& wish : wishes) {
    const size_t equal = wish.find('=');
    const std::optional<int> leaf = parse_number(std::string_view(wish).substr(0, equal));
    if (equal == std::string::npos || !leaf)
      return usage(cat(std::string(flag), " ", wish, ": it is I=NAME, as in 0=mfcc"));
    if (!names.emplace(*leaf, wish.substr(equal + 1)).second)
      return usage(cat(std::string(flag), " ", wish, ": leaf ", *leaf, " has a name already"));
  }
  return {};
}

Status parse_emit(const std::vector<std::string>& kinds, CommandLine& out) {
  for (const std::string& kind : kinds) {
    const auto& rows = package::emit_table();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.name == kind; });
    if (row == rows.end()) return usage(cat("--emit ", kind, ": there is no such kind of file"));
    out.emit.insert(row->emit);
    out.has_emit = true;
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

Status check_verb(const CommandLine& out) {
  if (out.verb != Verb::kCompile && out.targets.size() > 1)
    return usage("only compile takes several --target");
  if (!out.board.empty() && out.targets.empty()) return usage("--board needs a --target");
  if (out.verb == Verb::kVerify && out.models.empty() && out.index.empty())
    return usage("verify needs a snapshot or an --index");
  return {};
}

}  // namespace

bool wants_json(int argc, const char* const* argv) {
  return std::any_of(argv, argv + argc,
                     [](const char* text) { return std::string_view(text) == "--json"; });
}

Result<CommandLine> parse_command_line(int argc, const char* const* argv) {
  CommandLine out;
  Raw raw;
  CLI::App app{"hlocc compiles XLA HLO ahead of time into a static library and one header",
               "hlocc"};
  app.set_version_flag("--version", cat("hlocc ", package::version()));
  app.require_subcommand(1);
  add_compile(app, out, raw);
  add_run(app, out);
  add_verify(app, out, raw);
  add_bench(app, out, raw);
  add_inspect(app, out, raw);
  add_reduce(app, out);
  add_lists(app, out);
  // CLI11 reports through exceptions; none leaves this function.
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    out.answer = (app.get_subcommands().empty() ? &app : app.get_subcommands()[0])->help();
    return out;
  } catch (const CLI::CallForVersion& version) {
    out.answer = std::string(version.what()) + "\n";
    return out;
  } catch (const CLI::ParseError& failure) {
    return usage(failure.what()).note("`hlocc --help` and `hlocc VERB --help` list what there is");
  }
  out.verb = verb_of(app);
  const CLI::App* verb = app.get_subcommands()[0];
  out.has_cpu = verb->get_option_no_throw("--cpu") != nullptr && verb->count("--cpu") > 0;
  out.has_features =
      verb->get_option_no_throw("--features") != nullptr && verb->count("--features") > 0;
  HLOCC_TRY(parse_level(raw.level, out.options));
  HLOCC_TRY(parse_float_abi(raw.float_abi, out.float_abi));
  HLOCC_TRY(parse_names(raw.arguments, "--arg", out.options.argument_names));
  HLOCC_TRY(parse_names(raw.results, "--result", out.options.result_names));
  HLOCC_TRY(parse_emit(raw.emit, out));
  HLOCC_TRY(parse_shard(raw.shard, out));
  HLOCC_TRY(check_verb(out));
  return out;
}

}  // namespace hlocc::driver
