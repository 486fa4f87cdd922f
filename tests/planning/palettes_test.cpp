// Which constants of a program become palettes, that plans of what comes of it compute the same, and
// what launches say of them.
#include "planning/palettes.h"

#include <random>

#include "programs.h"

namespace hlocc::planning {
namespace {

// So many numbers of so many different values.
std::vector<int32_t> numbers_of(int64_t count, int32_t different, uint32_t seed = 3) {
  std::mt19937 random(seed);
  std::vector<int32_t> out;
  for (int64_t n = 0; n < count; ++n)
    out.push_back(7 - 1000 * (n < different ? static_cast<int32_t>(n)
                                            : static_cast<int32_t>(random() % different)));
  return out;
}

Target compressing(const char* name = "cortex-m4f") {
  Target target = *preset(name);
  target.options.weights_compression = WeightsCompression::kPalettes;
  return target;
}
Target saving(int64_t bytes) {
  Target target = *preset("cortex-m4f");
  target.options.bytes_to_save = bytes;
  return target;
}

int64_t constant_bytes(const Program& program) {
  int64_t bytes = 0;
  for (const ProgramValue& value : program.values)
    if (value.role == ValueRole::kConstant) bytes += value.bytes();
  return bytes;
}

std::vector<PaletteUse> uses_in(const Program& program) {
  std::vector<PaletteUse> out;
  for_each_step(program.steps, [&](const Step& step) {
    if (const auto* launch = std::get_if<Launch>(&step.what))
      out.insert(out.end(), launch->palettes.begin(), launch->palettes.end());
  });
  return out;
}

constexpr int64_t kMany = 600;

// The program with palettes computes what it did, planned and unplanned; what is left.
Program stored(const Program& program, const Target& target) {
  Program out = program;
  store_palettes(out, target);
  checked(out, target);
  std::vector<Bytes> arguments;
  for (const Leaf& leaf : program.signature.arguments) {
    std::vector<int32_t> numbers;
    for (int64_t n = 0; n < leaf.shape.element_count(); ++n)
      numbers.push_back(static_cast<int32_t>(17 * n - 40));
    arguments.push_back(bytes_of(numbers));
  }
  const auto before = kernel::evaluate(program, arguments),
             after = kernel::evaluate(out, arguments);
  REQUIRE(before);
  REQUIRE(after);
  CHECK(*before == *after);
  return out;
}

}  // namespace

TEST_CASE("constants of up to 64 numbers become palettes where that is asked for") {
  for (const int32_t different : {2, 3, 5, 9, 17, 33, 64}) {
    const Program program = with_constants({numbers_of(kMany, different)});
    const Program after = stored(program, compressing());
    const std::vector<PaletteUse> uses = uses_in(after);
    REQUIRE(uses.size() == 1);
    CHECK(uses[0].bytes_saved == constant_bytes(program) - constant_bytes(after));
    CHECK(uses[0].cycles_added > 0);
    CHECK(constant_bytes(after) == 76 * uses[0].bits + 4 * different);
  }
  CHECK(uses_in(stored(with_constants({numbers_of(kMany, 65)}), compressing())).empty());
}

TEST_CASE("nothing becomes a palette unless it is asked for or needed") {
  const Program program = with_constants({numbers_of(kMany, 4)});
  CHECK(uses_in(stored(program, *preset("cortex-m4f"))).empty());
  Target never = saving(100);
  never.options.weights_compression = WeightsCompression::kNone;
  CHECK(uses_in(stored(program, never)).empty());
  CHECK(uses_in(stored(program, saving(100))).size() == 1);
  // Threads of a grid have no scratch.
  Target grid = compressing();
  grid.style = KernelStyle::kSimt;
  Program on_grid = program;
  store_palettes(on_grid, grid);
  CHECK(uses_in(on_grid).empty());
}

TEST_CASE("small constants stay: the code that looks them up takes more") {
  CHECK(uses_in(stored(with_constants({numbers_of(40, 4)}), compressing())).empty());
  CHECK(uses_in(stored(with_constants({numbers_of(64, 4)}), compressing())).size() == 1);
}

TEST_CASE("as many bytes are saved as are needed, the most for a cycle first") {
  // Two bits save more than six, for fewer cycles.
  const Program program = with_constants({numbers_of(kMany, 60), numbers_of(kMany, 4, 5)});
  const Program few = stored(program, saving(1));
  REQUIRE(uses_in(few).size() == 1);
  CHECK(uses_in(few)[0].bits == 2);
  const int64_t saved = uses_in(few)[0].bytes_saved;
  CHECK(uses_in(stored(program, saving(saved))).size() == 1);
  CHECK(uses_in(stored(program, saving(saved + 1))).size() == 2);
  CHECK(uses_in(stored(program, saving(int64_t{1} << 40))).size() == 2);
}

TEST_CASE("equal constants are one choice, told once") {
  const std::vector<int32_t> same = numbers_of(kMany, 4);
  const Program program = with_constants({same, numbers_of(kMany, 4, 9), same});
  const Program few = stored(program, saving(1));
  // Of three launches either the two of one constant, or the one of the other.
  const std::vector<PaletteUse> all = uses_in(stored(program, compressing()));
  REQUIRE(all.size() == 3);
  CHECK(all[0].bytes_saved > 0);
  CHECK(all[1].bytes_saved > 0);
  CHECK(all[2].bytes_saved == 0);
  REQUIRE(uses_in(few).size() == 1);
  // Constants of one palette differ in their indices alone.
  const Plan plan = planned(stored(program, compressing()), compressing());
  CHECK(plan.constant_bytes < 2 * (76 * 2 + 4 * 4) + 8);
}

TEST_CASE("what other steps than launches read stays as it is") {
  ProgramMaker m;
  const Id w = m.constant(numbers_of(kMany, 4)), x = m.argument(kMany);
  m.result(m.combine(x, w));
  m.result(m.copy(w));
  CHECK(uses_in(stored(m.program, compressing())).empty());
  ProgramMaker named;
  const Id v = named.constant(numbers_of(kMany, 4)), y = named.argument(kMany);
  named.result(named.combine(y, v));
  named.result(v);
  CHECK(uses_in(stored(named.program, compressing())).empty());
}

TEST_CASE("scratch, state and other constants of a kernel stay its own") {
  ProgramMaker m;
  const Id x = m.argument(kMany);
  const auto [a, b] = m.both(m.constant(numbers_of(kMany, 3)), m.constant(numbers_of(kMany, 20)));
  m.result(m.combine(m.reverse(x), m.combine(a, b)));
  const std::vector<PaletteUse> uses = uses_in(stored(m.program, compressing()));
  REQUIRE(uses.size() == 2);
  CHECK(uses[0].bits == 2);
  CHECK(uses[1].bits == 5);
  ProgramMaker reversed;
  reversed.result(reversed.reverse(reversed.constant(numbers_of(kMany, 3))));
  CHECK(uses_in(stored(reversed.program, compressing())).size() == 1);
}

TEST_CASE("layers whose looked-up elements have no room in the arena keep their weights") {
  const int64_t most = 40 << 10;
  for (const int64_t more : {0, 8}) {
    ProgramMaker m;
    const int64_t count = most / 4 + more;
    m.result(m.stir(m.constant(numbers_of(count, 4)), 16));
    CHECK(uses_in(stored(m.program, compressing())).size() == (more == 0 ? 1 : 0));
  }
}

}  // namespace hlocc::planning
