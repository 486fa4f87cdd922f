// Collects the constants into the pool. Arrays of bytes are what LLVM writes fastest: an array of floats takes ten times as
// long.
#include "backends/cpu/weights.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"
#include "support/check.h"

namespace hlocc::backends {
namespace {

constexpr ByteOrder kHere = std::endian::native == std::endian::little ? ByteOrder::kLittle : ByteOrder::kBig;

void place_constant(const kernel::ProgramValue& value, const planning::Place& place, bool swap, std::vector<uint8_t>& pool) {
  HLOCC_CHECK(value.data != nullptr && place.offset + place.bytes <= static_cast<int64_t>(pool.size()) &&
                  static_cast<int64_t>(value.data->size()) <= place.bytes,
              "a constant outside of the pool: " + value.name);
  uint8_t* begin = pool.data() + place.offset;
  std::memcpy(begin, value.data->data(), value.data->size());
  const int bytes = kernel::scalar_bytes(value.element);
  if (!swap || bytes == 1) return;
  for (size_t at = 0; at + bytes <= value.data->size(); at += bytes) std::reverse(begin + at, begin + at + bytes);
}

}  // namespace

std::string weights_section(const kernel::Program& program, const Target& target) {
  if (!target.options.weights_section.empty()) return target.options.weights_section;
  return ".rodata." + program.signature.prefix + "weights";
}

llvm::GlobalVariable* emit_weights(llvm::Module& module, const kernel::Program& program, const planning::Plan& plan,
                                   const Target& target) {
  if (plan.constant_bytes == 0) return nullptr;
  std::vector<uint8_t> pool(plan.constant_bytes, 0);
  for (size_t i = 0; i < plan.values.size(); ++i)
    if (plan.values[i].role == kernel::ValueRole::kConstant && plan.places[i].region == planning::Region::kConstant)
      place_constant(plan.values[i], plan.places[i], target.byte_order != kHere, pool);
  llvm::Constant* bytes = llvm::ConstantDataArray::get(module.getContext(), pool);
  auto* global = new llvm::GlobalVariable(module, bytes->getType(), /*isConstant=*/true, llvm::GlobalValue::InternalLinkage,
                                          bytes, program.signature.prefix + "weights");
  global->setAlignment(llvm::Align(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(plan.arena_align, 16)))));
  global->setSection(weights_section(program, target));
  global->setDSOLocal(true);
  return global;
}

}  // namespace hlocc::backends
