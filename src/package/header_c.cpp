// The C functions of the header: init, error_msg and the accessors of each leaf.
#include "package/header_parts.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

// The expression of a leaf's default place. A donated leaf without elements may be all the state
// that there is: then there is no member of that name.
std::string default_place(const planning::Plan& plan, const planning::Place& place) {
  const char* start = place.region == planning::Region::kState && plan.state_bytes > 0
                          ? "(unsigned char *)self->state"
                          : "(unsigned char *)self->arena";
  return cat(std::string(start), " + ", place.offset);
}

// State that starts as something else than zeros, such as the counters of random numbers.
std::string initial_state(const planning::Plan& plan) {
  std::string out;
  for (size_t i = 0; i < plan.values.size(); ++i) {
    const kernel::ProgramValue& value = plan.values[i];
    if (value.role != kernel::ValueRole::kState || !value.data ||
        plan.places[i].region != planning::Region::kState)
      continue;
    std::vector<int> bytes;
    for (std::byte b : *value.data) bytes.push_back(static_cast<int>(b));
    out += cat("  {\n    static const unsigned char initial[] = {", join(bytes, ", "),
               "};\n    for (i = 0; i < ", bytes.size(), "; ++i) ((unsigned char *)self->state)[",
               plan.places[i].offset, " + i] = initial[i];\n  }\n");
  }
  return out;
}

}  // namespace

std::string header_init(const HeaderFacts& facts) {
  const std::string& p = facts.prefix();
  const std::string& m = facts.macro();
  const planning::Plan& plan = *facts.plan;
  std::string out =
      cat("/* Gives the instance its arena and clears its state: 0, or an error code. */\n", m,
          "INLINE_ int ", p, "init(", p, "t *self, void *arena) {\n");
  if (plan.state_bytes > 0) out += "  size_t i;\n";
  out += cat("  if (self == NULL || arena == NULL) return ", m,
             "ERROR_NULL;\n  if ((uintptr_t)arena % ", m, "ARENA_ALIGN != 0) return ", m,
             "ERROR_ALIGN;\n  self->arena = arena;\n");
  for (const HeaderLeaf& l : facts.leaves())
    out += cat("  self->", l.slot, " = ", default_place(plan, l.place), ";\n");
  if (plan.state_bytes > 0)
    out += cat(
        "  for (i = 0; i < sizeof self->state / sizeof self->state[0]; ++i) self->state[i] = 0;\n",
        initial_state(plan));
  return out + cat("  return ", m, "OK;\n}\n\n");
}

std::string header_c_accessors(const HeaderFacts& facts) {
  const std::string& p = facts.prefix();
  const std::string inline_ = facts.macro() + "INLINE_ ";
  std::string out =
      cat("/* The meaning of an error code. */\n", inline_, "const char *", p,
          "error_msg(int code) {\n  if (code == ", facts.macro(),
          "OK) return \"\";\n  if (code == ", facts.macro(),
          "ERROR_NULL) return \"no instance or no arena\";\n  if (code == ", facts.macro(),
          "ERROR_ALIGN) return \"the arena is not aligned\";\n  return \"run failed\";\n}\n");
  for (const HeaderLeaf& l : facts.leaves()) {
    out += "\n";
    for (const std::string& base : l.bases) {
      out += cat(inline_, l.type.name, " *", p, base, "_data(const ", p, "t *self) {\n  return (",
                 l.type.name, " *)self->", l.slot, ";\n}\n");
      if (l.leaf->donated) continue;
      const char* parameter = l.is_argument ? "const void *data" : "void *data";
      out +=
          cat(inline_, "void ", p, "set_", base, "_data(", p, "t *self, ", std::string(parameter),
              ") {\n  self->", l.slot, " = data != NULL ? (void *)(uintptr_t)data : (void *)(",
              default_place(*facts.plan, l.place), ");\n}\n");
    }
  }
  return out;
}

}  // namespace hlocc::package
