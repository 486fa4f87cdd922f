// Leading zeros in C, where the chip counts them: the compiler's function of one number, the loop
// that stands in for it, MVE's of whole vectors.
#include <bit>
#include <cstdlib>
#include <fstream>

#include "backends_c/through_c.h"
#include "driver/pipeline/host_compiler.h"
#include "driver/verify/work_folder.h"
#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

using namespace kernel;
using tests::require;

Target counting_row(bool mve) {
  Target target = scalar_row();
  target.isa = {Isa::kThumb2};
  if (!mve) return target;
  target.vector_bits = 128;
  target.vector_registers = 8;
  for (const Isa isa : {Isa::kMve, Isa::kFpArmv8}) target.isa.add(isa);
  return target;
}

constexpr uint64_t kEdges[] = {0,      ~uint64_t{0}, 1,          2,         3,      0x55,
                               0x7f,   0x80,         0xff,       0x100,     0x7fff, 0x8000,
                               0xffff, 0x10000,      0x7fffffff, 0x80000000};

// The leading zeros of 16 numbers, so many at a time; the results are the evaluator's.
std::string counted(Scalar scalar, int lanes, const Target& target) {
  Builder b("zeros");
  const int64_t count = std::ssize(kEdges);
  const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = count});
  const BufferId y =
      b.buffer({.name = "y", .element = scalar, .elements = count, .direction = Direction::kOut});
  b.loop(Loop{.upper = Affine::constant(count), .step = lanes}, [&](ValueId i) {
    b.store(y, Affine::of(i), b.unary(OpKind::kClz, b.load(x, Affine::of(i), lanes)));
  });
  const Program program = program_of(b.finish());
  std::vector<std::byte> bytes;
  for (const uint64_t bits : kEdges) {
    const auto* begin = reinterpret_cast<const std::byte*>(&bits);
    bytes.insert(bytes.end(), begin, begin + scalar_bytes(scalar));
  }
  const ThroughC got = through_c(program, target, {{bytes}});
  CHECK(got.results == require(evaluate(program, {{bytes}})));
  return got.text;
}

bool has(const std::string& text, const char* what) { return text.find(what) != text.npos; }

TEST_CASE("leading zeros of 32 bits are the compiler's, of other widths they are written out") {
  if (host_compiler().empty()) return;
  using enum Scalar;
  for (const Scalar scalar : {kS8, kU8, kS16, kU16, kS32, kU32, kS64, kU64}) {
    INFO(scalar_name(scalar));
    CHECK(has(counted(scalar, 1, counting_row(false)), "__builtin_clz") ==
          (scalar_bits(scalar) == 32));
    CHECK_FALSE(has(counted(scalar, 1, scalar_row()), "clz"));
  }
}

TEST_CASE("MVE counts the leading zeros of four lanes of 32 bits") {
  if (host_compiler().empty()) return;
  using enum Scalar;
  CHECK(has(counted(kS32, 4, counting_row(true)), "vclzq_s32(a)"));
  CHECK(has(counted(kU32, 4, counting_row(true)), "vclzq_u32(a)"));
  for (const int lanes : {2, 8}) CHECK_FALSE(has(counted(kS32, lanes, counting_row(true)), "clz"));
  CHECK_FALSE(has(counted(kS32, 4, counting_row(false)), "vclzq"));
  CHECK_FALSE(has(counted(kS16, 4, counting_row(true)), "clz"));
}

// As compilers take it that do not have GNU's functions.
TEST_CASE("a loop counts leading zeros for other compilers") {
  if (host_compiler().empty()) return;
  const std::string text = counted(Scalar::kU32, 1, counting_row(false));
  const size_t begin = text.find("static inline uint32_t hl_clz_u32(");
  REQUIRE(begin != text.npos);
  std::string function = text.substr(begin, text.find("\n}\n", begin) + 3 - begin);
  const std::string condition = "defined(__GNUC__) && __SIZEOF_INT__ == 4";
  REQUIRE(has(function, condition.c_str()));
  function.replace(function.find(condition), condition.size(), "0");
  std::string source = cat("#include <stdint.h>\n", function, "int main(void) {\n  return !(1");
  for (const uint64_t bits : kEdges) {
    const auto word = static_cast<uint32_t>(bits);
    source += cat("\n    && hl_clz_u32(", word, "u) == ", std::countl_zero(word));
  }
  const WorkFolder folder = require(WorkFolder::make());
  const std::string file = folder.path() + "/zeros";
  std::ofstream(file + ".c") << source << ");\n}\n";
  const std::string command = host_compiler()[0] + " -std=c99 -o " + file + " " + file + ".c";
  REQUIRE(std::system(command.c_str()) == 0);
  CHECK(std::system(file.c_str()) == 0);
}

}  // namespace
}  // namespace hlocc::driver
