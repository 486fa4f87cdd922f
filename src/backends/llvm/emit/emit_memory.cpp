// Loads and stores. Contiguous lanes are one vector access that needs the alignment of an element
// and no more. Masked ones use LLVM's masked intrinsics, which its code generator turns into
// branches where the target has no such instruction. Everything else goes lane by lane.
#include <algorithm>
#include <numeric>

#include "backends/llvm/emit/emitter.h"
#include "backends/llvm/idioms/dot_idioms.h"
#include "backends/llvm/idioms/gather_support.h"
#include "backends/llvm/idioms/hvx.h"
#include "backends/llvm/idioms/scatter_bytes.h"
#include "backends/llvm/idioms/tile_order.h"
#include "kernel/legalize/byte_stores.h"
#include "llvm/IR/IntrinsicsARM.h"

namespace hlocc::backends {
namespace {

using kernel::Access;
using kernel::Type;

// A lane's distance from `at` in elements, for accesses without lane indices.
kernel::Affine lane_at(const Access& access, int lane) {
  return access.at.plus(access.lane_stride * lane);
}

// MVE's loads of words reach 508 bytes from a pointer, those of bytes 127.
bool reaches_further_in_words(const Target& target, Type type) {
  return target.has(Isa::kMve) && type.lanes == 16 && kernel::scalar_bits(type.scalar) == 8;
}

llvm::Align known_align(int64_t bytes) {
  return llvm::Align(std::min<int64_t>(bytes & -bytes, kHvxBytes));
}

bool is_contiguous(const Access& access) {
  return access.lane_indices == kernel::kNone &&
         (access.lane_stride == 1 || access.lane_stride == -1);
}

}  // namespace

llvm::Value* Emitter::to_register(llvm::Value* memory, Type type) {
  if (type.scalar == kernel::Scalar::kPred) return builder_.CreateIsNotNull(memory);
  llvm::Type* wanted = type_of(type);
  return memory->getType() == wanted ? memory : builder_.CreateTrunc(memory, wanted);
}

llvm::Value* Emitter::to_memory(llvm::Value* value, Type type) {
  llvm::Type* wanted = memory_type(builder_.getContext(), type, target_.pointer_bits);
  if (value->getType() == wanted) return value;
  return kernel::is_signed(type.scalar) ? builder_.CreateSExt(value, wanted)
                                        : builder_.CreateZExt(value, wanted);
}

llvm::Value* Emitter::plain_load(llvm::Value* pointer, Type type) {
  llvm::Type* memory = memory_type(builder_.getContext(), type, target_.pointer_bits);
  const llvm::Align align(memory_bytes(type.scalar, target_.pointer_bits));
  return to_register(builder_.CreateAlignedLoad(memory, pointer, align), type);
}

void Emitter::plain_store(llvm::Value* pointer, llvm::Value* value, Type type) {
  llvm::StoreInst* store =
      builder_.CreateAlignedStore(to_memory(value, type), pointer,
                                  llvm::Align(memory_bytes(type.scalar, target_.pointer_bits)));
  if (read_only_ != nullptr) store->setMetadata(llvm::LLVMContext::MD_noalias, read_only_);
}

llvm::Value* Emitter::mask_lane(llvm::Value* mask, int lane) {
  return mask->getType()->isVectorTy()
             ? builder_.CreateExtractElement(mask, builder_.getInt32(lane))
             : mask;
}

template <typename Then>
void Emitter::emit_guarded(llvm::Value* condition, const Then& then) {
  llvm::BasicBlock *guarded = new_block("guarded"), *join = new_block("join");
  builder_.CreateCondBr(condition, guarded, join);
  builder_.SetInsertPoint(guarded);
  then();
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
}

llvm::Value* Emitter::emit_load(const kernel::Op& op) {
  const Access& access = op.access();
  const Type type = kernel_.type(op.result());
  const bool scalar_mask = access.mask != kernel::kNone && !kernel_.type(access.mask).is_vector();
  if (!scalar_mask) return load_lanes(access, type);
  Access plain = access;
  plain.mask = plain.otherwise = kernel::kNone;
  llvm::Value* otherwise = access.otherwise == kernel::kNone
                               ? llvm::Constant::getNullValue(type_of(type))
                               : value(access.otherwise);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::Value* loaded = nullptr;
  llvm::BasicBlock* guarded = nullptr;
  emit_guarded(value(access.mask), [&] {
    loaded = load_lanes(plain, type);
    guarded = builder_.GetInsertBlock();
  });
  llvm::PHINode* phi = builder_.CreatePHI(type_of(type), 2);
  phi->addIncoming(otherwise, before);
  phi->addIncoming(loaded, guarded);
  return phi;
}

llvm::Value* Emitter::load_lanes(const Access& access, Type type) {
  if (!type.is_vector()) return plain_load(lane_pointer(access, 0), type);
  // LLVM reads all lanes on HVX, and then takes those of the mask.
  const bool reads_more = access.mask != kernel::kNone && target_.has(Isa::kHvx);
  if (is_contiguous(access) && !reads_more)
    return load_contiguous(access, type, access.lane_stride < 0 ? 1 - type.lanes : 0);
  if (access.lane_indices == kernel::kNone && access.lane_stride == 0 &&
      access.mask == kernel::kNone)
    return builder_.CreateVectorSplat(type.lanes,
                                      plain_load(lane_pointer(access, 0), type.scalar_type()));
  return gather(access, type);
}

// A word of weights, or two of the left side, each time by a pointer of its own: LLVM gathers loads
// from one pointer at the head of a block, and a pointer that is seldom used waits in the stack.
llvm::Value* Emitter::address_of_tile(const Access& access, Type type, int64_t first) {
  const int bits = type.lanes * kernel::scalar_bits(type.scalar);
  const bool of_tile = is_held_in_words(target_, type) && access.mask == kernel::kNone &&
                       bits <= 64 && alignment_of(access) >= 4 && ties_registers(function_);
  const kernel::Affine at = access.at.plus(first);
  if (!of_tile) return pointers_.address(access.buffer, at);
  return pointers_.address(access.buffer, at, [this](llvm::Value* pointer) {
    return in_same_register(builder_, pointer);
  });
}

// Of vectors Hexagon wants to know more than that elements are aligned.
llvm::Value* Emitter::load_vector(llvm::Value* pointer, Type type, int64_t alignment) {
  llvm::Type* memory = memory_type(builder_.getContext(), type, target_.pointer_bits);
  if (!target_.has(Isa::kHexagon)) return plain_load(pointer, type);
  llvm::Value* loaded = is_part_of_register(target_, memory)
                            ? load_part(builder_, pointer, memory, alignment)
                            : builder_.CreateAlignedLoad(memory, pointer, known_align(alignment));
  return to_register(loaded, type);
}

// lane_stride is 1, or -1: then the lowest address, `first` elements from `at`, holds the last
// lane.
llvm::Value* Emitter::load_contiguous(const Access& access, Type type, int64_t first) {
  llvm::Value* pointer = address_of_tile(access, type, first);
  const auto reversed = [&](llvm::Value* vector) {
    return access.lane_stride < 0 ? builder_.CreateVectorReverse(vector) : vector;
  };
  if (access.mask == kernel::kNone && is_held_in_words(target_, type) && access.lane_stride > 0)
    return load_words(pointer, type, alignment_of(access));
  if (access.mask == kernel::kNone) {
    const bool in_words = reaches_further_in_words(target_, type) && alignment_of(access) >= 4;
    llvm::Value* loaded = in_words ? load_vector_of_words(pointer, type)
                                   : load_vector(pointer, type, lowest_alignment(access));
    mark_read_only(loaded, access.buffer);
    return reversed(loaded);
  }
  llvm::Type* memory = memory_type(builder_.getContext(), type, target_.pointer_bits);
  llvm::Value* otherwise = access.otherwise == kernel::kNone
                               ? llvm::Constant::getNullValue(memory)
                               : to_memory(value(access.otherwise), type);
  const llvm::Align align(memory_bytes(type.scalar, target_.pointer_bits));
  llvm::Value* loaded = builder_.CreateMaskedLoad(
      memory, pointer, align, reversed(value(access.mask)), reversed(otherwise));
  return reversed(to_register(loaded, type));
}

// A pointer in an odd register could be any to LLVM: loads of what the kernel only reads are said
// to be of one scope, which its stores don't reach.
void Emitter::mark_read_only(llvm::Value* loaded, kernel::BufferId buffer) {
  auto* load = llvm::dyn_cast<llvm::LoadInst>(loaded);
  if (load == nullptr || read_only_ == nullptr || buffer >= kernel_.bound_buffers()) return;
  const llvm::Argument* argument = function_.getArg(static_cast<unsigned>(buffer));
  if (argument->hasNoAliasAttr() && argument->onlyReadsMemory())
    load->setMetadata(llvm::LLVMContext::MD_alias_scope, read_only_);
}

// LLVM would make one load of bytes of a load and a plain cast.
llvm::Value* Emitter::load_vector_of_words(llvm::Value* pointer, Type type) {
  llvm::Type *bytes = type_of(type), *words = llvm::FixedVectorType::get(builder_.getInt32Ty(), 4);
  llvm::Value* loaded = builder_.CreateAlignedLoad(words, pointer, llvm::Align(4));
  return builder_.CreateIntrinsic(llvm::Intrinsic::arm_mve_vreinterpretq, {bytes, words}, {loaded});
}

// What is known of an address, in bytes: a buffer's alignment, as far as no term breaks it.
int64_t Emitter::alignment_of(const Access& access) const {
  const int64_t element = pointers_.element_bytes(access.buffer);
  int64_t known = std::max<int64_t>(kernel_.buffers[access.buffer].alignment, element);
  known = std::gcd(known, access.at.offset * element);
  for (const kernel::Affine::Term& term : access.at.terms)
    known = std::gcd(known, term.scale * element);
  return known;
}

// The same of the lowest of lanes that lie side by side.
int64_t Emitter::lowest_alignment(const Access& access) const {
  return access.lane_stride < 0 ? pointers_.element_bytes(access.buffer) : alignment_of(access);
}

llvm::Value* Emitter::load_words(llvm::Value* pointer, Type type, int64_t alignment) {
  llvm::Type* memory = memory_type(builder_.getContext(), type, target_.pointer_bits);
  const int64_t bytes = int64_t{type.lanes} * memory_bytes(type.scalar, target_.pointer_bits);
  const llvm::Align align(std::min<int64_t>(alignment, 4));
  std::vector<llvm::Value*> words;
  // Two words are one LDRD, which LLVM forms of neighbours only while nothing is scheduled between
  // them; of a load that it may not take apart it always does.
  const auto pair_at = [&](int64_t at) {
    llvm::Value* pair = builder_.CreateAlignedLoad(
        builder_.getInt64Ty(), builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointer, at),
        align, /*isVolatile=*/true);
    words.push_back(builder_.CreateTrunc(pair, builder_.getInt32Ty()));
    words.push_back(builder_.CreateTrunc(builder_.CreateLShr(pair, 32), builder_.getInt32Ty()));
  };
  int64_t paired = 0;
  if (alignment >= 4)
    for (; paired + 8 <= bytes; paired += 8) pair_at(paired);
  for (int64_t at = paired; at < bytes; at += 4)
    words.push_back(builder_.CreateAlignedLoad(
        builder_.getInt32Ty(), builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointer, at),
        align));
  return vector_of_words(builder_, words, memory);
}

void Emitter::store_words(llvm::Value* pointer, llvm::Value* stored, int64_t alignment) {
  int64_t at = 0;
  for (llvm::Value* word : words_of(builder_, stored)) {
    builder_.CreateAlignedStore(word,
                                builder_.CreateConstGEP1_64(builder_.getInt8Ty(), pointer, at),
                                llvm::Align(std::min<int64_t>(alignment, 4)));
    at += 4;
  }
}

llvm::Value* Emitter::lane_pointer(const Access& access, int lane) {
  if (access.lane_indices == kernel::kNone)
    return pointers_.address(access.buffer, lane_at(access, lane));
  llvm::Value* index = value(access.lane_indices);
  if (index->getType()->isVectorTy())
    index = builder_.CreateExtractElement(index, builder_.getInt32(lane));
  index = builder_.CreateSExtOrTrunc(index, builder_.getIntNTy(target_.pointer_bits));
  const int bytes = pointers_.element_bytes(access.buffer);
  if (bytes != 1)
    index = builder_.CreateMul(index, llvm::ConstantInt::get(index->getType(), bytes));
  return builder_.CreateGEP(builder_.getInt8Ty(), pointers_.address(access.buffer, access.at),
                            index);
}

llvm::Value* Emitter::gather(const Access& access, Type type) {
  llvm::Type* memory = memory_type(builder_.getContext(), type, target_.pointer_bits);
  const int alignment = memory_bytes(type.scalar, target_.pointer_bits);
  llvm::Value* mask = access.mask == kernel::kNone ? nullptr : value(access.mask);
  llvm::Value* otherwise = access.otherwise == kernel::kNone ? nullptr : value(access.otherwise);
  if (access.lane_indices != kernel::kNone && has_gather(machine_, function_, memory, alignment)) {
    llvm::Type* wide = llvm::VectorType::get(builder_.getIntNTy(target_.pointer_bits),
                                             llvm::cast<llvm::VectorType>(memory));
    llvm::Value* offsets = builder_.CreateSExtOrTrunc(value(access.lane_indices), wide);
    llvm::Value* pointers = builder_.CreateGEP(
        memory->getScalarType(), pointers_.address(access.buffer, access.at), offsets);
    llvm::Value* pass = otherwise == nullptr ? nullptr : to_memory(otherwise, type);
    return to_register(
        builder_.CreateMaskedGather(memory, pointers, llvm::Align(alignment), mask, pass), type);
  }
  llvm::Value* vector =
      otherwise != nullptr ? otherwise : llvm::Constant::getNullValue(type_of(type));
  for (int lane = 0; lane < type.lanes; ++lane) {
    llvm::Value *at = builder_.getInt32(lane), *with_lane = nullptr;
    llvm::BasicBlock *before = builder_.GetInsertBlock(), *guarded = before;
    const auto load_lane = [&] {
      with_lane = builder_.CreateInsertElement(
          vector, plain_load(lane_pointer(access, lane), type.scalar_type()), at);
      guarded = builder_.GetInsertBlock();
    };
    if (mask == nullptr) {
      load_lane();
      vector = with_lane;
      continue;
    }
    emit_guarded(mask_lane(mask, lane), load_lane);
    llvm::PHINode* phi = builder_.CreatePHI(vector->getType(), 2);
    phi->addIncoming(vector, before);
    phi->addIncoming(with_lane, guarded);
    vector = phi;
  }
  return vector;
}

void Emitter::emit_store(const kernel::Op& op) {
  const Access& access = op.access();
  const Type type = kernel_.type(access.stored);
  const auto store = [&](const Access& what) { store_lanes(what, value(access.stored), type); };
  if (access.mask == kernel::kNone || kernel_.type(access.mask).is_vector()) return store(access);
  Access plain = access;
  plain.mask = kernel::kNone;
  emit_guarded(value(access.mask), [&] { store(plain); });
}

// Into the second cache: what is fetched is a share of the next panel, more than the first one
// holds.
void Emitter::emit_prefetch(const kernel::Op& op) {
  const Access& access = op.access();
  constexpr int kRead = 0, kSecondCache = 2, kData = 1;
  builder_.CreateIntrinsic(llvm::Intrinsic::prefetch, {builder_.getPtrTy()},
                           {pointers_.address(access.buffer, access.at), builder_.getInt32(kRead),
                            builder_.getInt32(kSecondCache), builder_.getInt32(kData)});
}

void Emitter::store_lanes(const Access& access, llvm::Value* stored, Type type) {
  if (!type.is_vector()) return plain_store(lane_pointer(access, 0), stored, type);
  llvm::Value* mask = access.mask == kernel::kNone ? nullptr : value(access.mask);
  if (is_contiguous(access)) {
    const bool backwards = access.lane_stride < 0;
    llvm::Value* pointer =
        pointers_.address(access.buffer, access.at.plus(backwards ? 1 - type.lanes : 0));
    if (backwards) stored = builder_.CreateVectorReverse(stored);
    if (mask == nullptr && is_held_in_words(target_, type))
      return store_words(pointer, stored, alignment_of(access));
    if (mask == nullptr && target_.has(Isa::kHexagon)) {
      builder_.CreateAlignedStore(to_memory(stored, type), pointer,
                                  known_align(lowest_alignment(access)));
      return;
    }
    if (mask == nullptr) return plain_store(pointer, stored, type);
    if (backwards) mask = builder_.CreateVectorReverse(mask);
    const llvm::Align align(memory_bytes(type.scalar, target_.pointer_bits));
    builder_.CreateMaskedStore(to_memory(stored, type), pointer, align, mask);
    return;
  }
  if (kernel::scatters_bytes(access, type, target_))
    return scatter_bytes(builder_, lane_pointer(access, 0), stored, access.lane_stride);
  // In the order of the lanes, so that of two lanes with one address the later stays.
  for (int lane = 0; lane < type.lanes; ++lane) {
    const auto store_lane = [&] {
      plain_store(lane_pointer(access, lane),
                  builder_.CreateExtractElement(stored, builder_.getInt32(lane)),
                  type.scalar_type());
    };
    if (mask == nullptr)
      store_lane();
    else
      emit_guarded(mask_lane(mask, lane), store_lane);
  }
}

}  // namespace hlocc::backends
