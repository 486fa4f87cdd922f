// A SPIR-V module with one compute shader, as words: ids, types and constants each written once,
// sections in the order that SPIR-V asks for, capabilities and extensions for what is used and
// nothing else. What stands in the function's body is kernel_writer.h's affair.
#pragma once
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "backends/spirv/spirv_names.h"
#include "target/gpu.h"

namespace hlocc::backends {

using SpirvId = uint32_t;  // 0: none
using SpirvWords = std::vector<uint32_t>;

class ModuleWriter {
 public:
  explicit ModuleWriter(const GpuDevice& device);
  const GpuDevice& device() const { return device_; }

  // --- types; bits of integers: 8 and 16 in memory alone, 32, 64 ---
  SpirvId boolean();
  SpirvId integer(int bits);
  SpirvId real(int bits);
  SpirvId vector(SpirvId element, int lanes);
  SpirvId array(SpirvId element, int64_t elements);
  SpirvId pair(SpirvId member);  // a struct of two, as extended products are
  SpirvId pointer(Storage storage, SpirvId type);

  // --- constants; `bits` are the value's, low end first ---
  SpirvId constant(SpirvId type, int width, uint64_t bits);
  SpirvId composite(SpirvId type, SpirvId low, SpirvId high);  // of constants
  SpirvId number(int64_t value) { return constant(integer(32), 32, static_cast<uint32_t>(value)); }
  SpirvId truth(bool value);

  // --- variables outside of the function ---
  // A memory of the program, bound at `binding`, as an array of elements of `bytes` bytes each.
  SpirvId memory(int binding, SpirvId element, int bytes);
  // `words` words that the launch pushes.
  SpirvId pushed(int words);
  SpirvId shared(SpirvId type);  // a variable that the invocations of a group share
  // The first of three numbers, which is asked for once: launches have one dimension.
  SpirvId number_of(BuiltIn what);

  // --- the body ---
  SpirvId local(SpirvId type);  // a variable of the function's
  // The type, then the operands: braces are what makes them come in their order, whichever
  // compiler compiled this.
  SpirvId make(Spv op, std::initializer_list<SpirvId> type_and_operands);
  SpirvId make(Spv op, SpirvId type, std::span<const SpirvId> operands);
  // Rounded by itself: never contracted with what uses it.
  SpirvId exact(Spv op, SpirvId type, std::span<const SpirvId> operands);
  SpirvId extended(Glsl function, SpirvId type, std::span<const SpirvId> operands);
  void say(Spv op, std::initializer_list<uint32_t> words);
  SpirvId id() { return next_++; }

  // What of it not every device has: bits of hlocc_table_needs.
  uint32_t needs() const;
  // The whole module; `group`: invocations of a workgroup.
  SpirvWords finish(int group) const;

 private:
  static void put(SpirvWords& to, Spv op, std::span<const uint32_t> words);
  static void put(SpirvWords& to, Spv op, std::initializer_list<uint32_t> words) {
    put(to, op, std::span(words.begin(), words.size()));
  }
  static void put_text(SpirvWords& to, Spv op, SpirvWords before, std::string_view text,
                       std::span<const uint32_t> after);
  void decorate(SpirvId id, Decoration decoration, std::initializer_list<uint32_t> words = {});
  void in_block(SpirvId block);
  void need(Capability capability) { capabilities_.insert(capability); }
  void put_modes(SpirvWords& to, int group) const;

  const GpuDevice& device_;
  SpirvId next_ = 1, void_ = 0, function_type_ = 0, main_ = 0, extended_ = 0, bool_ = 0;
  std::map<BuiltIn, SpirvId> built_in_;
  SpirvWords decorations_, types_, variables_, code_;
  std::set<Capability> capabilities_ = {Capability::kShader};
  std::set<std::string_view> extensions_;
  std::set<int> real_widths_;
  std::map<int, SpirvId> integers_, reals_;
  std::map<std::pair<SpirvId, uint64_t>, SpirvId> constants_;
  std::map<std::pair<SpirvId, int>, SpirvId> vectors_;
  std::map<SpirvId, SpirvId> pairs_;
  std::map<std::pair<SpirvId, SpirvId>, SpirvId> composites_;
  std::map<std::pair<SpirvId, int64_t>, SpirvId> arrays_;
  std::map<SpirvId, SpirvId> blocks_;  // by element: the pointer to a memory of such
  std::map<std::pair<Storage, SpirvId>, SpirvId> pointers_;
  std::map<std::pair<int, SpirvId>, SpirvId> memories_;
};

}  // namespace hlocc::backends
