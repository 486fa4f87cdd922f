// See kernel_writer.h: loads and stores. Elements of one or two bytes that a device cannot see in
// its memory are parts of words: a load takes them out, a store clears their bits in the word and
// sets them, atomically, so that what others do to the rest of the word stays.
#include "backends/spirv/arithmetic.h"
#include "backends/spirv/kernel_writer.h"

namespace hlocc::backends {

using kernel::Access;
using kernel::Op;
using kernel::Scalar;

bool KernelWriter::is_in_words(Scalar element) const {
  const int bytes = kernel::scalar_bytes(element);
  return (bytes == 1 && !device_.storage8) || (bytes == 2 && !device_.storage16);
}

SpirvId KernelWriter::declare_memory(int memory, Scalar element) {
  const int bytes = kernel::scalar_bytes(element);
  return is_in_words(element) ? out_.memory(memory, out_.integer(32), 4)
                              : out_.memory(memory, stored_type(out_, element), bytes);
}

SpirvId KernelWriter::element_of(const Access& access) {
  const SpirvId at = affine(access.at);
  return access.lane_indices == kernel::kNone
             ? at
             : out_.make(Spv::kIAdd, {out_.integer(32), at, value(access.lane_indices)});
}

SpirvId KernelWriter::pointer_to(const HeldBuffer& buffer, SpirvId at) {
  if (buffer.base == 0)
    return out_.make(
        Spv::kAccessChain,
        {out_.pointer(buffer.storage, held_type(out_, buffer.element)), buffer.variable, at});
  at = out_.make(Spv::kIAdd, {out_.integer(32), at, buffer.base});
  return out_.make(Spv::kAccessChain,
                   {out_.pointer(Storage::kBuffer, stored_type(out_, buffer.element)),
                    buffer.variable, out_.number(0), at});
}

KernelWriter::PartOfWord KernelWriter::part_of_word(const HeldBuffer& buffer, SpirvId at) {
  const SpirvId word = out_.integer(32);
  const bool is_byte = kernel::scalar_bytes(buffer.element) == 1;
  at = out_.make(Spv::kIAdd, {word, at, buffer.base});
  const SpirvId number =
      out_.make(Spv::kShiftRightLogical, {word, at, out_.number(is_byte ? 2 : 1)});
  const SpirvId within = out_.make(Spv::kBitwiseAnd, {word, at, out_.number(is_byte ? 3 : 1)});
  const SpirvId shift =
      out_.make(Spv::kShiftLeftLogical, {word, within, out_.number(is_byte ? 3 : 4)});
  const SpirvId pointer = out_.make(Spv::kAccessChain, {out_.pointer(Storage::kBuffer, word),
                                                        buffer.variable, out_.number(0), number});
  return {pointer, shift};
}

SpirvId KernelWriter::read(const Access& access) {
  const HeldBuffer& buffer = buffers_[static_cast<size_t>(access.buffer)];
  const Scalar element = buffer.element;
  const SpirvId at = element_of(access);
  if (buffer.base == 0)
    return out_.make(Spv::kLoad, {held_type(out_, element), pointer_to(buffer, at)});
  if (!is_in_words(element))
    return held_from_stored(
        out_, element, out_.make(Spv::kLoad, {stored_type(out_, element), pointer_to(buffer, at)}));
  const SpirvId word = out_.integer(32);
  const PartOfWord part = part_of_word(buffer, at);
  const SpirvId all = out_.make(Spv::kLoad, {word, part.pointer});
  const SpirvId low = out_.make(Spv::kShiftRightLogical, {word, all, part.shift});
  if (element != Scalar::kPred) return narrowed(out_, element, low);
  const SpirvId byte = out_.make(Spv::kBitwiseAnd, {word, low, out_.number(0xff)});
  return out_.make(Spv::kINotEqual, {out_.boolean(), byte, out_.number(0)});
}

void KernelWriter::load(const Op& op) {
  const Access& access = op.access();
  if (access.mask == kernel::kNone) {
    values_[op.result()] = read(access);
    return;
  }
  const Scalar scalar = this->scalar(op.result());
  const SpirvId type = held_type(out_, scalar), variable = out_.local(type);
  out_.say(Spv::kStore,
           {variable, access.otherwise == kernel::kNone ? held_constant(out_, scalar, 0)
                                                        : value(access.otherwise)});
  const SpirvId merge = begin_if(value(access.mask));
  out_.say(Spv::kStore, {variable, read(access)});
  end_if(merge);
  values_[op.result()] = out_.make(Spv::kLoad, {type, variable});
}

void KernelWriter::store(const Op& op) {
  const Access& access = op.access();
  const HeldBuffer& buffer = buffers_[static_cast<size_t>(access.buffer)];
  const SpirvId merge = access.mask == kernel::kNone ? 0 : begin_if(value(access.mask));
  SpirvId stored = value(access.stored);
  const SpirvId at = element_of(access);
  if (buffer.base != 0 && is_in_words(buffer.element)) {
    put_in_word(buffer, at, stored);
  } else {
    if (buffer.base != 0) stored = stored_from_held(out_, buffer.element, stored);
    out_.say(Spv::kStore, {pointer_to(buffer, at), stored});
  }
  if (merge != 0) end_if(merge);
}

void KernelWriter::put_in_word(const HeldBuffer& buffer, SpirvId at, SpirvId stored) {
  const SpirvId word = out_.integer(32);
  const PartOfWord part = part_of_word(buffer, at);
  const SpirvId ones = out_.number((1 << (8 * kernel::scalar_bytes(buffer.element))) - 1);
  if (buffer.element == Scalar::kPred)
    stored = out_.make(Spv::kSelect, {word, stored, out_.number(1), out_.number(0)});
  else
    stored = out_.make(Spv::kBitwiseAnd, {word, stored, ones});
  const SpirvId bits = out_.make(Spv::kShiftLeftLogical, {word, stored, part.shift});
  const SpirvId taken = out_.make(Spv::kShiftLeftLogical, {word, ones, part.shift});
  const SpirvId others = out_.make(Spv::kNot, {word, taken});
  const SpirvId scope = out_.number(kDeviceScope), order = out_.number(kRelaxed);
  out_.make(Spv::kAtomicAnd, {word, part.pointer, scope, order, others});
  out_.make(Spv::kAtomicOr, {word, part.pointer, scope, order, bits});
}

}  // namespace hlocc::backends
