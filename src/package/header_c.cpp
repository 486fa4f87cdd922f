// The C functions of the header: run, init, the state's way out and back in, and the accessors of
// each leaf.
#include "package/header_parts.h"
#include "planning/interface.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

using planning::Region;

// A donated leaf without elements may be all the state that there is: then there is no member of
// that name.
bool lies_in_state(const planning::Plan& plan, const planning::Place& place) {
  return place.region == Region::kState && plan.state_bytes > 0;
}

// The expression of a leaf's default place.
std::string default_place(const HeaderFacts& facts, const planning::Place& place) {
  if (place.region == Region::kArena) {
    const auto [slot, offset] = facts.plan->place_in_piece(place.offset);
    if (slot > 0) return facts.fill(cat("@pmore_arena_(self, ", slot - 1, ", ", offset, ")"));
  }
  return facts.fill(cat(lies_in_state(*facts.plan, place) ? "@pstate_(self, " : "@parena_(self, ",
                        place.offset, ")"));
}

std::string set_initial_state(const planning::Plan& plan) {
  std::string out;
  for (const auto& [offset, data] : initial_state(plan)) {
    std::vector<int> bytes;
    for (std::byte b : *data) bytes.push_back(static_cast<int>(b));
    out += cat("  {\n    static const unsigned char initial[] = {", join(bytes, ", "),
               "};\n    for (i = 0; i < ", bytes.size(), "; ++i) bytes[", offset,
               " + i] = initial[i];\n  }\n");
  }
  return out;
}

constexpr std::string_view kHelpers =
    R"(static inline void *@parena_(const @pt *self, size_t offset) {
  return @MCAST_(unsigned char *, self->arena) + offset;
}
)";

constexpr std::string_view kMoreHelper =
    R"(static inline void *@pmore_arena_(const @pt *self, size_t arena, size_t offset) {
  return @MCAST_(unsigned char *, self->arenas[arena]) + offset;
}
)";

constexpr std::string_view kStateHelper =
    R"(static inline void *@pstate_(const @pt *self, size_t offset) {
  return @MCAST_(unsigned char *, @MMUTABLE_(@MCAST_(const void *, self->state))) + offset;
}
)";

constexpr std::string_view kPlaceHelper =
    R"(static inline int @pplace_(void **slot, const void *data, size_t align, void *home) {
  if (!data) {
    *slot = home;
  } else {
    if (@MNUMBER_(data) % align != 0) return @MERROR_ALIGN;
    *slot = @MMUTABLE_(data);
  }
  return @MOK;
}
)";

constexpr std::string_view kWithoutState = R"(
/* There is no state: these three do nothing. */
static inline void @preset(@pt *self) {
  (void)self;
}
static inline void @pcheckpoint(const @pt *self, void *to) {
  (void)self;
  (void)to;
}
static inline void @prestore(@pt *self, const void *from) {
  (void)self;
  (void)from;
}
)";

constexpr std::string_view kSaveState = R"(
/* Copies the state, STATE_BYTES bytes, out of the instance, and back in. What was stored by another
 * compile fits if its INTERFACE is the same. */
static inline void @pcheckpoint(const @pt *self, void *to) {
  const unsigned char *state = @MCAST_(const unsigned char *, @pstate_(self, 0));
  unsigned char *bytes = @MCAST_(unsigned char *, to);
  size_t i;
  for (i = 0; i < @MSTATE_BYTES; ++i) bytes[i] = state[i];
}
static inline void @prestore(@pt *self, const void *from) {
  unsigned char *state = @MCAST_(unsigned char *, @pstate_(self, 0));
  const unsigned char *bytes = @MCAST_(const unsigned char *, from);
  size_t i;
  for (i = 0; i < @MSTATE_BYTES; ++i) state[i] = bytes[i];
}
)";

constexpr std::string_view kErrorMessage = R"(
/* The meaning of an error code. */
static inline const char *@perror_msg(int code) {
  if (code == @MOK) return "";
  if (code == @MERROR_NULL) return "no instance or no arena";
  if (code == @MERROR_ALIGN) return "the arena or a buffer is not aligned";
)";
std::string reset_function(const planning::Plan& plan) {
  return cat(
      "\n/* Sets the state to what it starts with. */\nstatic inline void @preset(@pt *self) {\n"
      "  unsigned char *bytes = @MCAST_(unsigned char *, @pstate_(self, 0));\n  size_t i;\n"
      "  for (i = 0; i < sizeof self->state; ++i) bytes[i] = 0;\n",
      set_initial_state(plan), "}\n");
}

std::string call_declarations(const planning::Plan& plan) {
  std::string out, last;
  for (const planning::UserFunction& function : planning::user_functions(plan)) {
    if (out.empty())
      out =
          "\n/* Functions of yours, which run calls with the addresses of arrays, one for each "
          "operand "
          "and each\n * result. */\n";
    const std::string declaration =
        cat("void ", function.symbol, "(const void *const *operands, void *const *results);\n");
    if (!last.empty() && last != declaration) out += last;
    out += cat("/* ", types_of(function), " */\n");
    last = declaration;
  }
  return out + last;
}

std::string accessor(const HeaderFacts& facts, const HeaderLeaf& l, const std::string& base) {
  const std::string place =
      lies_in_state(*facts.plan, l.place) ? default_place(facts, l.place) : "self->" + l.slot;
  return facts.fill(cat("static inline ", l.type.name, " *@p", base,
                        "_data(const @pt *self) {\n  return @MCAST_(", l.type.name, " *, ", place,
                        ");\n}\n"));
}

std::string setter(const HeaderFacts& facts, const HeaderLeaf& l, const std::string& base) {
  return facts.fill(cat("static inline int @pset_", base, "_data(@pt *self, ",
                        std::string(l.is_argument ? "const " : ""), l.type.name,
                        " *data) {\n  return @pplace_(&self->", l.slot, ", data, ", l.align, ", ",
                        default_place(facts, l.place), ");\n}\n"));
}

}  // namespace

std::vector<std::pair<int64_t, const std::vector<std::byte>*>> initial_state(
    const planning::Plan& plan) {
  std::vector<std::pair<int64_t, const std::vector<std::byte>*>> out;
  for (size_t i = 0; i < plan.values.size(); ++i) {
    const kernel::ProgramValue& value = plan.values[i];
    if (value.role == kernel::ValueRole::kState && value.data &&
        plan.places[i].region == Region::kState)
      out.emplace_back(plan.places[i].offset, &*value.data);
  }
  return out;
}

std::string header_functions(const HeaderFacts& facts) {
  const planning::Plan& plan = *facts.plan;
  const bool is_streamed = facts.signature->stream.has_value();
  const std::string run = is_streamed ? "@prun_" : "@prun";
  std::string out =
      cat(is_streamed ? "/* What begin and push call for each part of a window. */\n"
                      : "/* Computes the results from the arguments: 0, or an error code. */\n",
          "#define ", run, " ", facts.run_symbol, "\nint ", run, "(@pt *self);\n",
          keep_declaration(facts), call_declarations(plan), "\n", kHelpers);
  if (!plan.pieces.empty()) out += kMoreHelper;
  if (plan.state_bytes > 0) out += kStateHelper;
  out += kPlaceHelper;
  out += plan.state_bytes > 0 ? reset_function(plan) + std::string(kSaveState)
                              : std::string(kWithoutState);
  out += device_functions(facts);
  out += init_arenas(facts);
  for (const HeaderLeaf& l : facts.leaves())
    out += cat("  self->", l.slot, " = ", default_place(facts, l.place), ";\n");
  if (!plan.kept.empty()) out += "  @pkeep_(self);\n";
  out += cat("  @preset(self);\n  return ",
             plan.device_data.empty() ? "@MOK" : "@popen_device_(self)", ";\n}\n", kErrorMessage,
             device_messages(facts), stream_messages(facts), "  return \"run failed\";\n}\n");
  return facts.fill(out);
}

std::string header_leaf_functions(const HeaderFacts& facts) {
  std::string out;
  for (const HeaderLeaf& l : facts.leaves()) {
    if (l.is_streamed) continue;
    out += "\n";
    for (const std::string& base : l.bases) {
      out += accessor(facts, l, base);
      if (!l.leaf->donated) out += setter(facts, l, base);
    }
  }
  return out;
}

}  // namespace hlocc::package
