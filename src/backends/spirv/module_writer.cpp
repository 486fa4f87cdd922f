// See module_writer.h.
#include "backends/spirv/module_writer.h"

#include "hlocc_launch_table.h"

namespace hlocc::backends {
namespace {

constexpr std::string_view kStorage8 = "SPV_KHR_8bit_storage";
constexpr std::string_view kFloatControls = "SPV_KHR_float_controls";

constexpr std::pair<Capability, uint32_t> kNeeds[] = {
    {Capability::kFloat64, HLOCC_TABLE_NEEDS_F64},
    {Capability::kInt64, HLOCC_TABLE_NEEDS_I64},
    {Capability::kStorageBuffer8BitAccess, HLOCC_TABLE_NEEDS_STORAGE8},
    {Capability::kStorageBuffer16BitAccess, HLOCC_TABLE_NEEDS_STORAGE16},
    {Capability::kDenormPreserve, HLOCC_TABLE_NEEDS_CONTROLS},
    {Capability::kSignedZeroInfNanPreserve, HLOCC_TABLE_NEEDS_CONTROLS},
    {Capability::kRoundingModeRte, HLOCC_TABLE_NEEDS_CONTROLS},
};

}  // namespace

ModuleWriter::ModuleWriter(const GpuDevice& device) : device_(device) {
  void_ = id();
  put(types_, Spv::kTypeVoid, {void_});
  function_type_ = id();
  put(types_, Spv::kTypeFunction, {function_type_, void_});
  main_ = id();
  extended_ = id();
}

void ModuleWriter::put(SpirvWords& to, Spv op, std::span<const uint32_t> words) {
  to.push_back(static_cast<uint32_t>(words.size() + 1) << 16 | static_cast<uint32_t>(op));
  to.insert(to.end(), words.begin(), words.end());
}

// Texts end with a zero byte, and fill their last word.
void ModuleWriter::put_text(SpirvWords& to, Spv op, SpirvWords before, std::string_view text,
                            std::span<const uint32_t> after) {
  SpirvWords letters(text.size() / 4 + 1, 0);
  for (size_t i = 0; i < text.size(); ++i)
    letters[i / 4] |= static_cast<uint32_t>(static_cast<unsigned char>(text[i])) << (i % 4 * 8);
  before.insert(before.end(), letters.begin(), letters.end());
  before.insert(before.end(), after.begin(), after.end());
  put(to, op, before);
}

void ModuleWriter::decorate(SpirvId id, Decoration decoration,
                            std::initializer_list<uint32_t> words) {
  SpirvWords all = {id, static_cast<uint32_t>(decoration)};
  all.insert(all.end(), words);
  put(decorations_, Spv::kDecorate, all);
}

// Of a struct whose one member begins it.
void ModuleWriter::in_block(SpirvId block) {
  decorate(block, Decoration::kBlock);
  put(decorations_, Spv::kMemberDecorate,
      {block, 0, static_cast<uint32_t>(Decoration::kOffset), 0});
}

SpirvId ModuleWriter::boolean() {
  if (bool_ == 0) {
    bool_ = id();
    put(types_, Spv::kTypeBool, {bool_});
  }
  return bool_;
}

SpirvId ModuleWriter::integer(int bits) {
  SpirvId& type = integers_[bits];
  if (type == 0) {
    type = id();
    put(types_, Spv::kTypeInt, {type, static_cast<uint32_t>(bits), 0});
    if (bits == 64) need(Capability::kInt64);
    if (bits == 16) need(Capability::kStorageBuffer16BitAccess);
    if (bits == 8) {
      need(Capability::kStorageBuffer8BitAccess);
      extensions_.insert(kStorage8);
    }
  }
  return type;
}

SpirvId ModuleWriter::real(int bits) {
  SpirvId& type = reals_[bits];
  if (type == 0) {
    type = id();
    put(types_, Spv::kTypeFloat, {type, static_cast<uint32_t>(bits)});
    if (bits == 64) need(Capability::kFloat64);
    const FloatControls& controls = device_.controls(bits);
    if (controls.denormals) need(Capability::kDenormPreserve);
    if (controls.specials) need(Capability::kSignedZeroInfNanPreserve);
    if (controls.rounding) need(Capability::kRoundingModeRte);
    if (controls.any()) extensions_.insert(kFloatControls);
    real_widths_.insert(bits);
  }
  return type;
}

SpirvId ModuleWriter::vector(SpirvId element, int lanes) {
  SpirvId& type = vectors_[{element, lanes}];
  if (type == 0) {
    type = id();
    put(types_, Spv::kTypeVector, {type, element, static_cast<uint32_t>(lanes)});
  }
  return type;
}

SpirvId ModuleWriter::array(SpirvId element, int64_t elements) {
  const auto known = arrays_.find({element, elements});
  if (known != arrays_.end()) return known->second;
  const SpirvId count = number(elements), type = id();
  put(types_, Spv::kTypeArray, {type, element, count});
  return arrays_[{element, elements}] = type;
}

SpirvId ModuleWriter::pair(SpirvId member) {
  SpirvId& type = pairs_[member];
  if (type == 0) {
    type = id();
    put(types_, Spv::kTypeStruct, {type, member, member});
  }
  return type;
}

SpirvId ModuleWriter::composite(SpirvId type, SpirvId low, SpirvId high) {
  SpirvId& known = composites_[{low, high}];
  if (known == 0) {
    known = id();
    put(types_, Spv::kConstantComposite, {type, known, low, high});
  }
  return known;
}

SpirvId ModuleWriter::pointer(Storage storage, SpirvId type) {
  SpirvId& pointer = pointers_[{storage, type}];
  if (pointer == 0) {
    pointer = id();
    put(types_, Spv::kTypePointer, {pointer, static_cast<uint32_t>(storage), type});
  }
  return pointer;
}

SpirvId ModuleWriter::constant(SpirvId type, int width, uint64_t bits) {
  if (width < 64) bits &= (uint64_t{1} << width) - 1;
  SpirvId& known = constants_[{type, bits}];
  if (known != 0) return known;
  known = id();
  const uint32_t low = static_cast<uint32_t>(bits), high = static_cast<uint32_t>(bits >> 32);
  if (width == 64)
    put(types_, Spv::kConstant, {type, known, low, high});
  else
    put(types_, Spv::kConstant, {type, known, low});
  return known;
}

SpirvId ModuleWriter::truth(bool value) {
  const SpirvId type = boolean();
  SpirvId& known = constants_[{type, value ? 1 : 0}];
  if (known == 0) {
    known = id();
    put(types_, value ? Spv::kConstantTrue : Spv::kConstantFalse, {type, known});
  }
  return known;
}

SpirvId ModuleWriter::memory(int binding, SpirvId element, int bytes) {
  SpirvId& variable = memories_[{binding, element}];
  if (variable != 0) return variable;
  SpirvId& to_block = blocks_[element];
  if (to_block == 0) {
    const SpirvId elements = id(), block = id();
    put(types_, Spv::kTypeRuntimeArray, {elements, element});
    decorate(elements, Decoration::kArrayStride, {static_cast<uint32_t>(bytes)});
    put(types_, Spv::kTypeStruct, {block, elements});
    in_block(block);
    to_block = pointer(Storage::kBuffer, block);
  }
  variable = id();
  put(types_, Spv::kVariable, {to_block, variable, static_cast<uint32_t>(Storage::kBuffer)});
  decorate(variable, Decoration::kDescriptorSet, {0});
  decorate(variable, Decoration::kBinding, {static_cast<uint32_t>(binding)});
  decorate(variable, Decoration::kAliased);
  return variable;
}

SpirvId ModuleWriter::pushed(int words) {
  const SpirvId elements = id(), block = id(), count = number(words);
  put(types_, Spv::kTypeArray, {elements, integer(32), count});
  decorate(elements, Decoration::kArrayStride, {4});
  put(types_, Spv::kTypeStruct, {block, elements});
  in_block(block);
  const SpirvId to_block = pointer(Storage::kPushConstant, block), variable = id();
  put(types_, Spv::kVariable, {to_block, variable, static_cast<uint32_t>(Storage::kPushConstant)});
  return variable;
}

SpirvId ModuleWriter::number_of(BuiltIn what) {
  const SpirvId type = vector(integer(32), 3), to = pointer(Storage::kInput, type), variable = id();
  built_in_[what] = variable;
  put(types_, Spv::kVariable, {to, variable, static_cast<uint32_t>(Storage::kInput)});
  decorate(variable, Decoration::kBuiltIn, {static_cast<uint32_t>(what)});
  const SpirvId all = make(Spv::kLoad, {type, variable});
  return make(Spv::kCompositeExtract, {integer(32), all, 0});
}

SpirvId ModuleWriter::shared(SpirvId type) {
  const SpirvId to = pointer(Storage::kWorkgroup, type), variable = id();
  put(types_, Spv::kVariable, {to, variable, static_cast<uint32_t>(Storage::kWorkgroup)});
  return variable;
}

SpirvId ModuleWriter::local(SpirvId type) {
  const SpirvId to = pointer(Storage::kFunction, type), variable = id();
  put(variables_, Spv::kVariable, {to, variable, static_cast<uint32_t>(Storage::kFunction)});
  return variable;
}

SpirvId ModuleWriter::make(Spv op, SpirvId type, std::span<const SpirvId> operands) {
  const SpirvId result = id();
  SpirvWords words = {type, result};
  words.insert(words.end(), operands.begin(), operands.end());
  put(code_, op, words);
  return result;
}

SpirvId ModuleWriter::make(Spv op, std::initializer_list<SpirvId> type_and_operands) {
  const std::span words(type_and_operands.begin(), type_and_operands.size());
  return make(op, words[0], words.subspan(1));
}

SpirvId ModuleWriter::exact(Spv op, SpirvId type, std::span<const SpirvId> operands) {
  const SpirvId result = make(op, type, operands);
  decorate(result, Decoration::kNoContraction);
  return result;
}

SpirvId ModuleWriter::extended(Glsl function, SpirvId type, std::span<const SpirvId> operands) {
  SpirvWords words = {extended_, static_cast<uint32_t>(function)};
  words.insert(words.end(), operands.begin(), operands.end());
  return make(Spv::kExtInst, type, words);
}

void ModuleWriter::say(Spv op, std::initializer_list<uint32_t> words) { put(code_, op, words); }

void ModuleWriter::put_modes(SpirvWords& to, int group) const {
  const auto mode = [&](Mode mode, std::initializer_list<uint32_t> more) {
    SpirvWords words = {main_, static_cast<uint32_t>(mode)};
    words.insert(words.end(), more);
    put(to, Spv::kExecutionMode, words);
  };
  mode(Mode::kLocalSize, {static_cast<uint32_t>(group), 1, 1});
  for (const int width : real_widths_) {
    const FloatControls& controls = device_.controls(width);
    const uint32_t bits = static_cast<uint32_t>(width);
    if (controls.denormals) mode(Mode::kDenormPreserve, {bits});
    if (controls.specials) mode(Mode::kSignedZeroInfNanPreserve, {bits});
    if (controls.rounding) mode(Mode::kRoundingModeRte, {bits});
  }
}

uint32_t ModuleWriter::needs() const {
  uint32_t bits = 0;
  for (const auto& [capability, bit] : kNeeds)
    if (capabilities_.contains(capability)) bits |= bit;
  return bits;
}

SpirvWords ModuleWriter::finish(int group) const {
  SpirvWords out = {kSpirvMagic, kSpirvVersion, 0, next_ + 1, 0};
  for (const Capability one : capabilities_)
    put(out, Spv::kCapability, {static_cast<uint32_t>(one)});
  for (const std::string_view name : extensions_) put_text(out, Spv::kExtension, {}, name, {});
  put_text(out, Spv::kExtInstImport, {extended_}, "GLSL.std.450", {});
  put(out, Spv::kMemoryModel, {kLogicalAddressing, kGlsl450Memory});
  SpirvWords interface;
  for (const auto& [what, variable] : built_in_) interface.push_back(variable);
  put_text(out, Spv::kEntryPoint, {kComputeModel, main_}, "main", interface);
  put_modes(out, group);
  const auto add = [&](const SpirvWords& words) {
    out.insert(out.end(), words.begin(), words.end());
  };
  add(decorations_);
  add(types_);
  put(out, Spv::kFunction, {void_, main_, 0, function_type_});
  put(out, Spv::kLabel, {next_});
  add(variables_);
  add(code_);
  put(out, Spv::kReturn, {});
  put(out, Spv::kFunctionEnd, {});
  return out;
}

}  // namespace hlocc::backends
