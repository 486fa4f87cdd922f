// What an analysis is made of: stretches of layers, sums and peaks, what the sections of an object
// say of the flash, and what the weights of each layer take (driver/analyze/analysis.cpp,
// layers.cpp, analysis_cures.cpp).
#include <catch2/catch.hpp>

#include "driver/analyze/analysis.h"
#include "driver/analyze/value_names.h"
#include "driver/pipeline/pipeline.h"
#include "driver/text_module.h"
#include "package/names.h"
#include "support/text.h"
#include "target/target.h"

namespace hlocc::driver {
namespace {

TEST_CASE("stretches of steps as stretches of layers") {
  using Stretches = std::vector<planning::AliveStretch>;
  struct Row {
    Stretches steps;
    std::vector<bool> is_layer;
    const char* layers;
  };
  const Row rows[] = {
      {{}, {true}, ""},
      {{{0, 0, 0}}, {true}, "0:0-0 "},
      {{{0, 0, 0}}, {false}, ""},
      // Only steps that are no layers.
      {{{0, 1, 2}}, {true, false, false, true}, ""},
      {{{0, 1, 3}}, {true, false, false, true}, "0:1-1 "},
      {{{0, 0, 2}}, {true, false, false, true}, "0:0-0 "},
      // A gap of a layer, of none, and of a step that is none.
      {{{0, 0, 0}, {0, 2, 2}}, {true, true, true}, "0:0-0 0:2-2 "},
      {{{0, 0, 0}, {0, 1, 2}}, {true, true, true}, "0:0-2 "},
      {{{0, 0, 0}, {0, 2, 2}}, {true, false, true}, "0:0-1 "},
      {{{0, 0, 0}, {0, 1, 1}, {0, 2, 2}, {0, 4, 4}},
       {true, true, true, true, true},
       "0:0-2 0:4-4 "},
      // Values follow each other and stay two.
      {{{0, 0, 0}, {1, 1, 1}}, {true, true}, "0:0-0 1:1-1 "},
      {{{1, 0, 0}, {0, 1, 1}, {1, 1, 1}}, {true, true}, "0:1-1 1:0-1 "},
  };
  for (const Row& row : rows) {
    std::string text;
    for (const planning::AliveStretch& one : in_layers(row.steps, row.is_layer))
      text += cat(one.value, ":", one.first, "-", one.last, " ");
    CHECK(text == row.layers);
  }
}

// Layers with so many bytes alive, and a value for each of `values`.
Analysis totals_of(const std::vector<int64_t>& alive, std::vector<AliveValue> values = {}) {
  Analysis out{.values = std::move(values)};
  for (const int64_t bytes : alive) out.layers.push_back({.alive_bytes = bytes});
  add_totals(out);
  return out;
}

TEST_CASE("the peak is the first layer with the most bytes alive") {
  const std::pair<std::vector<int64_t>, int> rows[] = {
      {{}, -1},    {{0}, 0},       {{5}, 0},       {{5, 6}, 1},   {{6, 5}, 0},
      {{5, 5}, 0}, {{5, 6, 6}, 1}, {{7, 5, 6}, 0}, {{0, 0, 1}, 2}};
  for (const auto& [alive, peak] : rows) CHECK(totals_of(alive).peak == peak);
}

TEST_CASE("beside the peak's largest value are the layers in which it is not alive") {
  struct Row {
    int first, last;
    int64_t next;
  };
  // The peak is layer 2.
  const Row rows[] = {{2, 2, 80}, {1, 2, 60}, {2, 3, 80}, {1, 3, 50},
                      {0, 3, 40}, {1, 4, 50}, {0, 4, 0}};
  for (const Row& row : rows) {
    INFO(row.first << " " << row.last);
    const Analysis found =
        totals_of({50, 80, 100, 60, 40}, {{.name = "small", .bytes = 1, .first = 2, .last = 2},
                                          {.bytes = 30, .first = row.first, .last = row.last}});
    CHECK(found.next_peak_bytes == row.next);
  }
  CHECK(totals_of({50, 80}).next_peak_bytes == 0);
}

TEST_CASE("values of the peak are those alive in its layer, the largest first") {
  Analysis found{.peak = 2};
  const auto value = [](const char* name, int first, int last, int64_t bytes) {
    return AliveValue{.name = name, .bytes = bytes, .first = first, .last = last};
  };
  found.values = {value("before", 0, 1, 9), value("until", 0, 2, 3), value("at", 2, 2, 5),
                  value("from", 2, 4, 3), value("behind", 3, 4, 9)};
  std::string names;
  for (const AliveValue* one : found.at_peak()) names += one->name + " ";
  CHECK(names == "at until from ");
}

TEST_CASE("sums over layers count each run, and palettes") {
  Analysis found;
  found.layers.resize(4);
  found.layers[0].launch.cycles = 10, found.layers[0].launch.products = 3;
  found.layers[1].launch.cycles = 5, found.layers[1].launch.runs = 4;
  found.layers[2].launch.cycles = 100, found.layers[2].launch.products = 1;
  found.layers[2].launch.runs.reset();
  found.layers[1].palette_bits = 1;
  found.layers[2].palette_bits = 6;
  for (Layer& layer : found.layers) layer.palette_bytes_saved = 7, layer.palette_cycles_added = 2;
  add_totals(found);
  CHECK(found.cycles == 130);
  CHECK(found.products == 4);
  CHECK(found.layers_in_loops == 1);
  CHECK(found.palette_layers == 2);
  CHECK(found.palette_bytes_saved == 28);
  CHECK(found.palette_cycles_added == 8);
}

TEST_CASE("rows may take what the arena takes, and no more") {
  const auto floor_of = [](std::optional<int64_t> bytes) {
    Analysis found{.arena_bytes = 100};
    found.set_row_floor(bytes);
    return found.row_floor;
  };
  CHECK(floor_of(100) == 100);
  CHECK(floor_of(101) == std::nullopt);
  CHECK(floor_of(std::nullopt) == std::nullopt);
}

// --- of a plan ---

struct PlannedText {
  Target target = *preset("cortex-m4f");
  Planned planned;

  explicit PlannedText(const std::string& text) {
    target.options.stem = "m";
    const hlo::Module module = module_of_text(text);
    const Result<kernel::Signature> signature = package::make_signature(module, target.options);
    REQUIRE(signature);
    planned = tests::require(plan_module(module, *signature, target, {}));
  }
  Analysis with(const Artifacts& artifacts) const {
    return analyse(planned.program, planned.plan, artifacts, target);
  }
};

const char* const kTwoDots = R"(HloModule m
ENTRY e {
  x = f32[4] parameter(0)
  w = f32[4,4] constant({{1,2,3,4},{5,6,7,8},{9,10,11,12},{13,14,15,16}})
  a = f32[4] dot(x, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}
  s = f32[4] sine(a)
  ROOT b = f32[4] dot(s, w), lhs_contracting_dims={0}, rhs_contracting_dims={0}
}
)";

TEST_CASE("sections of an object are flash, or of no use to a firmware") {
  const PlannedText model(kTwoDots);
  Artifacts made;
  made.code_bytes = 1, made.weights_bytes = 1, made.stack_bytes = 16;
  const auto text = [&] {
    std::string out;
    for (const FlashSection& one : model.with(made).sections)
      out += cat(one.name, " ", one.bytes, ";");
    return out;
  };
  const auto flash = [&] {
    return flash_of(model.planned.program, model.planned.plan, made, model.target);
  };
  // No object: the user's compiler names the sections.
  CHECK(text().empty());
  CHECK_FALSE(model.with(made).has_code);
  CHECK(flash().bytes() == 2);
  made.sections = {{".ARM.exidx", 8},  {".comment", 70},      {".data.rel.ro", 4},
                   {".debug_info", 9}, {".rodata.cst16", 16}, {".rodata.m_weights", 50},
                   {".symtab", 90},    {".text.m_run_1", 30}, {".eh_frame", 12},
                   {".weights", 7}};
  CHECK(text() ==
        ".text 1;.rodata.m_weights 1;.ARM.exidx 8;.data.rel.ro 4;.eh_frame 12;.rodata.cst16 16;");
  CHECK(model.with(made).has_code);
  CHECK(model.with(made).table_bytes == 40);
  CHECK(flash().weights == 1);
  CHECK(flash().code == 1);
  CHECK(flash().tables == 40);
  CHECK(flash().bytes() == 42);
  made.code_bytes = 0;
  made.weights_bytes = 0;
  CHECK(text() == ".ARM.exidx 8;.data.rel.ro 4;.eh_frame 12;.rodata.cst16 16;");
}

TEST_CASE("a kernel's code and a constant come into flash with the first layer that has them") {
  const PlannedText model(kTwoDots);
  Artifacts made;
  for (const auto& [name, bytes] : {std::pair{"dot", 100}, {"sine", 30}})
    for (int i = 0; i < 3; ++i) {
      made.sections[cat(".text.m_k_", name)] = bytes;
      made.sections[cat(".text.m_k_", name, "_", i)] = bytes;
    }
  const Analysis found = model.with(made);
  std::string text;
  for (const Layer& layer : found.layers)
    text += cat(layer.launch.kernel, " ", layer.weights_bytes, " ", layer.flash_bytes, ";");
  CHECK(text == "dot_0 64 164;sine_1 0 30;dot_0 64 0;");
  CHECK(found.target == "cortex-m4f");
  CHECK(found.stack_bytes == 0);
}

// --- cures that look at the constants ---

struct ConstantFacts {
  Analysis found{.weights_bytes = 1024};
  planning::Plan plan;
  Target target;

  void add(kernel::Scalar element, int64_t elements, int64_t offset,
           kernel::ValueRole role = kernel::ValueRole::kConstant) {
    plan.values.push_back({.element = element, .elements = elements, .role = role});
    plan.places.push_back({.offset = offset});
  }
  // Bytes that are all one, or all different as far as they go.
  void add_bytes(int64_t bytes, bool one, kernel::ValueRole role = kernel::ValueRole::kConstant) {
    add(kernel::Scalar::kS8, bytes, 0, role);
    std::vector<std::byte> data(static_cast<size_t>(bytes));
    for (size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(one ? 7 : i % 256);
    plan.values.back().data = std::make_shared<const std::vector<std::byte>>(std::move(data));
  }
  // The sentence that begins so, or "none".
  std::string cure(const std::string& begin) const {
    for (const std::string& sentence : cures_of_flash(found, plan, target))
      if (sentence.starts_with(begin)) return sentence;
    return "none";
  }
};

TEST_CASE("int8 weights are advised where floats are half of them, and not for few") {
  using kernel::Scalar;
  const auto told = [](int64_t floats, int64_t weights) {
    ConstantFacts facts;
    facts.add(Scalar::kF32, floats, 0);
    facts.found.weights_bytes = weights;
    return facts.cure("int8");
  };
  CHECK(told(256, 1024) == "int8 weights take a quarter of these 1024 bytes of f32");
  CHECK(told(255, 1024) == "none");
  CHECK(told(512, 4097) == "int8 weights take a quarter of these 2048 bytes of f32");
  CHECK(told(512, 4098) == "none");
  // Each place once; nothing but floats, nothing but constants.
  ConstantFacts facts;
  facts.add(Scalar::kF32, 128, 64);
  facts.add(Scalar::kF32, 128, 64);
  facts.add(Scalar::kS32, 128, 2000);
  facts.add(Scalar::kF32, 128, 3000, kernel::ValueRole::kTemporary);
  CHECK(facts.cure("int8") == "none");
  facts.add(Scalar::kF32, 128, 4000);
  CHECK(facts.cure("int8") == "int8 weights take a quarter of these 1024 bytes of f32");
}

TEST_CASE("palettes are advised where they are off and constants would have some") {
  const std::string begin = "leave --weights-compression none away: palettes take up to ";
  ConstantFacts facts;
  facts.add_bytes(1024, true);
  CHECK(facts.cure("leave") == "none");
  facts.target.options.weights_compression = WeightsCompression::kNone;
  CHECK(facts.cure("leave") == begin + "894 bytes off the weights");
  facts.add_bytes(1024, true);
  CHECK(facts.cure("leave") == begin + "1788 bytes off the weights");
  ConstantFacts none;
  none.target.options.weights_compression = WeightsCompression::kNone;
  none.add_bytes(1023, true);
  none.add_bytes(1024, false);
  none.add_bytes(1024, true, kernel::ValueRole::kState);
  CHECK(none.cure("leave") == "none");
}

TEST_CASE("nothing is said of a peak that there is not") {
  Analysis found{.live_set_bound = 1};
  found.layers.resize(2);
  found.layers[0].alive_bytes = found.layers[1].alive_bytes = 100;
  planning::Plan plan;
  CHECK(found.peak == -1);
  CHECK(cures_of_ram(found, plan, {}).empty());
  // Nor of one of no bytes.
  found.peak = 0;
  found.layers[0].alive_bytes = 0;
  CHECK(cures_of_ram(found, plan, {}).empty());
}

TEST_CASE("scratch is called like its layer, where that has a name") {
  const hlo::Module module = module_of_text(
      "HloModule m\nless { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = pred[] "
      "compare(a, b), direction=LT }\nENTRY e {\n x = f32[64] parameter(0)\n ROOT s = f32[64] "
      "sort(x), dimensions={0}, to_apply=less\n}\n");
  Target target = *preset("cortex-m4f");
  target.options.stem = "m";
  const Result<kernel::Signature> signature = package::make_signature(module, target.options);
  REQUIRE(signature);
  Result<Planned> planned = plan_module(module, *signature, target, {});
  REQUIRE(planned);
  const auto scratches = [&](const std::string& name) {
    return std::ranges::count(value_names(planned->program, planned->plan), name);
  };
  CHECK(scratches("s (scratch row)") == 2);
  for (kernel::Step& step : planned->plan.steps) step.origin.layer.clear();
  CHECK(scratches("s (scratch row)") == 0);
  CHECK(scratches(" (scratch row)") == 0);
  CHECK(scratches("sort_0.row") == 2);
}

}  // namespace
}  // namespace hlocc::driver
