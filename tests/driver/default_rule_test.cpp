// What floats are held against that no rule was given for: the terms that a module adds up, the
// bound that follows, and how many faults of values are seen by it and by the relative error alone.
#include <catch2/catch.hpp>
#include <cmath>
#include <complex>

#include "driver/text_module.h"
#include "driver/verify/rules.h"
#include "import/reader.h"
#include "interpreter/interpreter.h"
#include "ops/accumulation.h"
#include "ops/check/verifier.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using hlo::Instruction, hlo::Literal, hlo::Module, hlo::Opcode, hlo::PrimitiveType;

int64_t terms(const std::string& entry) {
  const std::string text = cat(
      "HloModule m\nadd { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] add(p, "
      "q) }\nmax { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = f32[] maximum(p, q) "
      "}\nge { p = f32[] parameter(0)\n q = f32[] parameter(1)\n ROOT s = pred[] compare(p, q), "
      "direction=GE }\nENTRY e {\n ",
      entry, " }");
  const hlo::Module module = module_of_text(text);
  REQUIRE(ops::verify(module).ok());
  return ops::longest_accumulation(module);
}

Literal floats(std::vector<float> values) {
  return Literal::array<float>(PrimitiveType::kF32, {static_cast<int64_t>(values.size())}, values);
}

// Makes one number of a constant, or one op, wrong.
struct Fault {
  hlo::ComputationId computation;
  hlo::InstructionId instruction;
  double times = 1;
};

std::vector<Fault> faults_of(const Module& module) {
  std::vector<Fault> out;
  for (size_t c = 0; c < module.computations.size(); ++c)
    for (size_t i = 0; i < module.computations[c].instructions.size(); ++i) {
      const Instruction& one = module.computations[c].instructions[i];
      const auto add = [&](double times) {
        out.push_back({static_cast<int>(c), static_cast<int>(i), times});
      };
      if (one.shape.element_type != PrimitiveType::kF32) continue;
      if (one.opcode == Opcode::kConstant)
        for (const double times : {0.0, -1.0, 1.5, 1 + 0x1p-6, 1 + 0x1p-10}) add(times);
      if (one.operands.size() == 2 && one.opcode != Opcode::kDot) add(1);
    }
  return out;
}

// A binary op becomes another, the middle of a constant so many times itself.
bool put_in(Module& module, const Fault& fault) {
  static constexpr std::pair<Opcode, Opcode> kOthers[] = {
      {Opcode::kAdd, Opcode::kSubtract},    {Opcode::kSubtract, Opcode::kAdd},
      {Opcode::kMultiply, Opcode::kDivide}, {Opcode::kDivide, Opcode::kMultiply},
      {Opcode::kMaximum, Opcode::kMinimum}, {Opcode::kMinimum, Opcode::kMaximum}};
  Instruction& one = module.computations[fault.computation].instructions[fault.instruction];
  if (one.opcode == Opcode::kConstant) {
    auto& values = one.get<hlo::ConstantAttributes>().value;
    if (values.element_count() == 0) return false;
    float& value = values.mutable_data<float>()[values.element_count() / 2];
    value = static_cast<float>(value * fault.times);
    return true;
  }
  for (const auto& [from, to] : kOthers)
    if (one.opcode == from) return one.opcode = to, true;
  return false;
}

bool is_right(const Literal& got, const Literal& expected, int64_t terms) {
  const std::vector<Literal> gots = leaves(got), wanted = leaves(expected);
  for (size_t i = 0; i < gots.size(); ++i)
    if (!compare_leaf(gots[i], wanted[i], default_rule(wanted[i], terms)).ok) return false;
  return true;
}

}  // namespace

TEST_CASE("terms that each op adds up") {
  CHECK(terms("x = f32[2,3] parameter(0)\n ROOT r = f32[2,3] tanh(x)") == 1);
  CHECK(terms("x = f32[2,3] parameter(0)\n y = f32[3,5] parameter(1)\n ROOT r = f32[2,5] dot(x, "
              "y), lhs_contracting_dims={1}, rhs_contracting_dims={0}") == 3);
  CHECK(terms("x = s32[2,3] parameter(0)\n y = s32[3,5] parameter(1)\n ROOT r = s32[2,5] dot(x, "
              "y), lhs_contracting_dims={1}, rhs_contracting_dims={0}") == 1);
  CHECK(terms("x = f32[1,8,8,4] parameter(0)\n k = f32[3,2,4,6] parameter(1)\n ROOT r = "
              "f32[1,6,7,6] convolution(x, k), window={size=3x2}, dim_labels=b01f_01io->b01f") ==
        24);
  CHECK(terms("x = f32[1,8,8,4] parameter(0)\n k = f32[3,2,1,4] parameter(1)\n ROOT r = "
              "f32[1,6,7,4] convolution(x, k), window={size=3x2}, dim_labels=b01f_01io->b01f, "
              "feature_group_count=4") == 6);
  const std::string x = "x = f32[7,5] parameter(0)\n z = f32[] constant(0)\n ROOT r = ";
  CHECK(terms(x + "f32[5] reduce(x, z), dimensions={0}, to_apply=add") == 7);
  CHECK(terms(x + "f32[5] reduce(x, z), dimensions={0}, to_apply=max") == 1);
  CHECK(terms(x + "f32[3,5] reduce-window(x, z), window={size=5x1}, to_apply=add") == 5);
  CHECK(terms("x = f32[6] parameter(0)\n s = f32[3] parameter(1)\n z = f32[] constant(0)\n ROOT r "
              "= f32[6] select-and-scatter(x, s, z), window={size=2 stride=2}, select=ge, "
              "scatter=add") == 2);
  CHECK(terms("x = f32[6] parameter(0)\n i = s32[4,1] parameter(1)\n u = f32[4] parameter(2)\n "
              "ROOT r = f32[6] scatter(x, i, u), update_window_dims={}, inserted_window_dims={0}, "
              "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=add") == 4);
  CHECK(terms("x = c64[16] parameter(0)\n ROOT r = c64[16] fft(x), fft_type=FFT, "
              "fft_length={16}") == 16);
  CHECK(terms("x = f32[9,9] parameter(0)\n ROOT r = f32[9,9] cholesky(x), lower=true") == 9);
  CHECK(terms("x = f32[2,4,8] parameter(0)\n s = f32[8] parameter(1)\n o = f32[8] parameter(2)\n "
              "ROOT r = (f32[2,4,8], f32[8], f32[8]) batch-norm-training(x, s, o), epsilon=0.1, "
              "feature_index=2") == 8);
}

TEST_CASE("sums may be off by the rounding of their terms") {
  const Literal expected = floats({100, 1e-3f, 0});
  const double most = 0.5 * std::sqrt(640.0) * 0x1p-23 * 100;
  const auto near = [&](double off, int64_t count) {
    return compare_leaf(floats({100, 1e-3f, static_cast<float>(off)}), expected,
                        default_rule(expected, count))
        .ok;
  };
  CHECK(near(0.99 * most, 640));
  CHECK(!near(1.01 * most, 640));
  // Nothing was added up: the number's own size counts.
  CHECK(!near(1e-9, 1));
  CHECK(default_rule(expected, 1).atol == 0);
  // Infinities say nothing of the others.
  CHECK(default_rule(floats({INFINITY, NAN, 2}), 4).atol == 2 * 0x1p-23);
  CHECK(default_rule(floats({}), 4).atol == 0);
  CHECK(default_rule(Literal::zeros(hlo::Shape::array(PrimitiveType::kS32, {3})), 640).rtol == 0);
  const std::vector<double> doubles = {2};
  const auto f64 = Literal::array<double>(PrimitiveType::kF64, {1}, doubles);
  CHECK(default_rule(f64, 4).atol == 2 * 0x1p-52);
  const std::vector<std::complex<float>> numbers = {{1, -3}};
  const auto c64 = Literal::array<std::complex<float>>(PrimitiveType::kC64, {1}, numbers);
  CHECK(default_rule(c64, 4).atol == 3 * 0x1p-23);
  // What a rule of the case says is all of it.
  CHECK(rule_of({{.rtol = 1e-3}}, 0, expected, 640).atol == 0);
}

TEST_CASE("faults of values are seen by the default rule as well") {
  int relative = 0, both = 0, made = 0;
  for (const char* name : {"mlp_digits", "gemm_64", "ekf", "pid_bank", "mfcc", "lstm_scan",
                           "batchnorm_train", "sgd_train_step", "mpc_admm"}) {
    const auto model =
        import::read_model_file(cat(HLOCC_TEST_DATA "/models/", name, ".snapshot.pb"));
    REQUIRE(model.ok());
    const std::vector<Literal>& arguments = model->snapshot->arguments;
    const Result<Literal> expected = interpreter::run(model->module, arguments);
    REQUIRE(expected.ok());
    const int64_t count = ops::longest_accumulation(model->module);
    for (const Fault& fault : faults_of(model->module)) {
      Module wrong = model->module;
      if (!put_in(wrong, fault)) continue;
      const Result<Literal> got = interpreter::run(wrong, arguments);
      if (!got) continue;
      ++made;
      const bool is_seen = !is_right(*got, *expected, 1);
      relative += is_seen;
      both += is_seen && !is_right(*got, *expected, count);
    }
  }
  INFO(made << " faults, " << relative << " seen by rtol, " << both << " by both");
  CHECK(made > 300);
  CHECK(relative > 200);
  // Those that are not seen move a guard of a logarithm or a variance, or one weight by a
  // thousandth, and results by about 1e-5 or by less than the sums' own rounding.
  CHECK(both >= relative - 11);
}

}  // namespace hlocc::driver
