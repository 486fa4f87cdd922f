// Whose instructions stay in the order of the IR: functions with a block of eight products of a
// tile, on cores without vectors or with sums of whole vectors, where code is not dear.
#include "backends/llvm/idioms/tile_order.h"

#include "backends_llvm/jit_kernel.h"
#include "llvm/IR/Module.h"

namespace hlocc::backends {
namespace {

using namespace kernel;
using enum Scalar;

// A loop over `count` products of bytes, which are widened first; or of their pairs as halves.
Kernel products(int count, Scalar scalar, bool as_dot, int together = 2) {
  Builder b("products");
  const int lanes = as_dot ? together : 1;
  const BufferId x = b.buffer({.name = "x", .element = scalar, .elements = 4096});
  const BufferId y =
      b.buffer({.name = "y", .element = kS32, .elements = 4, .direction = Direction::kInOut});
  const Values sum = b.loop(
      Loop{.upper = Affine::constant(4)}, {b.zero({kS32, 1})},
      [&](ValueId n, std::span<const ValueId> carried) {
        ValueId total = carried[0];
        for (int i = 0; i < count; ++i) {
          const ValueId left = b.load(x, Affine::of(n, 64, 2 * lanes * i), lanes),
                        right = b.load(x, Affine::of(n, 64, 2 * lanes * i + lanes), lanes);
          total = as_dot ? b.dot_accumulate(total, left, right)
                         : b.add(total, b.mul(b.convert(left, kS32), b.convert(right, kS32)));
        }
        return Values{total};
      });
  b.store(y, Affine::constant(0), sum[0]);
  return b.finish();
}

TEST_CASE("tiles that take all registers") {
  const Target m0 = *preset("cortex-m0"), m4 = *preset("cortex-m4");
  CHECK(has_crowded_tile(products(8, kU8, false), m0));
  CHECK(!has_crowded_tile(products(7, kU8, false), m0));
  CHECK(has_crowded_tile(products(8, kS8, false), m0));
  CHECK(!has_crowded_tile(products(8, kS16, false), m0));
  CHECK(has_crowded_tile(products(8, kS8, false), *preset("cortex-m3")));
  CHECK(!has_crowded_tile(products(8, kS8, false), *preset("rv32imc")));
  CHECK(!has_crowded_tile(products(8, kU8, false), m4));
  CHECK(has_crowded_tile(products(8, kS16, true), m4));
  CHECK(!has_crowded_tile(products(7, kS16, true), m4));
  CHECK(!has_crowded_tile(products(8, kS16, true), *preset("cortex-m3")));
  CHECK(!has_crowded_tile(products(8, kS16, true), *preset("cortex-m55")));
  const Target m55 = *preset("cortex-m55");
  CHECK(has_crowded_tile(products(8, kS8, true, 16), m55));
  CHECK(has_crowded_tile(products(8, kS16, true, 8), m55));
  CHECK(!has_crowded_tile(products(7, kS8, true, 16), m55));
  CHECK(!has_crowded_tile(products(8, kS8, true, 8), m55));
  Target small = m0;
  small.options.level = Level::kOs;
  CHECK(!has_crowded_tile(products(8, kU8, false), small));
}

// Sums and pointers are tied where one instruction is issued after the other.
TEST_CASE("tiles whose registers are tied") {
  llvm::LLVMContext context;
  llvm::Module module("tied", context);
  const auto is_tied = [&](const char* target) {
    llvm::Function* function =
        llvm::Function::Create(llvm::FunctionType::get(llvm::Type::getVoidTy(context), false),
                               llvm::Function::ExternalLinkage, target, module);
    CHECK(!ties_registers(*function));
    keep_order(*function, *preset(target));
    return ties_registers(*function);
  };
  CHECK(is_tied("cortex-m4"));
  CHECK(is_tied("cortex-m33"));
  CHECK(!is_tied("cortex-m7"));
  CHECK(!is_tied("cortex-m55"));
  CHECK(!is_tied("cortex-m0"));
}

}  // namespace
}  // namespace hlocc::backends
