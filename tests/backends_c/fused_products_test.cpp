// Products from which floats are taken, beside others to which they are added: GCC's vectorizer
// would round both once on a processor with FMADDSUB.
#include "backends_c/through_c.h"
#include "driver/pipeline/host_compiler.h"
#include "kernel/builder.h"
#include "kernel/evaluate/evaluator.h"

namespace hlocc::driver {
namespace {

using namespace kernel;
using tests::require;

enum class Form { kFirst, kSecond, kNone, kStored, kOfLoop, kOfVectors };

// y[0] = a[0] * b[0] - c[0], y[1] = a[1] * b[1] + c[1], and forms beside that.
Kernel pair(Scalar type, Form form) {
  Builder b("pair");
  const auto in = [&](const char* name) {
    return b.buffer({.name = name, .element = type, .elements = 2});
  };
  const BufferId a = in("a"), of_b = in("b"), c = in("c");
  const BufferId y =
      b.buffer({.name = "y", .element = type, .elements = 2, .direction = Direction::kOut});
  const auto at = [](int64_t n) { return Affine::constant(n); };
  if (form == Form::kOfVectors) {
    const ValueId product = b.mul(b.load(a, at(0), 2), b.load(of_b, at(0), 2));
    b.store(y, at(0), b.sub(product, b.load(c, at(0), 2)));
    return b.finish();
  }
  ValueId first = b.mul(b.load(a, at(0)), b.load(of_b, at(0)));
  if (form == Form::kStored) {
    b.store(y, at(0), first);
    first = b.load(y, at(0));
  }
  if (form == Form::kOfLoop)
    first = b.loop(Loop{.upper = at(1)}, Values{first},
                   [&](ValueId, std::span<const ValueId> now) { return Values{now[0]}; })[0];
  const ValueId second = b.mul(b.load(a, at(1)), b.load(of_b, at(1)));
  const ValueId less = b.load(c, at(0));
  b.store(y, at(0),
          form == Form::kNone     ? b.add(first, less)
          : form == Form::kSecond ? b.sub(less, first)
                                  : b.sub(first, less));
  b.store(y, at(1), b.add(second, b.load(c, at(1))));
  return b.finish();
}

template <typename Number>
std::vector<std::byte> bytes_of(std::initializer_list<Number> numbers) {
  const auto* data = reinterpret_cast<const std::byte*>(numbers.begin());
  return {data, data + numbers.size() * sizeof(Number)};
}

// The results are the evaluator's; whether GCC's vectorizer is kept away.
template <typename Number>
bool is_kept(Scalar type, Form form, bool fast_math = false) {
  const Program program = program_of(pair(type, form));
  // What is left of the rounded products is their rounding.
  const std::vector<std::vector<std::byte>> arguments = {
      bytes_of({Number(1) / 3, Number(1) / 3}), bytes_of({Number(3) / 7, Number(3) / 7}),
      bytes_of({Number(1) / 3 * (Number(3) / 7), -(Number(1) / 3 * (Number(3) / 7))})};
  Target target = scalar_row();
  target.options.fast_math = fast_math;
  const ThroughC got = through_c(program, target, arguments);
  if (!fast_math) CHECK(got.results == require(evaluate(program, arguments)));
  return got.text.find("no-tree-slp-vectorize") != std::string::npos;
}

TEST_CASE("what is taken from products is kept from GCC's vectorizer") {
  if (host_compiler().empty()) return;
  for (const Form form : {Form::kFirst, Form::kStored, Form::kOfLoop}) {
    CHECK(is_kept<double>(Scalar::kF64, form));
    CHECK(is_kept<float>(Scalar::kF32, form));
    CHECK_FALSE(is_kept<float>(Scalar::kF32, form, true));
    CHECK_FALSE(is_kept<int32_t>(Scalar::kS32, form));
  }
  for (const Form form : {Form::kSecond, Form::kNone, Form::kOfVectors})
    CHECK_FALSE(is_kept<double>(Scalar::kF64, form));
}

}  // namespace
}  // namespace hlocc::driver
