// What `analyze` says of a model, line by line, and each line beside a model of which it is not said
// (driver/analyze/analysis_text.cpp, arena_proof.cpp, layer_text.cpp, analysis_cures.cpp).
#include "driver/analyze/analysis_text.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "driver/analyze/layer_text.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

Layer layer_of(const char* kernel, const char* name, int64_t alive) {
  Layer out{.alive_bytes = alive};
  out.launch.kernel = kernel;
  out.launch.origin.layer = name;
  return out;
}

// Two layers; "a" and the argument "b" are alive in the first, "a" and "c" in the second.
Analysis two_layers() {
  Analysis out{.target = "chip", .class_name = "acme::Kws"};
  out.layers = {layer_of("dot_0", "conv", 900), layer_of("relu", "relu", 700)};
  Layer& first = out.layers[0];
  first.weights_bytes = 40, first.flash_bytes = 50;
  first.launch.products = 299.6, first.launch.cycles = 1000.5;
  first.launch.bytes_read = 70, first.launch.bytes_written = 80;
  first.launch.origin.shape = "f32[2]";
  first.launch.origin.source = {{"/a/model.py", "call", 7}};
  out.values = {
      {.name = "a", .hlo = "a.1", .id = 0, .bytes = 600, .first = 0, .last = 1},
      {.name = "b",
       .hlo = "b.1",
       .id = 1,
       .is_argument = true,
       .offset = 600,
       .bytes = 300,
       .last = 0},
      {.name = "c", .hlo = "c.1", .id = 2, .offset = 600, .bytes = 100, .first = 1, .last = 1}};
  out.arena_bytes = 1000, out.instance_bytes = 24, out.live_set_bound = 900;
  out.proof = {.order_bound = 900, .order_search_ended = true, .arena_bytes = 1000};
  out.weights_bytes = 4000, out.code_bytes = 90, out.table_bytes = 6;
  out.has_code = true;
  out.stack_bytes = 128;
  out.cycles = 1200.4, out.products = 300;
  out.peak = 0;
  return out;
}

std::string text_of(const Analysis& found, std::optional<double> clock = std::nullopt,
                    size_t width = 0) {
  return to_text(std::vector<Analysis>{found}, clock, width);
}

// The line of the text that begins so, or "none".
std::string line_with(const std::string& text, const std::string& begin) {
  for (const std::string& line : split(text, '\n'))
    if (line.starts_with(begin)) return line;
  return "none";
}

TEST_CASE("an analysis as a whole") {
  CHECK(
      text_of(two_layers()) ==
      "acme::Kws for chip\n"
      "layer  shape   source      MACs  weights  flash  RAM alive  read  written  cycles  kernel  "
      "schedule\n"
      "conv   f32[2]  model.py:7   300       40     50        900    70       80    1001  dot_0   "
      "\n"
      "relu                          0        0      0        700     0        0       0  relu    "
      "\n"
      "\n"
      "                   chip\n"
      "RAM                1024\n"
      "  arena            1000\n"
      "  instance           24\n"
      "stack               128\n"
      "flash              4096\n"
      "  weights          4000\n"
      "  code               90\n"
      "  tables              6\n"
      "kernels run           2\n"
      "MACs                300\n"
      "cycles, estimated  1200\n"
      "\n"
      "peak     900 bytes alive in conv (dot_0)\n"
      "         600 bytes at 0: a\n"
      "         300 bytes at 600: b, an argument\n"
      "arena    at most 100 bytes above the smallest: every order of these steps has 900 alive; "
      "other offsets of these values, in this order, may take less\n");
}

TEST_CASE("targets of an analysis stand side by side, then each by itself") {
  Analysis other = two_layers();
  other.target = "another", other.has_code = false, other.layers.clear(), other.peak = -1;
  const std::string text = to_text({two_layers(), other}, 1e6, 0);
  CHECK(
      text.starts_with("                      chip    another\n"
                       "RAM                   1024       1024\n"
                       "  arena               1000       1000\n"
                       "  instance              24         24\n"
                       "stack                  128  not known\n"
                       "flash                 4096    >= 4096\n"
                       "  weights             4000       4000\n"
                       "  code                  90  not known\n"
                       "  tables                 6          6\n"
                       "kernels run              2          0\n"
                       "MACs                   300        300\n"
                       "cycles, estimated     1200       1200\n"
                       "time, estimated    1.20 ms    1.20 ms\n"
                       "\nacme::Kws for chip\nlayer  "));
  CHECK(text.find("\n\nacme::Kws for another\nlayer  ") != std::string::npos);
  // The totals stand there once.
  CHECK(text.find("cycles, estimated", text.find("cycles, estimated") + 1) == std::string::npos);
}

TEST_CASE("times of an analysis in the unit that fits") {
  const auto time = [](double cycles) {
    Analysis found = two_layers();
    found.cycles = cycles;
    const std::string line = line_with(text_of(found, 1e6), "time, estimated");
    return line.substr(line.find_first_not_of(' ', 15));
  };
  CHECK(time(1) == "1.0 us");
  CHECK(time(999) == "999.0 us");
  CHECK(time(1000) == "1.00 ms");
  CHECK(time(999000) == "999.00 ms");
  CHECK(time(1e6) == "1.00 s");
  CHECK(time(2.5e6) == "2.50 s");
  CHECK(line_with(text_of(two_layers()), "time") == "none");
}

TEST_CASE("what is said of a peak: ten values, the memory of each, proofs and cures") {
  Analysis found = two_layers();
  found.peak = -1;
  CHECK(line_with(text_of(found), "peak") == "none");
  CHECK(line_with(text_of(found), "arena") == "none");
  found = two_layers();
  for (const int count : {10, 11, 12}) {
    found.values.clear();
    for (int i = 0; i < count; ++i)
      found.values.push_back({.name = cat("v", i), .offset = 100 * i, .bytes = 100 - i});
    const std::string text = text_of(found);
    INFO(text);
    CHECK(line_with(text, "         91 bytes") == "         91 bytes at 900: v9");
    CHECK(line_with(text, "         90 bytes") == "none");
    CHECK(line_with(text, "         and") ==
          (count == 10 ? "none" : cat("         and ", count - 10, " smaller ones")));
  }
  found = two_layers();
  found.row_floor = 640;
  found.ram_cures = {"less of it", "none of it"};
  found.flash_cures = {"smaller code"};
  CHECK(text_of(found).ends_with(
      "rows     640 bytes would do if every row were freed at its last reader\n"
      "RAM      less of it\nRAM      none of it\nflash    smaller code\n"));
}

TEST_CASE("an analysis of several memories says where values are, and what accesses wait") {
  Analysis found = two_layers();
  found.memories = {{"fast", 0, 600, 700}, {"slow", 600, 400, 5000}};
  found.waits = 12.5, found.waits_in_last = 99;
  CHECK(text_of(found).ends_with(
      "peak     900 bytes alive in conv (dot_0)\n"
      "         600 bytes at 0 of fast: a\n"
      "         300 bytes at 0 of slow: b, an argument\n"
      "memory   600 of 700 bytes in fast\n"
      "memory   400 of 5000 bytes in slow\n"
      "memory   accesses wait about 13 cycles more than in the cycles above; 99 if all values lay "
      "in slow and all weights in flash\n"));
  found.kept = {{.from = 0, .to = 900, .bytes = 60}, {.from = 60, .to = 960, .bytes = 4}};
  CHECK(text_of(found).find("memory   64 bytes of weights are copied there by init\n") !=
        std::string::npos);
  const nlohmann::ordered_json json = to_json(found, std::nullopt);
  CHECK(json["values"][0]["memory"] == "fast");
  CHECK(json["values"][1]["memory"] == "slow");
  CHECK(json["values"][1]["offset"] == 0);
  CHECK(json["memories"].dump() == R"([{"name":"fast","arena_bytes":600,"room":700},)"
                                   R"({"name":"slow","arena_bytes":400,"room":5000}])");
  CHECK(json["kept_weights_bytes"] == 64);
  CHECK(json["kept_weights"][1].dump() == R"({"memory":"slow","offset":360,"bytes":4})");
  CHECK(json["expected_waits"] == 13);
  // In any order.
  std::ranges::reverse(found.memories);
  CHECK(text_of(found).find("300 bytes at 0 of slow: b, an argument\n") != std::string::npos);
  CHECK(text_of(found).find("600 bytes at 0 of fast: a\n") != std::string::npos);
  // A value in no memory's piece stands by its place in the arena.
  found.values[0].offset = 1000;
  CHECK(text_of(found).find("600 bytes at 1000: a\n") != std::string::npos);
  CHECK_FALSE(to_json(found, std::nullopt)["values"][0].contains("memory"));
  CHECK_FALSE(to_json(two_layers(), std::nullopt).contains("memories"));
  CHECK_FALSE(to_json(two_layers(), std::nullopt).contains("expected_waits"));
}

TEST_CASE("palettes, curves, sections and loops are said where there are any") {
  Analysis found = two_layers();
  const std::string plain = text_of(found);
  CHECK(plain.find("palette") == std::string::npos);
  for (const char* word : {"curve", "section", "note"}) CHECK(line_with(plain, word) == "none");
  found.palette_layers = 1;
  found.layers[1].palette_bits = 4;
  found.layers[1].palette_bytes_saved = 77;
  found.layers[1].palette_cycles_added = 5.6;
  found.sections = {{".rodata", 4000}, {"code", 96}};
  found.layers_in_loops = 2;
  found.curve = {{512, 488, 3000, "rows"}, {1024, 1000, 1200, ""}};
  const std::string text = text_of(found);
  CHECK(line_with(text, "layer ").ends_with("  palette bits  saved  cycles added"));
  CHECK(line_with(text, "relu ").ends_with("             4     77             6"));
  CHECK(line_with(text, "conv ").ends_with("                                     "));
  CHECK(text.find("curve   RAM  arena  cycles  of the least  plan\n"
                  "        512    488    3000          2.50  rows\n"
                  "       1024   1000    1200          1.00  \n\npeak") != std::string::npos);
  CHECK(text.ends_with(
      "section  4000 bytes of flash in .rodata\nsection  96 bytes of flash in code\n"
      "note     2 kernels stand in loops of unknown length and count for one iteration each\n"));
  const nlohmann::ordered_json json = to_json(found, std::nullopt);
  CHECK(json["sections"].dump() == R"({".rodata":4000,"code":96})");
  CHECK(json["layers"][1]["palette"].dump() ==
        R"({"bits":4,"bytes_saved":77,"expected_cycles_added":6})");
  CHECK_FALSE(json["layers"][0].contains("palette"));
  CHECK(json["curve"].size() == 2);
  found.layers[1].palette_bits = 1;
  found.layers_in_loops = 1;
  CHECK(line_with(text_of(found), "relu ").ends_with("             1     77             6"));
  CHECK(text_of(found).ends_with(
      "note     1 kernels stand in loops of unknown length and count for one iteration each\n"));
  CHECK(to_json(found, std::nullopt)["layers"][1]["palette"]["bits"] == 1);
  CHECK_FALSE(to_json(two_layers(), std::nullopt).contains("curve"));
}

TEST_CASE("members of an analysis as JSON that are not known are null") {
  const nlohmann::ordered_json json = to_json(two_layers(), 1000.0);
  CHECK(json["code_bytes"] == 90);
  CHECK(json["stack_bytes"] == 128);
  CHECK(json["arena_gap_bytes"] == 100);
  CHECK(json["order_search"] == "ended");
  CHECK(json["expected_seconds"].get<double>() == Approx(1.2004));
  CHECK(json["row_floor"].is_null());
  CHECK(json["layers"][0]["runs"] == 1);
  Analysis less = two_layers();
  less.has_code = false, less.live_set_bound = 1001, less.row_floor = 640;
  less.proof.order_search_ended = false;
  less.layers[0].launch.runs.reset();
  nlohmann::ordered_json other = to_json(less, std::nullopt);
  CHECK(other["code_bytes"].is_null());
  CHECK(other["stack_bytes"].is_null());
  CHECK(other["arena_gap_bytes"] == 0);
  CHECK(other["order_search"] == "stopped");
  CHECK_FALSE(other.contains("expected_seconds"));
  CHECK(other["row_floor"] == 640);
  CHECK(other["layers"][0]["runs"].is_null());
  less.proof.order_bound.reset();
  other = to_json(less, std::nullopt);
  CHECK(other["order_bound"].is_null());
  CHECK(other["order_search"].is_null());
}

TEST_CASE("three lines sum up an analysis, with what is known") {
  Analysis found = two_layers();
  const std::string ram = "chip: RAM 1024 bytes (arena 1000, instance 24), stack ";
  const std::string cycles =
      "chip: about 1200 cycles; most RAM is alive in conv (dot_0); the arena "
      "is at most 100 bytes above the smallest\n";
  CHECK(summary(found) ==
        ram + "128\nchip: flash 4096 bytes (weights 4000, code 90, tables 6)\n" + cycles);
  found.table_bytes = 1;
  CHECK(line_with(summary(found), "chip: flash").ends_with("(weights 4000, code 90, tables 1)"));
  found.table_bytes = 0, found.stack_is_lower_bound = true;
  CHECK(summary(found) ==
        ram + ">= 128\nchip: flash 4090 bytes (weights 4000, code 90)\n" + cycles);
  found.has_code = false, found.code_bytes = 0;
  CHECK(summary(found) ==
        ram + "not known\nchip: flash >= 4000 bytes (weights 4000, code not known)\n" + cycles);
  found = two_layers();
  found.memories = {{"fast", 0, 600, 700}, {"slow", 600, 400, 5000}};
  CHECK(line_with(summary(found), "chip: of") == "chip: of the arena 600 in fast, 400 in slow");
  found.layers_in_loops = 1, found.peak = -1, found.proof = {};
  CHECK(line_with(summary(found), "chip: about") ==
        "chip: about 1200 cycles (loops of unknown length counted once)");
  found.palette_layers = 1, found.palette_bytes_saved = 77, found.palette_cycles_added = 200.4;
  CHECK(line_with(summary(found), "chip: palettes") ==
        "chip: palettes take 77 bytes off the weights of 1 layer, for 200 of these cycles (+20.0 "
        "%)");
  found.palette_layers = 2, found.palette_cycles_added = found.cycles;
  CHECK(line_with(summary(found), "chip: palettes") ==
        "chip: palettes take 77 bytes off the weights of 2 layers, for 1200 of these cycles (+0.0 "
        "%)");
  found.cycles = 2, found.palette_cycles_added = 1;
  CHECK(line_with(summary(found), "chip: palettes").ends_with("for 1 of these cycles (+100.0 %)"));
}

TEST_CASE("a library of several models is summed up with what they share") {
  Analysis total = two_layers(), one = two_layers();
  one.class_name = "Vww", one.arena_bytes = 500,
  one.proof = {.order_bound = 500, .arena_bytes = 500};
  const std::string alone = summary(total, {one});
  CHECK(line_with(alone, "chip: models") == "none");
  CHECK(line_with(alone, "chip: Vww") ==
        "chip: Vww: arena 500: about 1200 cycles; most RAM is alive in conv (dot_0); the arena is "
        "optimal");
  total.shared_weights_bytes = 1;
  CHECK(line_with(summary(total, {one}), "chip: models") ==
        "chip: models share 1 bytes of weights");
}

TEST_CASE("proofs of an arena") {
  const std::string may = "other offsets of these values, in this order, may take less",
                    none = "no other offsets of these values, in this order, take less",
                    optimal = "optimal: no order of these steps and no offsets take less";
  const std::string given = "; the order of steps that work with queues is given";
  const std::string one = "at most 1 bytes above the smallest: every order of these steps has 99 ";
  const std::tuple<ArenaProof, std::string, const char*> rows[] = {
      {{.order_bound = 100, .arena_bytes = 100}, optimal, "the arena is optimal"},
      {{.order_bound = 101, .arena_bytes = 100}, optimal, "the arena is optimal"},
      {{.order_bound = 99, .order_search_ended = true, .arena_bytes = 100},
       one + "alive; " + may,
       "the arena is at most 1 bytes above the smallest"},
      {{.order_bound = 99, .offsets_are_optimal = true, .arena_bytes = 100},
       one + "alive (the search for an order stopped there); " + none,
       "the arena is at most 1 bytes above the smallest"},
      {{.arena_bytes = 100}, may + given, ""},
      {{.offsets_are_optimal = true, .arena_bytes = 100}, none + given, ""},
  };
  for (const auto& [proof, text, few] : rows) {
    CHECK(to_text(proof) == text);
    CHECK(short_text(proof) == few);
  }
}

TEST_CASE("names of layers, and what stands behind them") {
  LaunchRow row{.kernel = "dot_0"};
  CHECK(layer_text(row) == "dot_0");
  CHECK(layer_and_kernel(row) == "dot_0");
  row.origin.layer = "conv";
  row.origin.hlo = {"a"};
  CHECK(layer_text(row) == "conv");
  CHECK(layer_and_kernel(row) == "conv (dot_0)");
  row.origin.hlo = {"a", "b"};
  CHECK(layer_text(row) == "conv (+1)");
  row.origin.hlo = {"a", "b", "c"};
  CHECK(layer_text(row) == "conv (+2)");
  row.in_loop = true;
  CHECK(layer_text(row) == "conv (+2) (1 times)");
  row.runs = 7;
  CHECK(layer_text(row) == "conv (+2) (7 times)");
  row.runs.reset();
  CHECK(layer_text(row) == "conv (+2) (an iteration)");
  LaunchRow copy{.kernel = "copy", .launches = false};
  CHECK(layer_text(copy) == "copy");
  copy.origin.layer = "x";
  CHECK(layer_text(copy) == "copy: x");
  copy.launches = true;
  CHECK(layer_text(copy) == "x");
  CHECK(source_text({}).empty());
  CHECK(source_text({.source = {{"/a/m.py", "f", 7}}}) == "m.py:7");
  CHECK(source_text({.source = {{"m.py", "f", 0}, {"n.py", "g", 1}}}) == "m.py:0");
}

// --- cures ---

// The facts of two_layers() as cures are asked for them.
struct CureFacts {
  Analysis found = two_layers();
  planning::Plan plan;
  Target target;

  CureFacts() {
    plan.values.resize(3);
    for (kernel::ProgramValue& value : plan.values) value.element = kernel::Scalar::kS8;
    plan.places.resize(3);
    plan.arena_bytes = plan.live_set_bound = 900;
    found.next_peak_bytes = 700;
  }
  std::vector<std::string> ram() const { return cures_of_ram(found, plan, target); }
};

TEST_CASE("cures of RAM are said where the facts of the peak allow them") {
  const std::string smaller =
      "a smaller a (600 bytes: fewer channels, or a larger stride before it) lowers the peak by up "
      "to 200 bytes";
  using Cures = std::vector<std::string>;
  CHECK(CureFacts().ram() == Cures{smaller});
  CureFacts facts;
  facts.found.next_peak_bytes = 900;
  CHECK(facts.ram().empty());
  facts.found.next_peak_bytes = 899;
  CHECK(facts.ram().size() == 1);
  facts.found.layers.pop_back();  // one layer needs what it needs
  CHECK(facts.ram().empty());
  facts = {};
  facts.found.values[1].bytes = 601;  // an argument is the largest
  CHECK(facts.ram().empty());
  facts = {};
  facts.found.next_peak_bytes = 900;
  facts.target.options.keep_arguments = true;
  CHECK(facts.ram() ==
        Cures{"leave --keep-arguments away: 300 bytes of arguments are alive at the peak"});
  facts.found.values[1].is_argument = false;
  CHECK(facts.ram().empty());
  // Floats: half of the peak's bytes, and one less.
  facts = {};
  facts.found.next_peak_bytes = 900;
  facts.plan.values[1].element = kernel::Scalar::kF32;
  CHECK(facts.ram().empty());
  facts.found.values[1].bytes = 450;
  CHECK(facts.ram() ==
        Cures{"an int8 model holds the float values of the peak in a quarter of their bytes"});
  facts.found.values[1].bytes = 449;
  CHECK(facts.ram().empty());
  // Gaps.
  facts = {};
  facts.found.next_peak_bytes = 900;
  facts.plan.arena_bytes = 901;
  CHECK(facts.ram() ==
        Cures{"1 bytes of the arena are gaps between values (no order packs below 900)"});
  facts.plan.pieces.resize(2);
  CHECK(facts.ram().empty());
}

TEST_CASE("cures of flash are said where something is left to choose") {
  const std::string level = "-Os makes less of the 90 bytes of code";
  const std::string section =
      "--weights-section NAME puts the weights into a memory of their own (external flash)";
  using Cures = std::vector<std::string>;
  const auto cures = [](const CureFacts& facts) {
    return cures_of_flash(facts.found, facts.plan, facts.target);
  };
  CureFacts facts;
  CHECK(cures(facts) == Cures{level, section});
  facts.target.options.level = Level::kOs;
  CHECK(cures(facts) == Cures{section});
  facts.found.weights_bytes = 1024;
  CHECK(cures(facts) == Cures{section});
  facts.found.weights_bytes = 1023;
  CHECK(cures(facts).empty());
  facts.found.weights_bytes = 4000;
  facts.target.options.weights_external = true;
  CHECK(cures(facts).empty());
  facts.target.options.weights_external = false;
  facts.target.options.weights_section = ".w";
  CHECK(cures(facts).empty());
  facts.target.options.level = Level::kO2;
  facts.found.code_bytes = 0;
  CHECK(cures(facts).empty());
  // Transformed weights of Winograd's.
  facts.found.layers[0].launch.choice.algorithm = kernel::Algorithm::kWinograd;
  CHECK(cures(facts) == Cures{"--no-winograd stores 3x3 weights as they are; their transformed "
                              "form takes 40 bytes"});
  facts.target.options.winograd = false;
  CHECK(cures(facts).empty());
}

}  // namespace
}  // namespace hlocc::driver
