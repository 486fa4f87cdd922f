// See library.h.
#include "backends/common/library.h"

#include <algorithm>
#include <bit>

#include "backends/common/pool.h"

namespace hlocc::backends {

Library library_of(const kernel::Program& program, const planning::Plan& plan) {
  return {program.signature.stem, program.signature.prefix, {{&program, &plan}}};
}

std::string elf_weights_section(const Library& library, const Target& target) {
  if (!target.options.weights_section.empty()) return target.options.weights_section;
  return ".rodata." + library.prefix + "weights";
}

ConstantsLayout layout_of_constants(const Library& library) {
  ConstantsLayout out;
  for (const Unit& unit : library.units) {
    const int64_t wanted = std::max(unit.plan->arena_align, unit.plan->constant_align);
    out.align =
        std::max(out.align, static_cast<int64_t>(std::bit_ceil(static_cast<uint64_t>(wanted))));
  }
  if (library.has_one_pool) {
    out.offsets.assign(library.units.size(), 0);
    out.bytes = library.units.front().plan->constant_bytes;
    return out;
  }
  for (const Unit& unit : library.units) {
    // What follows a pool may not move it: an empty one takes no room.
    if (unit.plan->constant_bytes > 0)
      out.bytes = (out.bytes + out.align - 1) / out.align * out.align;
    out.offsets.push_back(out.bytes);
    out.bytes += unit.plan->constant_bytes;
  }
  return out;
}

void append_constants(const Library& library, const Target& target, Pieces& out) {
  const ConstantsLayout layout = layout_of_constants(library);
  if (library.has_one_pool) {
    std::map<int64_t, const kernel::ProgramValue*> all;
    for (const Unit& unit : library.units) all.merge(constants_by_offset(*unit.plan));
    return append_pool(all, layout.bytes, target, out);
  }
  int64_t end = 0;
  for (size_t i = 0; i < library.units.size(); ++i) {
    if (layout.offsets[i] > end)
      out.append(std::vector<std::byte>(static_cast<size_t>(layout.offsets[i] - end)));
    append_pool(*library.units[i].plan, target, out);
    end = layout.offsets[i] + library.units[i].plan->constant_bytes;
  }
}

}  // namespace hlocc::backends
