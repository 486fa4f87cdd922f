// See command_flags.h. Every such flag stands here once.
#include "driver/cli/command_flags.h"

#include "kernel/program.h"

namespace hlocc::driver {

// A flag that may stand several times with one value each, so that it never eats the MODEL behind
// it.
CLI::Option* repeated(CLI::App* app, const std::string& flag, std::vector<std::string>& into,
                      const std::string& text) {
  return app->add_option(flag, into, text)->allow_extra_args(false);
}

void add_plugin(CLI::App* app, CommandLine& out) {
  app->add_option("--plugin", out.plugin,
                  "a shared library with a device that computes what it can")
      ->type_name("FILE");
  app->add_option("--device", out.device,
                  "with --backend vulkan: shaders ask of the GPU what this row of `hlocc targets` "
                  "has (default: the row of what is here)")
      ->type_name("NAME");
}

void add_threads(CLI::App* app, CommandLine& out) {
  app->add_option("--threads", out.options.threads,
                  "run deals its work out to N threads, by hlocc_parallel_for (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1, kernel::kMostRanges));
}

void add_limits(CLI::App* verb, CommandTexts& raw) {
  verb->add_option("--limits", raw.limits,
                   "what reading and compiling may take, for files that need more than their size "
                   "allows: work=40G,memory=8G")
      ->type_name("work=N,memory=BYTES");
}

// What every verb has; docs/command_line.md says more.
void add_common(CLI::App* verb, CommandLine& out) {
  verb->add_flag("--json", out.json, "what it says and its errors as JSON");
  verb->add_flag("-q", out.quiet,
                 "no more than the result: no notes, no progress, no closing lines");
  verb->add_flag("-v", out.verbose, "each stage on stderr as it begins");
}

void add_target_flags(CLI::App* app, CommandLine& out, CommandTexts& raw) {
  repeated(app, "--target", out.targets, "a preset of `hlocc targets`, or an LLVM triple")
      ->type_name("T");
  app->add_option("--cpu", out.cpu, "another processor of the target's family")->type_name("C");
  app->add_option("--features", out.features, "added to the target's, as LLVM spells them: +a,-b");
  app->add_option("--float-abi", raw.float_abi, "hard, softfp or soft");
  app->add_option("--backend", out.backend, "see `hlocc backends`")->type_name("NAME");
  app->add_option("-O", raw.level, "0, 1, 2 (default), 3, s or z")->type_name("LEVEL");
  app->add_flag("--keep-arguments", out.options.keep_arguments, "run leaves its arguments intact");
  app->add_flag("--fast-math", out.options.fast_math,
                "floats may lose signs of zeros, divide by multiplying and round products late");
  app->add_flag("--no-winograd{false}", out.options.winograd,
                "3x3 convolutions in their direct form only");
  app->add_flag("--no-integer-qdq{false}", out.options.integer_qdq,
                "floats between dequantisation and quantisation stay floats");
  add_threads(app, out);
  app->add_option("--ram-budget", raw.ram_budget,
                  "the fastest code whose arena and instance take no more: 65536, 64K")
      ->type_name("BYTES");
  app->add_option_function<std::string>(
         "--optimize",
         [&out](const std::string& what) { out.options.optimize_ram = what == "ram"; },
         "ram: the smallest arena, at the cost of time")
      ->type_name("ram")
      ->check(CLI::IsMember({"ram"}));
  app->add_option_function<std::string>(
         "--weights-compression",
         [&out](const std::string& how) {
           out.options.weights_compression =
               how == "none" ? WeightsCompression::kNone : WeightsCompression::kPalettes;
         },
         "palettes: weights of at most 64 different numbers take 1 to 6 bits each and results stay "
         "as they are; none (default: palettes where --flash is exceeded)")
      ->type_name("HOW")
      ->check(CLI::IsMember({"palettes", "none"}));
  app->add_flag("--verify-each", out.options.verify_each,
                "check the program between any two stages");
}

void add_choices(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  repeated(
      verb, "--dim", raw.dimensions,
      "a size that the model leaves open: of the name batch, or of dimension 0 of all arguments")
      ->type_name("NAME=SIZE");
  repeated(verb, "--freeze", out.reading.frozen,
           "an argument becomes a constant: of a file, or those that a pattern names, of --from")
      ->type_name("NAME=FILE.npy|PATTERN");
  verb->add_option("--member", out.reading.member, "of a zip archive (.task), the model in it")
      ->type_name("NAME");
  verb->add_option("--signature", out.reading.signature,
                   "of a .tflite file of several signatures, which of them")
      ->type_name("NAME");
  verb->add_option("--rounding", out.reading.rounding,
                   "whose integers those of a .tflite file are: tflm (default), litert, xnnpack")
      ->type_name("WHOSE")
      ->check(CLI::IsMember({"tflm", "litert", "xnnpack"}));
  verb->add_option("--from", out.reading.frozen_from, "holds the values for --freeze PATTERN")
      ->type_name("SNAPSHOT");
}

void add_jobs(CLI::App* verb, CommandLine& out, const char* what) {
  verb->add_option("-j", out.jobs, what)->type_name("N")->check(CLI::Range(1, 1024));
}

namespace {

void add_stream(CLI::App* verb, CommandLine& out) {
  verb->add_option("--stream", out.stream,
                   "the rows of an argument come one after the other: begin and push in place of "
                   "run")
      ->type_name("NAME[=AXIS]");
  // Read from CommandLine::given (driver/pipeline/windows.h).
  verb->add_option_function<int64_t>(
          "--every", [](int64_t) {},
          "with --stream: windows follow one another, a result each N rows at the cost of those")
      ->type_name("N")
      ->check(CLI::Range(1, 1 << 30));
}

}  // namespace

void add_memories(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  verb->add_option(
          "--memory", raw.memories,
          "the arena in several memories, the fastest first: fast:64K,slow:512K; of a chip "
          "that is known the names will do: dtcm,sram")
      ->type_name("NAME[:BYTES[:WAITS]],...");
  verb->add_option("--weights-in", out.options.weights_memory,
                   "with --memory: init copies the weights that are worth it into this memory")
      ->type_name("NAME");
}

void add_plan_flags(CLI::App* verb, CommandLine& out, CommandTexts& raw) {
  add_stream(verb, out);
  add_memories(verb, out, raw);
}

void add_curve(CLI::App* verb) {
  verb->add_flag_function(
      "--curve", [](int64_t) {}, "RAM against cycles: up to ten plans between fast and small");
}

void add_budgets(CLI::App* verb, CommandTexts& raw) {
  verb->add_option("--ram", raw.ram, "the most that arena and instance may take: 65536, 64K")
      ->type_name("BYTES");
  verb->add_option("--flash", raw.flash, "the most that weights and code may take")
      ->type_name("BYTES");
  verb->add_option("--stack", raw.stack, "the most that run may take of the stack")
      ->type_name("BYTES");
}

void add_graph(CLI::App* verb, CommandLine& out) {
  verb->add_option("--graph", out.inspect.graph,
                   "svg: a picture of the layers after fusion, with bytes and expected cycles")
      ->type_name("svg")
      ->check(CLI::IsMember({"svg"}));
  verb->add_option("-o", out.output, "the file of --graph (default: -, stdout)")->type_name("FILE");
}

void add_cache(CLI::App* verb, CommandLine& out) {
  verb->add_option("--cache", out.cache,
                   "answers what was compiled before: folders and http:// addresses, nearest "
                   "first (default: HLOCC_CACHE)")
      ->type_name("PLACE[,PLACE]");
  verb->add_option("--cache-verify", out.cache_verify,
                   "of what the cache answers, percent that are compiled as well and compared")
      ->type_name("P")
      ->check(CLI::Range(0, 100));
}

void add_values(CLI::App* verb, CommandLine& out) {
  repeated(verb, "--input", out.values.inputs, "an argument's value")->type_name("NAME=FILE.npy");
  repeated(verb, "--expect", out.values.expected,
           "a result's value (default: what the interpreter computes)")
      ->type_name("NAME=FILE.npy");
}

}  // namespace hlocc::driver
