// See generator.h.
#include "fuzz/generator.h"

#include "fuzz/proposals.h"

namespace hlocc::fuzz {
namespace {

// Of the rows whose names hold `focus`, two times out of three.
const Proposal& draw(Random& random, const std::string& focus) {
  if (!focus.empty() && random.chance(67)) {
    std::vector<const Proposal*> wanted;
    for (const auto* rows : {&proposals(), &focused_proposals()})
      for (const Proposal& row : *rows)
        if (row.name.find(focus) != std::string::npos) wanted.push_back(&row);
    if (!wanted.empty()) return *random.of(wanted);
  }

  static const int total = [] {
    int sum = 0;
    for (const Proposal& row : proposals()) sum += row.weight;
    return sum;
  }();
  int64_t at = random.below(total);
  for (const Proposal& row : proposals())
    if ((at -= row.weight) < 0) return row;
  return proposals().back();
}

// Mostly the type of something that is there, and the common types more often than the rest.
PrimitiveType draw_type(Builder& b) {
  static const std::vector<PrimitiveType> common = {PrimitiveType::kF32, PrimitiveType::kF32,
                                                    PrimitiveType::kS32, PrimitiveType::kPred,
                                                    PrimitiveType::kS8,  PrimitiveType::kBF16};
  if (!b.values().empty() && b.random.chance(70)) return b.type(b.random.of(b.values()));
  return b.random.chance(50) ? b.random.of(common) : b.random.of(all_types());
}

// A result may take the place of a parameter of its shape.
void donate(Program& program, Random& random) {
  hlo::Module& module = program.module;
  std::vector<bool> taken(module.entry_parameters.size(), false);
  for (size_t r = 0; r < module.entry_result.tuple.size(); ++r)
    for (size_t p = 0; p < taken.size(); ++p) {
      if (taken[p] || module.entry_parameters[p] != module.entry_result.tuple[r] ||
          !random.chance(60))
        continue;
      taken[p] = true;
      module.aliases.push_back(
          {{static_cast<int64_t>(r)}, static_cast<int64_t>(p), {}, random.chance(50)});
      break;
    }
}

}  // namespace

Program random_program(uint64_t seed, const std::string& focus) {
  Random random(seed);
  Knobs knobs;
  static const std::vector<int64_t> limits = {40, 400, 400, 3000};
  knobs.max_elements = random.of(limits);
  Builder b(random, knobs);
  for (int64_t steps = random.between(2, 24); steps > 0; --steps) {
    const Proposal& row = draw(random, focus);
    row.make(b, draw_type(b));
  }
  std::vector<Id> results;
  const std::vector<Id>& all = b.values();
  if (all.empty()) b.fresh(PrimitiveType::kF32, {});
  for (size_t i = 0; i < 4 && i < all.size(); ++i) results.push_back(all[all.size() - 1 - i]);
  for (int64_t more = random.between(0, 4); more > 0; --more) results.push_back(random.of(all));
  Program program = b.take(results);
  if (random.chance(20)) donate(program, random);
  return program;
}

}  // namespace hlocc::fuzz
