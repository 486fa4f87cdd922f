// See command_tree.h. Every flag of one verb stands here once.
#include "driver/cli/command_tree.h"

#include <CLI/CLI.hpp>

#include "driver/cli/command_examples.h"
#include "driver/cli/command_flags.h"
#include "driver/packages/formats.h"
#include "package/version.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {
void add_compile(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description("compile a model into a static library and a header");
  verb->add_option("MODEL", out.models,
                   "HLO (HloModuleProto, HloProto, HloSnapshot, text), TensorFlow Lite or ONNX; - "
                   "reads stdin; with "
                   "--shared-arena several, which NAME=MODEL names")
      ->required();
  add_target_flags(verb, out, raw);
  add_choices(verb, out, raw);
  add_plugin(verb, out);
  add_plan_flags(verb, out, raw);
  verb->add_option(
          "-o", out.output,
          "the folder for the files (default: .); - writes the one file of --emit to stdout")
      ->type_name("DIR");
  verb->add_option("--name", out.options.name, "the class: acme::Kws");
  verb->add_flag("--shared-arena", out.compile.shared_arena,
                 "several models, which run one after the other, as one library with one arena");
  verb->add_option("--emit", raw.emit,
                   "lib,header (default), obj, asm, llvm, c, hlo, kernel, report")
      ->delimiter(',')
      ->allow_extra_args(false);
  repeated(verb, "--arg", raw.arguments, "names argument I, or the one that HLO calls so")
      ->type_name("I=NAME|HLO_NAME=NAME");
  repeated(verb, "--result", raw.results, "names result I")->type_name("I=NAME");
  verb->add_option("--weights-section", out.options.weights_section, "where the weights go");
  verb->add_option_function<std::string>(
          "--weights",
          [&out](const std::string& where) { out.options.weights_external = where == "external"; },
          "inside the code (default), or external: a file of their own")
      ->type_name("WHERE")
      ->check(CLI::IsMember({"inside", "external"}));
  verb->add_flag("-g", out.options.debug,
                 "line tables for debuggers: each layer is at its line of your program");
  verb->add_flag("--profile", out.options.profile,
                 "run tells hlocc_profile_step what begins: see hlocc_profile.h");
  add_budgets(verb, raw);
  add_limits(verb, raw);
  verb->add_option("--print-after", out.compile.print_after,
                   "print the program after a stage: import, a pass, lower, legalize, "
                   "palettes, split, share, plan")
      ->type_name("STAGE");
  verb->add_option(
          "--config", raw.config,
          "flags from a file, {\"name\": \"acme::Kws\", ...}; those given here overrule it")
      ->type_name("FILE.json");
  verb->add_option("--depfile", out.depfile, "write a make rule for the files")->type_name("FILE");
  add_cache(verb, out);
  verb->add_flag("--time-report", out.time_report, kTimeReport);
  add_common(verb, out);
}

void add_run(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description("run a snapshot, or a model on inputs, on this machine");
  verb->add_option("MODEL_OR_SNAPSHOT", out.models)->required()->expected(1);
  verb->add_option("--backend", out.backend,
                   "cpu (default): compiled for this machine; or see `hlocc backends`")
      ->type_name("NAME");
  add_plugin(verb, out);
  repeated(verb, "--input", out.values.inputs, "an argument's value")->type_name("NAME=FILE.npy");
  verb->add_option("--output", out.output, "a LiteralProto, or a folder for one .npy a result")
      ->type_name("FILE.pb|DIR/|-");
  verb->add_flag("--print", out.print, "print the results");
  add_choices(verb, out, raw);
  add_limits(verb, raw);
  add_common(verb, out);
}

void add_snapshot(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description("write a model, values for its arguments and their result as one file");
  verb->add_option("MODEL", out.models)->required()->expected(1);
  add_values(verb, out);
  verb->add_option("-o", out.output, "the snapshot to write; - is stdout")
      ->type_name("OUT")
      ->required();
  add_choices(verb, out, raw);
  add_limits(verb, raw);
  add_common(verb, out);
}

void add_convert(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description("write a model of any format as a HloModuleProto");
  verb->add_option("MODEL", out.models)->required()->expected(1);
  verb->add_option("-o", out.output, "the HLO to write; - is stdout")->type_name("OUT")->required();
  add_choices(verb, out, raw);
  add_limits(verb, raw);
  add_common(verb, out);
}

void add_verify(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description("run snapshots, or a model on inputs, and compare with what is expected");
  verb->add_option("SNAPSHOT", out.models);
  add_values(verb, out);
  verb->add_option("--index", out.verify.index,
                   "the cases and their rules; without snapshots, all of them")
      ->type_name("FILE.json");
  verb->add_option("--rtol", raw.rtol,
                   "how far a result may be off, of its size; instead of the cases' own rules")
      ->type_name("X");
  verb->add_option("--atol", raw.atol, "how far a result may be off besides; 0 without")
      ->type_name("X");
  verb->add_option("--board", out.board, "another row of toolchains/boards to run on")
      ->type_name("B");
  verb->add_option("--runner", out.verify.runner,
                   "brings a case to hardware and prints what that says: given a folder with the "
                   "library and selftest.c, with --board a program")
      ->type_name("CMD");
  verb->add_option("--known-gaps", out.verify.known_gaps,
                   "cases of the index that must not pass, and why; one that does is a failure")
      ->type_name("FILE");
  add_plugin(verb, out);
  verb->add_option("--streams", out.verify.streams,
                   "test the backend's streams, events and copies, with N random schedules")
      ->type_name("N")
      ->check(CLI::Range(0, 1 << 20));
  verb->add_option("--case-seconds", out.verify.case_seconds,
                   "what takes longer has failed (default: 300)")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20));
  verb->add_flag("--guard", out.verify.guard,
                 "run each case between guard pages (on boards: red zones), with zeros, ones and "
                 "signalling bits in its memory before");
  verb->add_flag("--allow-skips", out.verify.allow_skips,
                 "that nothing ran, for want of a tool or of room, is no failure");
  verb->add_option("--shard", raw.shard, "run only part I of N, counted from 0")->type_name("I/N");
  add_plan_flags(verb, out, raw);
  add_jobs(verb, out, "of several targets, how many at once (default: one a processor)");
  add_choices(verb, out, raw);
  add_limits(verb, raw);
  add_common(verb, out);
  add_target_flags(verb, out, raw);
}

void add_bench(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description("time a snapshot, or a model on random arguments, on this machine");
  verb->add_option("MODEL", out.models)->required()->expected(1);
  verb->add_option("--backend", out.backend,
                   "cpu (default): compiled for this machine; or see `hlocc backends`")
      ->type_name("NAME");
  add_plugin(verb, out);
  verb->add_option("--repeat", out.bench.repeat, "samples (default: as many as a second takes)")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 20));
  add_threads(verb, out);
  verb->add_flag("--steps", out.bench.steps,
                 "one more call, step by step: what took how long where");
  add_choices(verb, out, raw);
  add_limits(verb, raw);
  verb->add_option("-O", raw.level, "0, 1, 2 (default), 3, s or z")->type_name("LEVEL");
  add_common(verb, out);
}

void add_inspect(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description("what a model takes, gives, holds and needs");
  verb->add_option("MODEL", out.models)->required()->expected(1);
  add_target_flags(verb, out, raw);
  add_choices(verb, out, raw);
  add_plugin(verb, out);
  verb->add_flag("--kernels", out.inspect.kernels,
                 "a line for each launch: schedule, tile, products, bytes, expected cycles");
  add_graph(verb, out);
  add_limits(verb, raw);
  verb->add_flag("--check", out.inspect.check,
                 "end with 1 if an op of the model cannot be compiled");
  verb->add_flag("--time-report", out.time_report, kTimeReport);
  add_common(verb, out);
}

void add_analyze(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description(
      "RAM, flash, stack and expected cycles, layer by layer, before anything is flashed");
  verb->add_option("MODEL", out.models)->required()->expected(1);
  add_target_flags(verb, out, raw);
  add_choices(verb, out, raw);
  add_budgets(verb, raw);
  add_plan_flags(verb, out, raw);
  verb->add_option("--clock", raw.clock, "the chip's: 80MHz, for a time beside the cycles")
      ->type_name("HZ");
  verb->add_option("--name", out.options.name, "the class, as compile has it");
  add_curve(verb);
  verb->add_option("--html", out.html, "a page with the memory map, to be looked at")
      ->type_name("FILE");
  add_limits(verb, raw);
  add_common(verb, out);
}

void add_profile(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description("what the steps of a --profile build took on a board, with HLO's names");
  verb->add_option("DUMP", out.models, "the board's output, with what hlocc_steps_dump wrote")
      ->required()
      ->expected(1);
  verb->add_option("--model", out.profile.model, "the model that the library was compiled from")
      ->type_name("MODEL")
      ->required();
  add_target_flags(verb, out, raw);
  add_choices(verb, out, raw);
  verb->add_option("--clock", raw.clock, "the counter's: 80MHz, for a time beside the ticks")
      ->type_name("HZ");
  verb->add_option("--html", out.html, "a page with the run over time")->type_name("FILE");
  add_limits(verb, raw);
  add_common(verb, out);
}

void add_reduce(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description("the smallest module that still fails");
  verb->add_option("MODEL", out.models,
                   "fails: another result than the interpreter's, a crash, a diagnostic")
      ->required()
      ->expected(1);
  verb->add_option("-o", out.output, "the snapshot to write; - is stdout")
      ->type_name("OUT")
      ->required();
  verb->add_option("--backend", out.backend, "interpreter, or cpu (default)")->type_name("NAME");
  add_choices(verb, out, raw);
  add_limits(verb, raw);
  add_common(verb, out);
}

void add_doctor(CLI::App* verb, CommandLine& out, CommandTexts&) {
  verb->description("what is wrong with a firmware that a library was linked into");
  verb->add_option("FIRMWARE", out.models, "the linker's output, with symbols")
      ->required()
      ->expected(1);
  verb->add_option("--library", out.doctor.library,
                   "what `hlocc compile` wrote, its manifest beside it")
      ->type_name("LIB.a")
      ->required();
  verb->add_option("--header", out.doctor.header, "the header that the firmware was built with")
      ->type_name("FILE.h");
  verb->add_option("--arena", out.doctor.arena,
                   "the array that init is given, where it is not found")
      ->type_name("SYMBOL");
  add_common(verb, out);
}

void add_matrix(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description("compile models by targets by options, as a file says; or what moved since");
  verb->add_option(
          "FILE", out.models,
          "the matrix, a JSON file; or `diff` and two reports, `merge` and those of all shards")
      ->required()
      ->expected(1, -1);
  MatrixFlags& flags = out.matrix;
  verb->add_option("-o", out.output, "the folder for all files (default: the file's \"output\")")
      ->type_name("DIR");
  add_jobs(verb, out, "how many processes at once (default: one a processor)");
  verb->add_flag("--fail-fast", flags.fail_fast, "after a failure no other model is begun");
  verb->add_option("--shard", raw.shard, "compile only part I of N, counted from 0")
      ->type_name("I/N");
  verb->add_option("--times", flags.times, "balance shards by the times in an earlier report")
      ->type_name("FILE.json");
  verb->add_option("--changed-since", flags.since, "only cells whose files git says changed")
      ->type_name("REV");
  verb->add_option("--baseline", flags.baseline,
                   "an earlier report: growth beyond the file's \"gates\" is a failure")
      ->type_name("FILE.json");
  verb->add_option("--report", flags.report, "write what --json prints")->type_name("FILE.json");
  verb->add_option("--junit", flags.junit, "write JUnit's XML")->type_name("FILE.xml");
  verb->add_option("--markdown", flags.markdown, "write a comment for a pull request")
      ->type_name("FILE.md");
  verb->add_option("--html", out.html, "write a page")->type_name("FILE");
  verb->add_option("--depfile", out.depfile, "write a make rule for the files")->type_name("FILE");
  add_cache(verb, out);
  add_limits(verb, raw);
  add_common(verb, out);
}

void add_package(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->description("put compiled models into a package of an ecosystem of firmware");
  verb->add_option("MODEL", out.models, "the model; several become one package, NAME=MODEL names")
      ->required();
  PackageFlags& flags = out.package;
  verb->add_option("--format", flags.format, join(format_names(), ", "))
      ->type_name("F")
      ->required();
  verb->add_option("-o", out.output,
                   "the folder for the package: empty, or one of hlocc's packages")
      ->type_name("DIR")
      ->required();
  verb->add_option("--name", out.options.name, "the class, or that of the whole: acme::Kws");
  verb->add_option("--package-version", flags.version, "of the package (default: 0.1.0)")
      ->type_name("MAJOR.MINOR.PATCH");
  verb->add_option("--description", flags.description, "a sentence")->type_name("TEXT");
  verb->add_option("--maintainer", flags.maintainer, "who answers for it")
      ->type_name("NAME <MAIL>");
  verb->add_option("--license", flags.license, "of the model, as SPDX spells it")
      ->type_name("SPDX");
  verb->add_option("--url", flags.url, "where the package comes from")->type_name("URL");
  add_values(verb, out);
  add_target_flags(verb, out, raw);
  add_choices(verb, out, raw);
  add_budgets(verb, raw);
  add_memories(verb, out, raw);
  add_cache(verb, out);
  add_limits(verb, raw);
  add_common(verb, out);
}

void add_targets(CLI::App* verb, CommandLine& out, CommandTexts&) {
  verb->description("the presets for --target, or all about one of them");
  verb->add_option("NAME", out.name);
  add_common(verb, out);
}

void add_backends(CLI::App* verb, CommandLine& out, CommandTexts&) {
  verb->description("the backends and what each makes");
  add_common(verb, out);
}

void add_explain(CLI::App* verb, CommandLine& out, CommandTexts&) {
  verb->description("what a kind of error means, an example, and what cures it");
  verb->add_option("KIND", out.name, "shape, of error[shape]; without one, all of them");
  add_common(verb, out);
}

// Below the flags of `hlocc VERB --help`.
void add_examples(CLI::App& app) {
  std::map<std::string, std::string> texts;
  for (const CommandExample& example : command_examples())
    texts[std::string(example.verb)] += cat("  ", example.line, "\n      ", example.what, "\n");
  for (const auto& [verb, text] : texts) app.get_subcommand(verb)->footer("Examples:\n" + text);
}

}  // namespace

void build_command_tree(CLI::App& app, CommandLine& out, CommandTexts& raw) {
  app.description("hlocc compiles XLA HLO ahead of time into a static library and one header");
  app.name("hlocc");
  app.set_version_flag("--version", std::string(package::version()));
  app.require_subcommand(1);
#define HLOCC_VERB(Name, word, ...) add_##word(app.add_subcommand(#word, ""), out, raw);
#include "driver/cli/verbs.def"
  add_examples(app);
}

}  // namespace hlocc::driver
