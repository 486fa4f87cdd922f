// What the header refuses: a compiler for another core or calling convention than the library's,
// and one that lays out the instance in another way.
#include <algorithm>

#include "kernel/instance.h"
#include "package/header_parts.h"
#include "support/foreign_text.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

struct Check {
  std::string condition, complaint;
};

std::string lacks(std::string_view what) { return cat("the target of this compiler lacks ", what); }

std::vector<Check> checks_of(const Target& target, const CoreNeeds& core) {
  std::vector<Check> out;
  if (core.family != CoreFamily::kOther) {
    const CoreFamilyInfo& family = core_family_info(core.family);
    out.push_back({std::string(family.condition), cat("this is no compiler for ", family.name)});
  }
  const std::string most = target.pointer_bits == 64   ? "0xffffffffffffffff"
                           : target.pointer_bits == 32 ? "0xffffffff"
                                                       : "0xffff";
  out.push_back(
      {"UINTPTR_MAX == " + most, lacks(cat("pointers of ", target.pointer_bits, " bits"))});
  const bool big = target.byte_order == ByteOrder::kBig;
  const char* order = big ? "__ORDER_BIG_ENDIAN__" : "__ORDER_LITTLE_ENDIAN__";
  out.push_back({cat("!defined(__BYTE_ORDER__) || __BYTE_ORDER__ == ", std::string(order)),
                 lacks(big ? "big-endian byte order" : "little-endian byte order")});
  for (CoreFact fact : core.facts) {
    const CoreFactInfo& row = core_facts()[static_cast<size_t>(fact)];
    out.push_back({std::string(row.condition), lacks(row.need)});
  }
  return out;
}

// Members by name and offset, and the bytes that are added where a compiler would, or would not,
// pad.
struct Layout {
  std::vector<std::pair<std::string, int64_t>> members;
  int64_t padding = 0;
};

Layout layout_of(const kernel::InstanceLayout& layout) {
  Layout out;
  if (layout.arguments > 0) out.members.emplace_back("arguments", layout.argument_slot(0));
  if (layout.results > 0) out.members.emplace_back("results", layout.result_slot(0));
  if (layout.more_arenas > 0) out.members.emplace_back("arenas", layout.arena_slot(1));
  if (layout.state_bytes > 0) {
    out.members.emplace_back("state", layout.state_offset());
    out.padding = layout.state_offset() - layout.slots_end();
  }
  return out;
}

bool uses(const HeaderFacts& facts, std::string_view type) {
  const std::vector<HeaderLeaf> leaves = facts.leaves();
  return std::ranges::any_of(leaves, [&](const HeaderLeaf& l) { return l.type.name == type; });
}

}  // namespace

std::string compiler_condition(const Target& target, const CoreNeeds& core) {
  std::vector<std::string> parts;
  for (const Check& check : checks_of(target, core)) {
    const std::string part = cat("(", check.condition, ")");
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
  }
  return join(parts, " && ");
}

std::string header_target_check(const HeaderFacts& facts) {
  const std::string who = facts.target->name.empty() ? "another target" : facts.target->name;
  std::string out = facts.fill(
      "/* The library runs on the core that it was compiled for, and on those that can do more. "
      "*/\n"
      "#ifndef @MSKIP_TARGET_CHECK\n");
  const char* keyword = "#if";
  for (const Check& check : checks_of(*facts.target, *facts.core)) {
    const std::string complaint =
        cat(facts.signature->class_name, " was compiled for ", who, ": ", check.complaint,
            facts.fill("; @MSKIP_TARGET_CHECK skips this check"));
    out +=
        cat(std::string(keyword), " !(", check.condition, ")\n#error ", c_string(complaint), "\n");
    keyword = "#elif";
  }
  return out + "#endif\n#endif\n\n";
}

std::string header_struct(const HeaderFacts& facts) {
  const planning::Plan& plan = *facts.plan;
  const kernel::InstanceLayout instance =
      kernel::instance_layout(*facts.signature, plan.state_bytes, facts.target->pointer_bits);
  const Layout layout = layout_of(instance);
  std::string out =
      "/* An instance: one for each use at a time. Its fields are not for you. A copy of one has "
      "its "
      "own\n * state, and shares the arena. */\n";
  out += facts.fill("typedef struct @pt {\n  void *arena;\n");
  if (!facts.arguments.empty()) out += cat("  void *arguments[", facts.arguments.size(), "];\n");
  if (!facts.results.empty()) out += cat("  void *results[", facts.results.size(), "];\n");
  if (instance.more_arenas > 0) out += cat("  void *arenas[", instance.more_arenas, "];\n");
  if (layout.padding > 0) out += cat("  unsigned char padding[", layout.padding, "];\n");
  if (plan.state_bytes > 0) out += cat("  uint64_t state[", (plan.state_bytes + 7) / 8, "];\n");
  out += facts.fill("} @pt;\n\n");

  const auto assertion = [&](std::string_view name, const std::string& condition) {
    out += facts.fill(cat("@MASSERT_(", name, ", ", condition, ");\n"));
  };
  out +=
      "/* What does not compile here would not work: options that change the layout of structs "
      "or the size\n * of types are not for this file. */\n";
  assertion("float_has_4_bytes", "sizeof(float) == 4");
  if (uses(facts, "double")) assertion("double_has_8_bytes", "sizeof(double) == 8");
  assertion("instance_has_its_size", cat("sizeof(@pt) == ", instance.bytes()));
  for (const auto& [member, offset] : layout.members)
    assertion(member + "_lie_in_their_place", cat("offsetof(@pt, ", member, ") == ", offset));
  // Processors of 16 bits and fewer align nothing.
  if (facts.target->pointer_bits >= 32 && facts.core->family != CoreFamily::kOther) {
    out += facts.fill("struct @pafter_byte {\n  unsigned char byte;\n  @pt instance;\n};\n");
    assertion("instance_is_aligned",
              "offsetof(struct @pafter_byte, instance) % sizeof(void *) == 0");
  }
  return out + "\n";
}

}  // namespace hlocc::package
