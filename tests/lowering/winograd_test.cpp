// Winograd's convolutions: every border, block and tile against the interpreter, what chooses them,
// and how near they are.
#include <cmath>
#include <random>

#include "interpreter/interpreter.h"
#include "lowering/convolution/winograd.h"
#include "lowering/emitter/emitter.h"
#include "lowering/harness.h"
#include "support/text.h"
#include "transforms/pipeline.h"

namespace hlocc::tests {
namespace {

using hlo::Literal;
using lowering::TileSize;
using lowering::WinogradPlan;

struct Form {
  int64_t batch = 1, height = 0, width = 0, inputs = 0, outputs = 0;
  int64_t top = 1, bottom = 1, left = 1, right = 1;
  int64_t out_height() const { return height + top + bottom - 2; }
  int64_t out_width() const { return width + left + right - 2; }
};

// The filter as nested braces, quarters in [-2, 2] or, when `normal`, numbers of a normal
// distribution.
std::string filter_text(const Form& f, bool normal) {
  std::mt19937 random(7);
  std::normal_distribution<float> bell;
  std::string text = "{";
  for (int tap = 0; tap < 9; ++tap) {
    text += tap % 3 == 0 ? (tap == 0 ? "{{" : "},{{") : ",{";
    for (int64_t c = 0; c < f.inputs; ++c) {
      text += c == 0 ? "{" : ",{";
      for (int64_t n = 0; n < f.outputs; ++n)
        text += (n == 0 ? "" : ",") +
                std::to_string(normal ? bell(random) : static_cast<float>(random() % 17) / 4 - 2);
      text += "}";
    }
    text += "}";
  }
  return text + "}}";
}

std::string convolution_text(const Form& f, bool normal = false) {
  return cat("a = f32", dims({f.batch, f.height, f.width, f.inputs}), " parameter(0)\n b = f32",
             dims({3, 3, f.inputs, f.outputs}), " constant(", filter_text(f, normal), ")\n c = f32",
             dims({f.batch, f.out_height(), f.out_width(), f.outputs}),
             " convolution(a, b), window={size=3x3 pad=", f.top, "_", f.bottom, "x", f.left, "_",
             f.right, "}, dim_labels=b01f_01io->b01f\n");
}

// What an epilogue does to the convolution %c: a bias, a residual that may lie in the result's
// place, and a clamp.
std::string with_epilogue(const Form& f, const std::string& text) {
  const std::string type = "f32" + dims({f.batch, f.out_height(), f.out_width(), f.outputs});
  std::string bias = "{";
  for (int64_t n = 0; n < f.outputs; ++n) bias += (n == 0 ? "" : ",") + std::to_string(n % 5 - 2);
  return cat(text, " d = f32", dims({f.outputs}), " constant(", bias, "})\n e = ", type,
             " broadcast(d), dimensions={3}\n g = ", type, " add(c, e)\n h = ", type,
             " parameter(1)\n s = ", type, " add(g, h)\n z = f32[] constant(0)\n y = ", type,
             " broadcast(z), dimensions={}\n ROOT r = ", type, " maximum(s, y)");
}

std::string root_of(const std::string& text) {
  std::string out = text;
  return out.replace(out.find(" c = "), 5, " ROOT c = ");
}

Literal expected_of(const hlo::Module& module, const std::vector<Literal>& arguments) {
  const Result<Literal> result = interpreter::run(module, arguments);
  if (!result) FAIL(result.error().to_string());
  return *result;
}

// A program of the one convolution in the form that the plan says, whatever it costs.
kernel::Program forced(const hlo::Module& module, const Target& target, const WinogradPlan& plan) {
  const hlo::Computation& entry = module.entry_computation();
  const lowering::Group group = lowering::single_group(module, entry, entry.root);
  lowering::Emitter emitter(group, target, "convolution");
  lowering::Convolution convolution = lowering::convolution_of(emitter, entry.root);
  REQUIRE(costs::allows_winograd(convolution));
  lowering::emit(convolution, plan);
  kernel::Program program;
  program.signature = signature_of(module);
  const auto add = [&](kernel::ProgramValue value) {
    value.element = kernel::Scalar::kF32;
    program.values.push_back(std::move(value));
    return static_cast<kernel::ProgramValueId>(program.values.size() - 1);
  };
  const auto bytes_of = [](const Literal& literal) {
    return std::make_shared<const std::vector<std::byte>>(literal.bytes().begin(),
                                                          literal.bytes().end());
  };
  const hlo::Instruction& root = entry.root_instruction();
  const Literal& filter = *emitter.constant_of(root.operands[1]);
  const int64_t inputs = entry.operand(root, 0).shape.element_count();
  const auto a =
      add({.name = "a", .elements = inputs, .role = kernel::ValueRole::kArgument, .leaf = 0});
  const auto b = add({.name = "b",
                      .elements = filter.element_count(),
                      .role = kernel::ValueRole::kConstant,
                      .data = bytes_of(filter)});
  const auto c = add({.name = "c", .elements = root.shape.element_count()});
  REQUIRE(emitter.derived().size() == 1);
  const auto& derived = emitter.derived()[0];
  const auto d = add({.name = "d",
                      .elements = static_cast<int64_t>(derived.data->size()) / 4,
                      .role = kernel::ValueRole::kConstant,
                      .data = derived.data});
  program.kernels.push_back(emitter.finish());
  program.steps.push_back({kernel::Launch{0, {a, b, c, d}}, {{"c"}}});
  program.arguments = {a};
  program.results = {c};
  const Status status = kernel::verify(program);
  if (!status) FAIL(status.error().to_string() + kernel::to_text(program));
  add_program(program, target);
  return program;
}

// Quarters are exact in F(2), and all but exact in F(4).
hlo::CompareRule rule_of(int m) {
  if (m == 2) return {.exact = true};
  return {.rtol = 1e-5, .atol = 2e-4};
}

void check_forced(const Form& form, const Target& target, const WinogradPlan& plan) {
  const hlo::Module module = module_from(root_of(convolution_text(form)));
  const std::vector<Literal> arguments = arguments_of(module, 1);
  const kernel::Program program = forced(module, target, plan);
  const std::vector<Literal> got = run_program(program, arguments);
  const hlo::Comparison comparison =
      hlo::compare_leaf(got[0], expected_of(module, arguments), rule_of(plan.m));
  if (!comparison.ok)
    FAIL(cat(plan.m, " ", plan.block, " ", plan.tile.rows, "x", plan.tile.vectors, "x",
             plan.tile.lanes, ": ", comparison.first, "\n", form.height, "x", form.width, "x",
             form.inputs, "->", form.outputs));
  CHECK(run_planned(program, target, arguments) == got);
}

const Target& target_of(const std::string& name) {
  for (const Machine& machine : machines())
    if (machine.name == name) return machine.target;
  FAIL("no machine " + name);
  return machines()[0].target;
}

bool is_winograd(const kernel::Program& program) {
  return std::any_of(
      program.values.begin(), program.values.end(),
      [](const kernel::ProgramValue& value) { return value.name == "winograd filter"; });
}

}  // namespace

TEST_CASE("winograd at one border, or none", "[lowering]") {
  const Target& target = target_of("wide");
  for (const int m : {2, 4})
    for (const int side : {0, 1, 2, 3, 4}) {
      const auto at = [&](int which) { return int64_t{side == which}; };
      // Eight by eight pixels: whole tiles. Inputs enough that the patch is what takes most
      // scratch.
      const Form form{.height = 10 - at(1) - at(2),
                      .width = 10 - at(3) - at(4),
                      .inputs = 40,
                      .outputs = 3,
                      .top = at(1),
                      .bottom = at(2),
                      .left = at(3),
                      .right = at(4)};
      REQUIRE(form.out_height() == 8);
      check_forced(form, target, {m, {2, 1, 2}, 4});
    }
}

TEST_CASE("winograd at every border", "[lowering]") {
  const Target& target = target_of("wide");
  for (int m : {2, 4})
    for (int64_t height : {1, 2, 4, 5, 7, 10})
      for (int64_t width : {1, 3, 6, 9})
        for (int64_t top : {-1, 0, 1, 2, 5})
          for (int64_t bottom : {0, 1, 3}) {
            const Form form{.height = height,
                            .width = width,
                            .inputs = 2,
                            .outputs = 3,
                            .top = top,
                            .bottom = bottom,
                            .left = 3 - bottom,
                            .right = top};
            if (form.out_height() <= 0 || form.out_width() <= 0) continue;
            check_forced(form, target, {m, {2, 1, 2}, 4});
          }
}

TEST_CASE("winograd in every block and tile", "[lowering]") {
  for (int m : {2, 4})
    for (const auto& [inputs, outputs] :
         {std::pair<int64_t, int64_t>{1, 1}, {3, 7}, {8, 16}, {13, 24}})
      for (const TileSize tile : {TileSize{1, 1, 1}, TileSize{3, 2, 4}, TileSize{4, 2, 8}})
        for (int64_t blocks : {1, 2, 9})
          for (int64_t batch : {1, 3}) {
            const Form form{
                .batch = batch, .height = 9, .width = 6, .inputs = inputs, .outputs = outputs};
            check_forced(form, target_of(tile.lanes == 1 ? "cortex-m4f" : "wide"),
                         {m, tile, tile.rows * blocks});
          }
}

namespace {

// Whether outputs go through a patch of their own where `steps` operations follow the convolution.
bool has_patch_of_outputs(int steps) {
  const Form form{.height = 16, .width = 16, .inputs = 16, .outputs = 24};
  const std::string a = "a = f32" + dims({1, 16, 16, 16}) + " parameter(0)\n",
                    type = "f32" + dims({1, 16, 16, 24});
  std::string text = convolution_text(form);
  const std::string filter = text.substr(a.size(), text.find(" c = ") - a.size());
  std::string body = cat("HloModule m\nf { ", a, "b = f32[3,3,16,24] parameter(1)\n",
                         text.substr(text.find(" c = ")));
  for (int n = 0; n < steps; ++n)
    body += cat(n + 1 == steps ? "ROOT " : "", "e", n, " = ", type, n % 2 == 0 ? " abs" : " negate",
                "(", n == 0 ? "c" : cat("e", n - 1), ")\n");
  const hlo::Module module = module_from(cat(body, "}\nENTRY e { ", a, filter, "ROOT r = ", type,
                                             " fusion(a, b), kind=kCustom, calls=f }"));
  const kernel::Program program = lowered(module, target_of("wide"));
  REQUIRE(is_winograd(program));
  return kernel::to_text(program).find("edge") != std::string::npos;
}

}  // namespace

TEST_CASE("a long way behind winograd's outputs is written once", "[lowering]") {
  CHECK_FALSE(has_patch_of_outputs(11));
  CHECK(has_patch_of_outputs(12));
}

TEST_CASE("winograd keeps what is fused behind it", "[lowering]") {
  const Form form{.batch = 2, .height = 13, .width = 10, .inputs = 16, .outputs = 24};
  const hlo::Module module = module_from(with_epilogue(form, convolution_text(form)));
  const std::vector<Literal> arguments = arguments_of(module, 3);
  const Literal expected = expected_of(module, arguments);
  int used = 0;
  for (const Machine& machine : machines()) {
    const Result<hlo::Module> passed = transforms::run_passes(module, machine.target);
    REQUIRE(passed.ok());
    const kernel::Program program = lowered(*passed, machine.target);
    const std::vector<Literal> got = run_planned(program, machine.target, arguments);
    const hlo::Comparison comparison = hlo::compare_leaf(got[0], expected, rule_of(4));
    INFO(machine.name << " " << comparison.first);
    CHECK(comparison.ok);
    if (!is_winograd(program)) continue;
    ++used;
    // The plain filter is not stored beside the transformed one.
    for (const kernel::ProgramValue& value : program.values)
      CHECK((value.role != kernel::ValueRole::kConstant ||
             value.elements != 9 * form.inputs * form.outputs));
    // The residual is added in place.
    const auto& launch = std::get<kernel::Launch>(program.steps.back().what);
    CHECK(launch.overlaps.size() == 1);
  }
  CHECK(used >= 2);
}

namespace {

std::vector<float> normal_numbers(int64_t count) {
  std::mt19937 random(11);
  std::normal_distribution<float> bell;
  std::vector<float> numbers(static_cast<size_t>(count));
  for (float& number : numbers) number = bell(random);
  return numbers;
}

// One output of a convolution with padding 1 and one image, in double.
double exact(const Form& f, std::span<const float> x, std::span<const float> w, int64_t y,
             int64_t column, int64_t n) {
  double sum = 0;
  for (int64_t tap = 0; tap < 9; ++tap) {
    const int64_t r = y + tap / 3 - 1, s = column + tap % 3 - 1;
    if (r < 0 || r >= f.height || s < 0 || s >= f.width) continue;
    for (int64_t c = 0; c < f.inputs; ++c)
      sum += double{x[(r * f.width + s) * f.inputs + c]} * w[(tap * f.inputs + c) * f.outputs + n];
  }
  return sum;
}

// The largest error, over the largest result.
double relative_error(int m, int64_t inputs) {
  const Form form{.height = 12, .width = 12, .inputs = inputs, .outputs = 16};
  const hlo::Module module = module_from(root_of(convolution_text(form, true)));
  const hlo::Computation& entry = module.entry_computation();
  const auto& filter =
      entry.operand(entry.root_instruction(), 1).get<hlo::ConstantAttributes>().value;
  const std::vector<float> numbers = normal_numbers(form.height * form.width * inputs);
  const Literal input = Literal::array<float>(hlo::PrimitiveType::kF32,
                                              {1, form.height, form.width, inputs}, numbers);
  const std::vector<Literal> got =
      run_program(forced(module, target_of("wide"), {m, {4, 2, 8}, 8}), {input});
  double error = 0, largest = 0;
  for (int64_t at = 0; at < got[0].element_count(); ++at) {
    const int64_t n = at % form.outputs, pixel = at / form.outputs;
    const double wanted =
        exact(form, numbers, filter.data<float>(), pixel / form.width, pixel % form.width, n);
    error = std::max(error, std::abs(got[0].data<float>()[at] - wanted));
    largest = std::max(largest, std::abs(wanted));
  }
  return error / largest;
}

}  // namespace

// The figures of docs/numerics.md.
TEST_CASE("winograd is as near as stated", "[lowering]") {
  for (int64_t inputs : {16, 64, 256}) {
    const double f2 = relative_error(2, inputs), f4 = relative_error(4, inputs);
    INFO(inputs << " features: F(2) " << f2 << " F(4) " << f4);
    CHECK(f2 < 1e-6);
    CHECK(f4 < 3e-6);
  }
}

TEST_CASE("winograd is off where it was forbidden", "[lowering]") {
  const Form form{.height = 16, .width = 16, .inputs = 16, .outputs = 16};
  const hlo::Module module = module_from(root_of(convolution_text(form)));
  const std::vector<Literal> arguments = arguments_of(module, 5);
  Target target = target_of("wide");
  CHECK(is_winograd(lowered(module, target)));
  target.options.level = Level::kO3;
  CHECK(is_winograd(lowered(module, target)));
  for (const Level level : {Level::kO0, Level::kO1, Level::kOs, Level::kOz}) {
    target.options.level = level;
    CHECK_FALSE(is_winograd(lowered(module, target)));
  }
  target.options.level = Level::kO2;
  target.options.winograd = false;
  const kernel::Program direct = lowered(module, target);
  CHECK_FALSE(is_winograd(direct));
  CHECK(hlo::compare_leaf(run_program(direct, arguments)[0], expected_of(module, arguments),
                          {.exact = true})
            .ok);
}

TEST_CASE("winograd wants a known filter of the right form", "[lowering]") {
  const auto claims = [](const std::string& text) {
    return is_winograd(lowered(module_from(text), target_of("wide")));
  };
  CHECK_FALSE(
      claims("a = f32[1,16,16,16] parameter(0)\n b = f32[3,3,16,16] parameter(1)\n ROOT r = "
             "f32[1,16,16,16] convolution(a, b), "
             "window={size=3x3 pad=1_1x1_1}, dim_labels=b01f_01io->b01f"));
  const Form form{.height = 16, .width = 16, .inputs = 16, .outputs = 16};
  std::string strided = root_of(convolution_text(form));
  strided.replace(strided.find("size=3x3"), 8, "size=3x3 stride=1x2");
  strided.replace(strided.find("f32[1,16,16,16] conv"), 15, "f32[1,16,8,16]");
  CHECK_FALSE(claims(strided));
}

TEST_CASE("winograd is chosen by cost", "[lowering]") {
  // As the only layer of a program, or beside others.
  const auto m_of = [](const lowering::WinogradSize& size, const Target& target,
                       int64_t constants = 0) {
    const auto plan = costs::plan_winograd(
        size, {9 * size.inputs * size.outputs * 4 + constants, size.map_bytes()}, target);
    return plan ? plan->m : 0;
  };
  const Target& wide = target_of("wide");
  CHECK(m_of({1, 56, 56, 64, 64}, wide) == 4);
  CHECK(m_of({1, 32, 32, 16, 16}, wide) == 4);
  // The transformed filter would come from memory at every run.
  CHECK(m_of({1, 7, 7, 512, 512}, wide) == 0);
  CHECK(m_of({1, 8, 8, 64, 64}, wide) == 4);
  CHECK(m_of({1, 8, 8, 64, 64}, wide, 100 << 20) < 4);
  CHECK(m_of({1, 4, 4, 32, 32}, wide) == 0);
  // 36 times 1024 squared floats are more than anyone wants in a library.
  CHECK(m_of({1, 512, 512, 1024, 1024}, wide) == 0);
  // Transforms cost more than the products that they save.
  CHECK(m_of({1, 32, 32, 3, 16}, wide) == 0);
  CHECK(m_of({1, 32, 32, 64, 1}, wide) == 0);
  // No more than 16/9 of the flash, no floats without an FPU.
  CHECK(m_of({1, 32, 32, 16, 16}, *preset("cortex-m4f")) < 4);
  CHECK(m_of({1, 32, 32, 16, 16}, *preset("cortex-m3")) == 0);
  CHECK(m_of({1, 32, 32, 64, 64}, *preset("s390x-linux")) > 0);
}

}  // namespace hlocc::tests
