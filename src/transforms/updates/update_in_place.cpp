// update_in_place: a part of a donated array, or of one that a loop carries, that is taken out,
// changed and put back is changed where it lies. Programs with caches for several layers slice a
// layer out, update it, and stack or concatenate the layers again, or write the layer back; each
// array that this names would be memory of its own, and each step a copy. Here
//
//   concatenate(update(slice(x, first), u), slice(x, second))  becomes  update(x, u, first)
//
// and who reads the changed part reads it from the updated array. Nothing that needs what was there
// before may follow (it would need a copy of the whole array), and the result must have the place
// of the array (state_lines.h).
#include <algorithm>

#include "hlo/literal.h"
#include "support/budget.h"
#include "transforms/build.h"
#include "transforms/pass.h"
#include "transforms/updates/part.h"
#include "transforms/updates/state_lines.h"

namespace hlocc::transforms {
namespace {

// Parts of `base`, and what becomes of them in `result`.
struct UpdateOfParts {
  InstructionId result = kNone, base = kNone;
  struct Change {
    InstructionId update = kNone;  // of the part
    Place place;
  };
  std::vector<Change> changes;
  std::vector<Written> news;  // what is no part of the array
};

bool is_view(Opcode opcode) {
  switch (opcode) {
    case Opcode::kReshape:
    case Opcode::kBitcast:
    case Opcode::kTranspose:
    case Opcode::kSlice:
    case Opcode::kDynamicSlice: return true;
    default: return false;
  }
}

class InPlace {
 public:
  InPlace(Module& module, ComputationId id, bool is_loop_body)
      : module_(module), id_(id), is_loop_body_(is_loop_body) {}

  void run() {
    for (const InstructionId id : c().topological_order(module_)) {
      const std::optional<UpdateOfParts> site = find(id);
      if (!site || !may_search(static_cast<int64_t>(c().instructions.size()))) continue;
      if (!keeps_place(*site)) continue;
      const Users users = c().users();
      const std::vector<InstructionId> slices = slices_apart(*site, users);
      if (is_read_later(*site, users, slices)) continue;
      const InstructionId array = change(*site);
      for (const InstructionId slice : slices) c()[slice].operands[0] = array;
    }
  }

 private:
  Computation& c() { return module_.computations[static_cast<size_t>(id_)]; }
  const Computation& c() const { return module_.computations[static_cast<size_t>(id_)]; }

  std::optional<UpdateOfParts> find(InstructionId id) const {
    switch (c()[id].opcode) {
      case Opcode::kConcatenate: return find_joined(id);
      case Opcode::kScatter:
      case Opcode::kDynamicUpdateSlice: return find_put_back(id);
      default: return std::nullopt;
    }
  }

  static void add_part(UpdateOfParts& site, const Part& part, const Place& place) {
    for (const InstructionId update : part.updates) site.changes.push_back({update, place});
  }

  // A concatenation of parts of one array, each at its place.
  std::optional<UpdateOfParts> find_joined(InstructionId id) const {
    const Instruction& i = c()[id];
    const auto d = static_cast<size_t>(i.get<hlo::DimensionsAttributes>().dimensions[0]);
    UpdateOfParts site{id, kNone, {}, {}};
    Place place{std::vector<Start>(i.shape.dimensions.size()), i.shape.dimensions};
    for (const InstructionId operand : i.operands) {
      place.sizes[d] = c()[operand].shape.dimensions[d];
      const auto part = part_of(c(), operand, place, i.shape.dimensions);
      if (part && (site.base == kNone || site.base == part->array)) {
        site.base = part->array;
        add_part(site, *part, place);
      } else {
        site.news.push_back({kNone, operand, place});
      }
      place.starts[d].at += place.sizes[d];
    }
    return site.base == kNone ? std::nullopt : std::optional(std::move(site));
  }

  // A part that is written back to where it was taken.
  std::optional<UpdateOfParts> find_put_back(InstructionId id) const {
    const std::optional<Written> written = written_part(module_, c(), c()[id]);
    if (!written) return std::nullopt;
    const Dimensions& whole = c()[id].shape.dimensions;
    const auto part = part_of(c(), written->value, written->place, whole);
    if (!part || !is_same_part(written->array, part->array, written->place)) return std::nullopt;
    UpdateOfParts site{id, written->array, {}, {}};
    add_part(site, *part, written->place);
    return site;
  }

  // What was written from `before` to `now` lies apart from the place.
  bool is_same_part(InstructionId now, InstructionId before, const Place& place) const {
    while (now != before) {
      const auto known = written_.find(now);
      const std::optional<Written> written =
          known != written_.end() ? known->second : written_part(module_, c(), c()[now]);
      if (!written || !are_apart(written->place, place)) return false;
      now = written->array;
    }
    return true;
  }

  bool keeps_place(const UpdateOfParts& site) const {
    const BaseOf base_of = [&](InstructionId id) {
      if (id == site.result) return site.base;
      if (c()[id].opcode != Opcode::kConcatenate) return kNone;
      const std::optional<UpdateOfParts> other = find_joined(id);
      return other ? other->base : kNone;
    };
    for (const StateLine& line : state_lines(module_, id_, is_loop_body_, base_of))
      if (std::ranges::find(line, site.result) != line.end()) return true;
    return false;
  }

  using Users = std::vector<std::vector<InstructionId>>;

  // By instruction: whether it is one of these, or reached from one by steps of `next`.
  std::vector<char> reached(std::vector<InstructionId> todo, const auto& next) const {
    std::vector<char> seen(c().instructions.size(), 0);
    while (!todo.empty()) {
      const InstructionId id = todo.back();
      todo.pop_back();
      if (seen[static_cast<size_t>(id)]++) continue;
      const std::vector<InstructionId>& more = next(id);
      todo.insert(todo.end(), more.begin(), more.end());
    }
    return seen;
  }
  std::vector<char> behind(std::vector<InstructionId> first, const Users& users) const {
    return reached(std::move(first), [&](InstructionId id) -> const std::vector<InstructionId>& {
      return users[static_cast<size_t>(id)];
    });
  }
  std::vector<char> before(InstructionId last) const {
    return reached({last}, [&](InstructionId id) -> const std::vector<InstructionId>& {
      return c()[id].operands;
    });
  }

  // Slices of what the update leaves as it is: they may be taken of its result as well.
  std::vector<InstructionId> slices_apart(const UpdateOfParts& site, const Users& users) const {
    std::vector<InstructionId> slices;
    const std::vector<char> needed = before(site.result);
    for (const InstructionId user : users[static_cast<size_t>(site.base)]) {
      const std::optional<Place> place = place_of_slice(c(), c()[user]);
      const auto is_apart = [&](const auto& part) { return are_apart(part.place, *place); };
      if (place && std::ranges::all_of(site.changes, is_apart) &&
          std::ranges::all_of(site.news, is_apart) && !needed[static_cast<size_t>(user)])
        slices.push_back(user);
    }
    return slices;
  }

  // Something else reads the old array, whole or in part, and waits for a change to it; or the
  // array itself does.
  bool is_read_later(const UpdateOfParts& site, const Users& users,
                     const std::vector<InstructionId>& slices_apart) const {
    std::vector<InstructionId> known = slices_apart, changed{site.result};
    for (const UpdateOfParts::Change& change : site.changes) changed.push_back(change.update);
    known.insert(known.end(), changed.begin(), changed.end());
    const std::vector<char> after = behind(changed, users);
    if (after[static_cast<size_t>(site.base)]) return true;
    std::vector<InstructionId> todo{site.base};
    while (!todo.empty()) {
      const InstructionId id = todo.back();
      todo.pop_back();
      for (const InstructionId user : users[static_cast<size_t>(id)]) {
        if (std::ranges::find(known, user) != known.end()) continue;
        if (is_view(c()[user].opcode))
          todo.push_back(user);
        else if (after[static_cast<size_t>(user)])
          return true;
      }
    }
    return false;
  }

  // Gives the array as it is then.
  InstructionId change(const UpdateOfParts& site) {
    std::vector<UpdateOfParts::Change> changes = site.changes;
    const std::vector<InstructionId> order = c().topological_order(module_);
    std::vector<size_t> position(c().instructions.size(), 0);
    for (size_t n = 0; n < order.size(); ++n) position[static_cast<size_t>(order[n])] = n;
    std::ranges::sort(changes, {}, [&](const UpdateOfParts::Change& change) {
      return position[static_cast<size_t>(change.update)];
    });
    InstructionId array = site.base;
    for (const UpdateOfParts::Change& each : changes) {
      const InstructionId updated = add_moved_update(c(), array, each.update, each.place);
      written_[updated] = {array, kNone, each.place};
      array = updated;
      const InstructionId part = transforms::add_part(c(), array, each.place, each.update);
      c().replace_uses(each.update, part);
    }
    for (const Written& part : site.news) {
      const InstructionId updated = add_written(c(), array, part.value, part.place);
      written_[updated] = {array, part.value, part.place};
      array = updated;
    }
    c().replace_uses(site.result, array);
    return array;
  }

  Module& module_;
  ComputationId id_;
  bool is_loop_body_;
  // By update that was made here: what it changes at most.
  std::map<InstructionId, Written> written_;
};

}  // namespace

Status update_in_place(hlo::Module& module, const PassContext&) {
  const std::set<ComputationId> bodies = loop_bodies(module);
  InPlace(module, module.entry, false).run();
  for (const ComputationId body : bodies) InPlace(module, body, true).run();
  hlo::compact(module);
  return {};
}

}  // namespace hlocc::transforms
