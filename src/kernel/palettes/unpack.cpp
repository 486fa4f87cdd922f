// See unpack.h. The sites where elements are looked up are found first, as ops of the old kernel;
// then the kernel is copied, and the code of each site put before its op.
#include "kernel/palettes/unpack.h"

#include <algorithm>
#include <map>

#include "kernel/palettes/footprint.h"
#include "kernel/palettes/palette.h"
#include "support/text.h"

namespace hlocc::kernel {
namespace {

// So much more than once may an element be looked up for the sake of less scratch.
constexpr double kLookedUpAgain = 1.1;
// Fewer at a time would part the loops that multiply them.
constexpr int64_t kFewestLookedUp = 32;

int64_t in_palette_groups(int64_t elements) {
  return (elements + kPaletteGroup - 1) / kPaletteGroup * kPaletteGroup;
}

// Where the code that looks elements up stands: before an op, for what reads in it and behind it.
struct LookUpSite {
  const Op* before = nullptr;
  Footprint read;
};

class LookUpSites {
 public:
  LookUpSites(const Kernel& kernel, BufferId buffer)
      : footprints_(kernel, buffer),
        all_{Affine{}, in_palette_groups(kernel.buffers[static_cast<size_t>(buffer)].elements)} {
    region(kernel.body);
  }
  const std::vector<LookUpSite>& all() const { return sites_; }
  int64_t scratch() const {
    int64_t most = 0;
    for (const LookUpSite& site : sites_) most = std::max(most, site.read.elements);
    return most;
  }

 private:
  // Whether the term is a multiple of a group in every iteration of the loops around.
  bool counts_groups(const Affine::Term& term) const {
    if (term.scale % kPaletteGroup == 0) return true;
    const auto loop = counters_.find(term.value);
    return loop != counters_.end() && term.scale * loop->second->step % kPaletteGroup == 0 &&
           term.scale * loop->second->lower.offset % kPaletteGroup == 0;
  }

  // Begins at a group, and takes whole ones; none where that is not known.
  std::optional<Footprint> of_groups(const Footprint& read) const {
    for (const Affine::Term& term : read.first.terms)
      if (!counts_groups(term)) return std::nullopt;
    Footprint out = read;
    const int64_t rest = ((out.first.offset % kPaletteGroup) + kPaletteGroup) % kPaletteGroup;
    out.first.offset -= rest;
    out.elements = in_palette_groups(out.elements + rest);
    return out;
  }

  void region(const Region& region) {
    std::vector<const Op*> readers;
    double apart = 0;
    for (const Op& op : region.ops)
      if (const std::optional<Footprint> one = footprints_.of(op)) {
        readers.push_back(&op);
        apart += static_cast<double>(one->elements);
      }
    if (readers.empty()) return;
    const Footprint all = *footprints_.of(region);
    // What several of them read is looked up once; loads are no reason for a loop each.
    const bool has_loads =
        std::ranges::any_of(readers, [](const Op* op) { return op->kind == OpKind::kLoad; });
    if (readers.size() > 1 &&
        (has_loads || apart > kLookedUpAgain * static_cast<double>(all.elements)))
      return add(readers.front(), all);
    for (const Op* op : readers) one(*op);
  }

  void one(const Op& op) {
    const Footprint all = *footprints_.of(op);
    if (op.kind == OpKind::kLoop && goes_inside(op, all)) return region(op.regions[0]);
    add(&op, all);
  }

  // Not where sums are carried: they wait in registers.
  bool goes_inside(const Op& loop, const Footprint& all) {
    if (!loop.results.empty()) return false;
    const std::optional<LoopRange> range = known_range(loop.loop());
    if (range) counters_[loop.regions[0].arguments[0]] = &loop.loop();
    const std::optional<Footprint> inside = of_groups(*footprints_.of(loop.regions[0]));
    return range && inside && inside->elements < all.elements &&
           inside->elements >= kFewestLookedUp &&
           static_cast<double>(range->count * inside->elements) <=
               kLookedUpAgain * static_cast<double>(in_palette_groups(all.elements));
  }

  void add(const Op* before, const Footprint& read) {
    sites_.push_back({before, of_groups(read).value_or(all_)});
  }

  Footprints footprints_;
  const Footprint all_;
  std::map<ValueId, const Loop*> counters_;  // of known loops
  std::vector<LookUpSite> sites_;
};

// One operand of the kernel that becomes indices.
struct LookedUp {
  BufferId indices = kNone, palette = kNone, scratch = kNone;
  int bits = 0;
  Scalar element = Scalar::kU8;
  std::vector<LookUpSite> sites;
};

class PaletteWriter {
 public:
  PaletteWriter(const Kernel& kernel, std::vector<LookedUp> operands, Kernel& out)
      : operands_(std::move(operands)), out_(out) {
    out_.body = copied(kernel.body);
  }
  int64_t ops() const { return added_; }

 private:
  ValueId value(Scalar scalar) {
    out_.types.push_back({scalar, 1});
    return static_cast<ValueId>(out_.types.size()) - 1;
  }
  ValueId append(Region& region, OpKind kind, Scalar scalar, std::vector<ValueId> operands,
                 decltype(Op::payload) payload = std::monostate{}) {
    const ValueId made = value(scalar);
    region.ops.push_back({.kind = kind,
                          .operands = std::move(operands),
                          .results = {made},
                          .payload = std::move(payload)});
    added_ += kind == OpKind::kConstant ? 0 : 1;
    return made;
  }
  ValueId number(Region& region, uint64_t bits) {
    return append(region, OpKind::kConstant, Scalar::kU32, {}, Constant{{bits}});
  }
  ValueId binary(Region& region, OpKind kind, ValueId a, uint64_t b) {
    const ValueId right = number(region, b);
    return append(region, kind, Scalar::kU32, {a, right});
  }
  ValueId load(Region& region, BufferId buffer, Scalar scalar, Affine at) {
    return append(region, OpKind::kLoad, scalar, {}, Access{buffer, std::move(at)});
  }

  // The number of element `n` of a group, whose bytes are given.
  ValueId index_of(Region& region, const LookedUp& u, const std::vector<ValueId>& bytes, int n) {
    const int first = n * u.bits, at = first / 8, shift = first % 8;
    ValueId index = bytes[static_cast<size_t>(at)];
    if (shift > 0) index = binary(region, OpKind::kNativeShr, index, static_cast<uint64_t>(shift));
    if (shift + u.bits > 8) {
      const ValueId high = binary(region, OpKind::kNativeShl, bytes[static_cast<size_t>(at) + 1],
                                  static_cast<uint64_t>(8 - shift));
      index = append(region, OpKind::kOr, Scalar::kU32, {index, high});
    }
    if (shift + u.bits != 8)
      index = binary(region, OpKind::kAnd, index, (uint64_t{1} << u.bits) - 1);
    return append(region, OpKind::kNativeConvert, Scalar::kIndex, {index});
  }

  // Where the indices of an element begin that is the first of a group.
  Affine place_of(const Affine& element, int bits, Region& region) {
    Affine groups = Affine::constant(element.offset / kPaletteGroup * bits);
    for (const Affine::Term& term : element.terms) {
      if (term.scale % kPaletteGroup == 0) {
        groups = groups.plus(Affine::of(term.value, term.scale / kPaletteGroup * bits));
        continue;
      }
      // The counter's step makes it a multiple.
      const ValueId scale = append(region, OpKind::kConstant, Scalar::kIndex, {},
                                   Constant{{static_cast<uint64_t>(term.scale)}});
      const ValueId at = append(region, OpKind::kMul, Scalar::kIndex, {term.value, scale});
      const ValueId elements = append(region, OpKind::kNativeConvert, Scalar::kU32, {at});
      const ValueId group = binary(region, OpKind::kNativeShr, elements, 3);
      groups = groups.plus(
          Affine::of(append(region, OpKind::kNativeConvert, Scalar::kIndex, {group}), bits));
    }
    return groups;
  }

  void look_up(const LookedUp& u, const Footprint& read, Region& around) {
    const Affine first = place_of(read.first, u.bits, around);
    Region body;
    const ValueId group = value(Scalar::kIndex);
    body.arguments = {group};
    std::vector<ValueId> bytes;
    for (int byte = 0; byte < u.bits; ++byte) {
      const ValueId loaded =
          load(body, u.indices, Scalar::kU8, first.plus(Affine::of(group, u.bits)).plus(byte));
      bytes.push_back(append(body, OpKind::kNativeConvert, Scalar::kU32, {loaded}));
    }
    const Scalar held = out_.buffers[static_cast<size_t>(u.palette)].element;
    for (int n = 0; n < kPaletteGroup; ++n) {
      const ValueId index = index_of(body, u, bytes, n);
      ValueId element = load(body, u.palette, held, Affine::of(index));
      if (held != u.element) element = append(body, OpKind::kBitcast, u.element, {element});
      body.ops.push_back(
          {.kind = OpKind::kStore,
           .operands = {element},
           .payload = Access{u.scratch, Affine::of(group, kPaletteGroup, n), 1, element}});
      ++added_;
    }
    Op loop{.kind = OpKind::kLoop,
            .payload = Loop{Affine{}, Affine::constant(read.elements / kPaletteGroup)}};
    loop.regions.push_back(std::move(body));
    around.ops.push_back(std::move(loop));
  }

  Region copied(const Region& region) {
    Region out{region.arguments, {}, region.yields};
    for (const Op& op : region.ops) {
      for (LookedUp& u : operands_)
        for (const LookUpSite& site : u.sites)
          if (site.before == &op) {
            look_up(u, site.read, out);
            now_[u.indices] = &site.read;
          }
      if (op.kind == OpKind::kPrefetch && of(op) != nullptr) continue;
      out.ops.push_back(copied(op));
    }
    return out;
  }

  Op copied(const Op& op) {
    Op out = op;
    out.regions.clear();
    for (const Region& region : op.regions) out.regions.push_back(copied(region));
    if (const LookedUp* u = of(op)) {
      auto& access = std::get<Access>(out.payload);
      access.buffer = u->scratch;
      access.at = access.at.plus(now_.at(u->indices)->first.times(-1));
    } else if (auto* access = std::get_if<Access>(&out.payload)) {
      access->buffer = moved(access->buffer);
    }
    return out;
  }

  const LookedUp* of(const Op& op) const {
    const auto* access = std::get_if<Access>(&op.payload);
    if (access == nullptr) return nullptr;
    const auto found = std::ranges::find(operands_, access->buffer, &LookedUp::indices);
    return found == operands_.end() ? nullptr : &*found;
  }
  // Scratch of the kernel's own is behind palettes and what is looked up: what lies in the stack
  // comes last.
  BufferId moved(BufferId buffer) const {
    const BufferId first = operands_.front().palette;
    return buffer < first ? buffer : buffer + 2 * static_cast<BufferId>(operands_.size());
  }

  std::vector<LookedUp> operands_;
  Kernel& out_;
  std::map<BufferId, const Footprint*> now_;  // by buffer of indices: what scratch holds
  int64_t added_ = 0;
};

}  // namespace

std::optional<UnpackedKernel> unpack_palettes(const Kernel& kernel,
                                              std::span<const PaletteUse> uses,
                                              std::span<const int64_t> elements) {
  UnpackedKernel out{kernel};
  out.kernel.name = "palette_" + kernel.name;
  const int operands = kernel.operand_buffers(), count = static_cast<int>(uses.size());
  std::vector<LookedUp> all;
  std::vector<Buffer> added(2 * uses.size());
  for (int n = 0; n < count; ++n) {
    const auto at = static_cast<size_t>(n);
    const BufferId id = uses[at].operand;
    const Buffer& old = kernel.buffers[static_cast<size_t>(id)];
    if (old.direction != Direction::kIn || old.element == Scalar::kPred ||
        old.element == Scalar::kIndex)
      return std::nullopt;
    const LookUpSites sites(kernel, id);
    all.push_back(
        {id, operands + n, operands + count + n, uses[at].bits, old.element, sites.all()});
    out.scratch_bytes += sites.scratch() * scalar_bytes(old.element);
    added[at] = {.name = cat("palette", n),
                 .element = palette_scalar(old.element),
                 .elements = elements[at]};
    added[uses.size() + at] = {.name = cat("looked_up_", old.name),
                               .element = old.element,
                               .elements = sites.scratch(),
                               .direction = Direction::kScratch,
                               .alignment = old.alignment};
    Buffer& indices = out.kernel.buffers[static_cast<size_t>(id)];
    indices.element = Scalar::kU8;
    indices.elements =
        (in_palette_groups(old.elements) / kPaletteGroup + 1) * int64_t{uses[at].bits};
    indices.alignment = 0;
  }
  out.kernel.buffers.insert(out.kernel.buffers.begin() + operands, added.begin(), added.end());
  PaletteWriter writer(kernel, std::move(all), out.kernel);
  out.ops = writer.ops();
  return out;
}

}  // namespace hlocc::kernel
