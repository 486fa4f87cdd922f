// The math functions as a board runs them: a model of one op, compiled ahead of time, linked and
// run in the emulator. `test_legal_code "[.ulp-board]"` prints the table's columns of
// docs/numerics.md; the ordinary case holds fewer points to the goals.
#include <stdlib.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "driver/pipeline/pipeline.h"
#include "driver/pipeline/targets.h"
#include "driver/verify/board.h"
#include "driver/verify/main.h"
#include "hlo/module.h"
#include "legalize/accuracy.h"
#include "package/writer.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using hlo::Opcode, hlo::Shape;
using kernel::Column, kernel::OpKind, kernel::OpTest, kernel::Scalar;

constexpr size_t kPointsPerRun = 8192;
constexpr int kSeconds = 300;

Opcode opcode_of(const std::string& op) {
  static const std::map<std::string, Opcode> opcodes = {
      {"exp", Opcode::kExp},     {"expm1", Opcode::kExpm1}, {"log", Opcode::kLog},
      {"log1p", Opcode::kLog1p}, {"tanh", Opcode::kTanh},   {"logistic", Opcode::kLogistic},
      {"erf", Opcode::kErf},     {"sin", Opcode::kSin},     {"cos", Opcode::kCos},
      {"tan", Opcode::kTan},     {"asin", Opcode::kAsin},   {"acos", Opcode::kAcos},
      {"atan", Opcode::kAtan},   {"sinh", Opcode::kSinh},   {"cosh", Opcode::kCosh},
      {"asinh", Opcode::kAsinh}, {"acosh", Opcode::kAcosh}, {"atanh", Opcode::kAtanh},
      {"cbrt", Opcode::kCbrt},   {"rsqrt", Opcode::kRsqrt}, {"sqrt", Opcode::kSqrt},
      {"pow", Opcode::kPower},   {"atan2", Opcode::kAtan2},
  };
  return opcodes.at(op);
}

hlo::Module model_of(OpKind kind, const OpTest& test) {
  const Shape shape = Shape::array(
      test.output == Scalar::kF64 ? hlo::PrimitiveType::kF64 : hlo::PrimitiveType::kF32,
      {static_cast<int64_t>(kPointsPerRun)});
  hlo::Computation entry;
  entry.name = "main";
  std::vector<hlo::InstructionId> operands;
  hlo::Module module;
  for (size_t i = 0; i < test.inputs.size(); ++i) {
    operands.push_back(entry.add(hlo::make_parameter(static_cast<int64_t>(i), shape, cat("p", i))));
    module.entry_parameters.push_back(shape);
  }
  hlo::Instruction op = hlo::make(opcode_of(std::string(op_name(kind))), shape, operands,
                                  hlo::ResultAccuracyAttributes{});
  if (test.inputs.size() == 2) op.attributes = hlo::NoAttributes{};
  entry.root = entry.add(std::move(op));
  module.name = "ulp";
  module.computations.push_back(std::move(entry));
  module.entry = 0;
  module.entry_result = shape;
  return module;
}

// A model on a board: compiled and linked once, run for some thousand points at a time.
class BoardModel {
 public:
  BoardModel(const std::string& target_name, OpKind kind, const OpTest& test) : test_(test) {
    std::string pattern = (std::filesystem::temp_directory_path() / "hlocc_ulp_XXXXXX").string();
    REQUIRE(::mkdtemp(pattern.data()) != nullptr);
    folder_ = pattern;
    Result<Target> target = find_target(target_name);
    REQUIRE(target.ok());
    board_ = *find_board(*target);
    target->options.name = facts_.name();
    const Result<Compilation> made = compile_module(
        model_of(kind, test), *target, {package::Emit::kLibrary, package::Emit::kHeader}, {});
    REQUIRE(made.ok());
    for (const kernel::Leaf& leaf : made->signature.arguments)
      facts_.argument_bytes.push_back(leaf.bytes());
    for (const kernel::Leaf& leaf : made->signature.results)
      facts_.result_bytes.push_back(leaf.bytes());
    facts_.arena_bytes = made->plan.arena_bytes;
    facts_.arena_align = made->plan.arena_align;
    std::vector<package::Placed> files;
    for (const package::File& file : made->files) files.push_back({folder_, file});
    REQUIRE(package::write_files(files).ok());
    std::ofstream(folder_ + "/main.c") << write_batch_main({facts_}, folder_);
    const ChildOutcome linked = link_firmware(
        board_, folder_ + "/program.elf",
        {folder_ + "/main.c", "-I" + folder_, cat(folder_, "/lib", facts_.name(), ".a")});
    INFO(linked.output);
    REQUIRE(linked.finished);
  }
  ~BoardModel() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  BoardModel(const BoardModel&) = delete;
  BoardModel& operator=(const BoardModel&) = delete;

  Column run(std::vector<Column> inputs) const {
    const size_t count = inputs[0].size();
    Column out;
    for (size_t first = 0; first < count; first += kPointsPerRun) {
      std::vector<Column> some;
      for (const Column& column : inputs) {
        some.emplace_back(
            column.begin() + static_cast<int64_t>(first),
            column.begin() + static_cast<int64_t>(std::min(count, first + kPointsPerRun)));
        some.back().resize(kPointsPerRun, column[0]);
      }
      const Column got = run_once(some);
      out.insert(out.end(), got.begin(), got.end());
    }
    out.resize(count);
    return out;
  }

 private:
  Column run_once(const std::vector<Column>& inputs) const {
    {
      std::ofstream file(input_file(folder_, facts_), std::ios::binary);
      for (size_t i = 0; i < inputs.size(); ++i) {
        const std::vector<std::byte> bytes = to_bytes(test_.inputs[i], inputs[i]);
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
      }
    }
    const ChildOutcome ran = run_board(board_, folder_ + "/program.elf", {"0"}, kSeconds);
    INFO(ran.failure << ran.output);
    std::ifstream file(output_file(folder_, facts_), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    REQUIRE(text.size() == 1 + static_cast<size_t>(facts_.result_bytes[0]));
    REQUIRE(text[0] == 0);
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data()) + 1;
    return from_bytes(test_.output, {bytes, bytes + facts_.result_bytes[0]});
  }

  OpTest test_;
  std::string folder_;
  Board board_;
  BatchCase facts_;
};

kernel::Runner on_board(const std::string& target, OpKind kind) {
  return [=](const OpTest& test, const std::vector<Column>& inputs) {
    return BoardModel(target, kind, test).run(inputs);
  };
}

template <typename F>
double worst_on(const std::string& target, const F& function, Scalar scalar, int points) {
  return measure(function, scalar, on_board(target, function.kind), points).worst;
}

template <typename F>
void print_row(const F& function) {
  std::printf("| %s | %g |", std::string(op_name(function.kind)).c_str(), function.goal);
  for (const Scalar scalar : {Scalar::kF32, Scalar::kF64})
    std::printf(" %.2f |", worst_on("cortex-m3", function, scalar, 200000));
  std::printf("\n");
  std::fflush(stdout);
}

TEST_CASE("functions on a board without FPU are within their goals") {
  if (!find_board(*find_target("cortex-m3"))->unavailable.empty()) return;
  for (const kernel::Function& function : kernel::functions_of_one())
    if (function.kind == OpKind::kExp || function.kind == OpKind::kErf)
      for (const Scalar scalar : {Scalar::kF32, Scalar::kF64})
        CHECK(worst_on("cortex-m3", function, scalar, 7000) <= function.goal);
}

TEST_CASE("table of errors on a board without FPU", "[.ulp-board]") {
  // erfc has no opcode that a model could be made of.
  for (const kernel::Function& function : kernel::functions_of_one())
    if (function.kind != OpKind::kErfc) print_row(function);
  for (const kernel::Function2& function : kernel::functions_of_two()) print_row(function);
}

}  // namespace
}  // namespace hlocc::driver
