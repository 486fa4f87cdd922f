// See hvx.h.
#include "backends/llvm/idioms/hvx.h"

#include <bit>
#include <numeric>
#include <utility>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicsHexagon.h"
#include "llvm/Support/CommandLine.h"

namespace hlocc::backends {
namespace {

constexpr int64_t kFewestBytes = 16;  // below, scalar registers and pairs of them hold vectors

llvm::FixedVectorType* words_of_register(llvm::IRBuilder<>& b) {
  return llvm::FixedVectorType::get(b.getInt32Ty(), kHvxBytes / 4);
}

// The block that a byte lies in. It is all of the object to LLVM, and may hold others' bytes.
llvm::Value* block_around(llvm::IRBuilder<>& b, llvm::Value* pointer) {
  llvm::Value* block =
      b.CreateIntrinsic(llvm::Intrinsic::ptrmask, {pointer->getType(), b.getInt32Ty()},
                        {pointer, b.getInt32(-kHvxBytes)});
  return b.CreateAlignedLoad(words_of_register(b), block, llvm::Align(kHvxBytes));
}

int64_t bytes_of(llvm::Type* memory) {
  return static_cast<int64_t>(memory->getPrimitiveSizeInBits().getFixedValue() / 8);
}

llvm::Value* first_lanes(llvm::IRBuilder<>& b, llvm::Value* vector, unsigned lanes) {
  if (llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements() == lanes)
    return vector;
  llvm::SmallVector<int, 128> first(lanes);
  std::iota(first.begin(), first.end(), 0);
  return b.CreateShuffleVector(vector, first);
}

llvm::Value* as_register(llvm::IRBuilder<>& b, llvm::Value* vector) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements();
  constexpr unsigned kLanes = kHvxBytes / 4;
  if (lanes == kLanes) return vector;
  llvm::SmallVector<int, kLanes> from(kLanes, llvm::PoisonMaskElem);
  std::iota(from.begin(), from.begin() + lanes, 0);
  return b.CreateShuffleVector(vector, from);
}

}  // namespace

void set_hexagon_options() {
  const std::pair<llvm::StringRef, int64_t> options[] = {
      {"hexagon-hvx-widen", kFewestBytes},  // from as many bytes on
      {"spill-func-threshold", 1000},       // of more registers than there are
      {"spill-func-threshold-Os", 1000}};
  for (const auto& [name, value] : options)
    if (const auto option = llvm::cl::getRegisteredOptions().find(name);
        option != llvm::cl::getRegisteredOptions().end())
      option->second->addOccurrence(1, name, std::to_string(value));
}

bool is_part_of_register(const Target& target, llvm::Type* memory) {
  const int64_t bytes = bytes_of(memory);
  return target.has(Isa::kHvx) && memory->isVectorTy() && bytes >= kFewestBytes &&
         bytes < kHvxBytes && memory->getScalarSizeInBits() <= 32;
}

llvm::Value* load_part(llvm::IRBuilder<>& b, llvm::Value* pointer, llvm::Type* memory,
                       int64_t alignment) {
  const int64_t bytes = bytes_of(memory);
  llvm::Value* words = block_around(b, pointer);
  if (alignment % kHvxBytes != 0) {
    llvm::Value* place = b.CreatePtrToInt(pointer, b.getInt32Ty());
    const bool in_one_block = alignment % static_cast<int64_t>(std::bit_ceil(uint64_t(bytes))) == 0;
    words = in_one_block
                ? b.CreateIntrinsic(llvm::Intrinsic::hexagon_V6_vror_128B, {}, {words, place})
                : b.CreateIntrinsic(
                      llvm::Intrinsic::hexagon_V6_valignb_128B, {},
                      {block_around(b, b.CreateConstGEP1_32(b.getInt8Ty(), pointer, bytes - 1)),
                       words, place});
  }
  const unsigned element = memory->getScalarSizeInBits() / 8;
  auto* all = llvm::FixedVectorType::get(memory->getScalarType(), kHvxBytes / element);
  return first_lanes(b, b.CreateBitCast(words, all),
                     llvm::cast<llvm::FixedVectorType>(memory)->getNumElements());
}

llvm::Value* interleave(llvm::IRBuilder<>& b, llvm::Value* left, llvm::Value* right,
                        llvm::ArrayRef<int> lanes) {
  auto* type = llvm::cast<llvm::FixedVectorType>(left->getType());
  const int count = static_cast<int>(type->getNumElements()),
            bytes = static_cast<int>(type->getScalarSizeInBits() / 8),
            all_lanes = static_cast<int>(lanes.size());
  if (all_lanes != 2 * count || !type->getElementType()->isIntegerTy()) return nullptr;
  const int group = lanes[1] == 1 ? 2 : 1;
  if (group * bytes > 2 || count % group != 0 || count * bytes < kFewestBytes ||
      count * bytes > kHvxBytes / 2)
    return nullptr;
  for (int n = 0; n < 2 * count; ++n) {
    const int turn = n / group, from = turn / 2 * group + n % group;
    if (lanes[n] != (turn % 2 == 0 ? from : count + from)) return nullptr;
  }
  auto* all = llvm::FixedVectorType::get(type->getElementType(), kHvxBytes / bytes);
  const auto words = [&](llvm::Value* vector) {
    llvm::SmallVector<int, 128> from(kHvxBytes / bytes, llvm::PoisonMaskElem);
    std::iota(from.begin(), from.begin() + count, 0);
    return b.CreateBitCast(b.CreateShuffleVector(vector, from), words_of_register(b));
  };
  llvm::Value* both = b.CreateIntrinsic(llvm::Intrinsic::hexagon_V6_vshuffvdd_128B, {},
                                        {words(right), words(left), b.getInt32(-group * bytes)});
  llvm::Value* low = b.CreateIntrinsic(llvm::Intrinsic::hexagon_V6_lo_128B, {}, {both});
  return first_lanes(b, b.CreateBitCast(low, all), static_cast<unsigned>(2 * count));
}

llvm::Value* add_fours(llvm::IRBuilder<>& b, llvm::Value* sums, FourBytes left, FourBytes right) {
  // Of two kinds of bytes those without sign come first.
  const bool mixed = left.is_signed != right.is_signed;
  if (mixed && left.is_signed) std::swap(left, right);
  const auto id = mixed            ? llvm::Intrinsic::hexagon_V6_vrmpybusv_acc_128B
                  : left.is_signed ? llvm::Intrinsic::hexagon_V6_vrmpybv_acc_128B
                                   : llvm::Intrinsic::hexagon_V6_vrmpyubv_acc_128B;
  llvm::Value* all = b.CreateIntrinsic(
      id, {}, {as_register(b, sums), as_register(b, left.words), as_register(b, right.words)});
  return first_lanes(b, all, llvm::cast<llvm::FixedVectorType>(sums->getType())->getNumElements());
}

}  // namespace hlocc::backends
