// Finds for each address the running pointer that lacks the least, and adds what is missing.
// Additions are not marked inbounds: a running pointer may leave its buffer after the last
// iteration, or start in front of it where an offset follows.
#include "backends/llvm/emit/pointers.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "backends/llvm/emit/types.h"
#include "support/check.h"

namespace hlocc::backends {
namespace {

using kernel::Affine;

// `key` minus `part`, or nothing when part holds a term that key lacks.
std::optional<std::vector<Affine::Term>> without(const std::vector<Affine::Term>& key,
                                                 const std::vector<Affine::Term>& part) {
  std::vector<Affine::Term> rest;
  size_t found = 0;
  for (const Affine::Term& term : key) {
    if (std::ranges::find(part, term) != part.end())
      ++found;
    else
      rest.push_back(term);
  }
  if (found != part.size()) return std::nullopt;
  return rest;
}

}  // namespace

int Pointers::element_bytes(kernel::BufferId buffer) const {
  return memory_bytes(kernel_.buffers[buffer].element, pointer_bits_);
}

llvm::Value* Pointers::constant(int64_t number) const {
  return llvm::ConstantInt::getSigned(builder_.getIntNTy(pointer_bits_), number);
}

Affine Pointers::folded(const Affine& affine) const {
  Affine out = Affine::constant(affine.offset);
  for (const Affine::Term& term : affine.terms) {
    if (const auto* known = llvm::dyn_cast_or_null<llvm::ConstantInt>(values_[term.value]))
      out.offset += term.scale * known->getSExtValue();
    else
      out = out.plus(Affine::of(term.value, term.scale));
  }
  return out;
}

llvm::Value* Pointers::number(const Affine& affine) {
  const Affine at = folded(affine);
  llvm::Value* sum = nullptr;
  for (const Affine::Term& term : at.terms) {
    llvm::Value* part = values_[term.value];
    HLOCC_CHECK(part != nullptr, "an address uses a value before it is defined");
    if (term.scale != 1) part = builder_.CreateMul(part, constant(term.scale));
    sum = sum == nullptr ? part : builder_.CreateAdd(sum, part);
  }
  if (sum == nullptr) return constant(at.offset);
  return at.offset == 0 ? sum : builder_.CreateAdd(sum, constant(at.offset));
}

llvm::Value* Pointers::address(kernel::BufferId buffer, const Affine& at) {
  return address(buffer, at, nullptr);
}

llvm::Value* Pointers::address(kernel::BufferId buffer, const Affine& at,
                               const std::function<llvm::Value*(llvm::Value*)>& renew) {
  const Affine element = folded(at);
  RunningPointer* best = nullptr;
  std::vector<Affine::Term> missing;
  for (RunningPointer& candidate : active_) {
    if (candidate.key.buffer != buffer) continue;
    std::optional<std::vector<Affine::Term>> rest = without(element.terms, candidate.key.terms);
    if (!rest || (best != nullptr && rest->size() > missing.size())) continue;
    // Of pointers that lack as little those of one key, which rise: the nearest one below.
    if (best != nullptr && rest->size() == missing.size() &&
        (best->key != candidate.key || candidate.lowest > element.offset))
      continue;
    best = &candidate;
    missing = std::move(*rest);
  }
  HLOCC_CHECK(best != nullptr, "a buffer without a pointer");
  const int bytes = element_bytes(buffer);
  if (renew && best->start != nullptr &&
      llvm::cast<llvm::Instruction>(best->pointer)->getParent() == builder_.GetInsertBlock())
    best->pointer = renew(best->pointer);
  llvm::Value* pointer = best->pointer;
  for (const Affine::Term& term : missing)
    if (!is_parameter(term.value))
      pointer = builder_.CreateGEP(builder_.getInt8Ty(), pointer,
                                   number(Affine::of(term.value, term.scale * bytes)));
  for (const Affine::Term& term : missing)
    if (is_parameter(term.value)) pointer = step_by(pointer, term, bytes);
  const int64_t offset = element.offset - best->lowest;
  if (offset == 0) return pointer;
  return builder_.CreateGEP(builder_.getInt8Ty(), pointer, constant(offset * bytes));
}

bool Pointers::is_parameter(kernel::ValueId value) const {
  return std::ranges::find(kernel_.parameters, value) != kernel_.parameters.end();
}

// Neighbours a run-time distance apart are reached one from the other: each step is an addition of
// one register, and no multiple of the distance needs one of its own.
llvm::Value* Pointers::step_by(llvm::Value* pointer, const Affine::Term& term, int bytes) {
  constexpr int64_t kMostSteps = 12;
  const int64_t steps = std::abs(term.scale);
  const bool far = steps > kMostSteps;
  llvm::Value* distance = number(Affine::of(term.value, far              ? term.scale * bytes
                                                        : term.scale < 0 ? -bytes
                                                                         : bytes));
  for (int64_t step = 0; step < (far ? 1 : steps); ++step)
    pointer = builder_.CreateGEP(builder_.getInt8Ty(), pointer, distance);
  return pointer;
}

// MVE's loads reach as far back as ahead: one pointer in the middle serves what would take two.
std::vector<int64_t> Pointers::in_one(const Reads& reads, std::vector<int64_t> starts) const {
  const int64_t bytes = element_bytes(reads.key.buffer), first = *reads.offsets.begin(),
                middle = *reads.offsets.lower_bound(*reads.offsets.rbegin() -
                                                    target_.load_reach / bytes);
  const bool reaches = target_.has(Isa::kMve) && (middle - first) * bytes <= target_.load_reach;
  return reaches ? std::vector{middle} : std::move(starts);
}

// The first offset, and each that is out of reach of the one before; the first alone if there are
// too many for the registers.
std::vector<int64_t> Pointers::starts(const Reads& reads) const {
  constexpr size_t kMostPointers = 8;
  std::vector<int64_t> starts;
  for (const int64_t offset : reads.offsets) {
    const bool is_near =
        !starts.empty() &&
        (target_.load_reach == 0 ||
         (offset - starts.back()) * element_bytes(reads.key.buffer) <= target_.load_reach);
    if (!is_near) starts.push_back(offset);
  }
  if (starts.size() > kMostPointers) starts.resize(1);
  return starts.size() == 2 ? in_one(reads, std::move(starts)) : starts;
}

std::vector<RunningPointer> Pointers::pointers_with(const kernel::Region& body,
                                                    kernel::ValueId counter) const {
  std::vector<Reads> found;
  collect(body, counter, found);
  std::vector<RunningPointer> pointers;
  for (const Reads& reads : found)
    for (const int64_t offset : starts(reads))
      pointers.push_back({.key = reads.key, .lowest = offset});
  return pointers;
}

void Pointers::collect(const kernel::Region& region, kernel::ValueId counter,
                       std::vector<Reads>& found) const {
  for (const kernel::Op& op : region.ops) {
    for (const kernel::Region& inner : op.regions) collect(inner, counter, found);
    const auto* access = std::get_if<kernel::Access>(&op.payload);
    if (access == nullptr) continue;
    const Affine at = folded(access->at);
    PointerKey key{access->buffer, at.terms};
    std::erase_if(key.terms, [&](const Affine::Term& term) {
      return values_[term.value] == nullptr || is_parameter(term.value);
    });
    if (std::ranges::find(key.terms, counter, &Affine::Term::value) == key.terms.end()) continue;
    auto known = std::ranges::find(found, key, &Reads::key);
    if (known == found.end()) known = found.insert(found.end(), {.key = std::move(key)});
    known->offsets.insert(at.offset);
  }
}

}  // namespace hlocc::backends
