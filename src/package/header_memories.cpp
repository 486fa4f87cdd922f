// What the header says of the arena: one, or one in each memory of --memory.
#include "package/header_parts.h"
#include "package/identifiers.h"
#include "planning/interface.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

using planning::ArenaPiece;

constexpr std::string_view kInit = R"(
/* Gives the instance its arena and sets its state to what it starts with: 0, or an error code. */
static inline int @pinit(@pt *self, void *arena) {
  if (!self || !arena) return @MERROR_NULL;
  if (@MNUMBER_(arena) % @MARENA_ALIGN != 0) return @MERROR_ALIGN;
  self->arena = arena;
)";

constexpr std::string_view kInitOfSeveral = R"(
/* Gives the instance an arena in each memory, each of ..._BYTES and aligned to ARENA_ALIGN, and
 * sets its state to what it starts with: 0, or an error code. */
)";

std::string name_of(const ArenaPiece& piece) { return "arena_" + piece.name; }

}  // namespace

int64_t kept_bytes(const planning::Plan& plan) {
  int64_t bytes = 0;
  for (const planning::KeptConstant& kept : plan.kept) bytes += kept.bytes;
  return bytes;
}

std::string section_of(const ArenaPiece& piece) { return ".bss.hlocc_" + piece.name; }

std::string arena_parameters(const HeaderFacts& facts, bool all) {
  const std::vector<ArenaPiece>& pieces = facts.plan->pieces;
  if (pieces.empty()) return all ? "void *arena" : "";
  std::vector<std::string> out;
  for (const ArenaPiece& piece : pieces) out.push_back("void *" + name_of(piece));
  if (!all) out.pop_back();
  return join(out, ", ");
}

std::string arena_arguments(const HeaderFacts& facts, const std::string& owned) {
  const std::vector<ArenaPiece>& pieces = facts.plan->pieces;
  if (pieces.empty()) return owned.empty() ? "arena" : owned;
  std::vector<std::string> out;
  for (const ArenaPiece& piece : pieces) out.push_back(name_of(piece));
  if (!owned.empty()) out.back() = owned;
  return join(out, ", ");
}

std::string memory_macros(const std::vector<ArenaPiece>& pieces) {
  std::string out;
  for (const ArenaPiece& piece : pieces) {
    const std::string start = "#define @MARENA_" + to_upper(piece.name);
    out +=
        cat(start, "_BYTES ", piece.bytes, "\n", start, "_SECTION \"", section_of(piece), "\"\n");
  }
  return out;
}

std::string memory_macros(const HeaderFacts& facts) {
  const std::vector<ArenaPiece>& pieces = facts.plan->pieces;
  if (pieces.empty()) return "";
  std::vector<std::string> each;
  for (const ArenaPiece& piece : pieces) each.push_back(cat("&(block)[", piece.begin, "]"));
  return facts.fill(cat(
      "\n/* The arena is one in each of these memories, and ARENA_BYTES what they take together. "
      "Each is aligned\n * to ARENA_ALIGN; its section is for your linker script. */\n",
      memory_macros(pieces),
      "/* Bytes of weights that init copies into an arena: with any, it is no other model's. */"
      "\n#define @MARENA_KEPT_BYTES ",
      kept_bytes(*facts.plan), "\n",
      "/* What init takes where one array of ARENA_BYTES bytes, aligned so, holds all of them. "
      "*/\n#define @MARENAS_IN(block) ",
      join(each, ", "), "\n"));
}

std::vector<std::pair<std::string, int64_t>> memory_constants(const HeaderFacts& facts) {
  std::vector<std::pair<std::string, int64_t>> out;
  for (const ArenaPiece& piece : facts.plan->pieces)
    out.emplace_back(cat("Arena", to_camel_case(piece.name), "Bytes"), piece.bytes);
  return out;
}

std::string memory_lines(const HeaderFacts& facts) {
  const std::vector<ArenaPiece>& pieces = facts.plan->pieces;
  const std::string rest = cat(" bytes aligned to ", facts.plan->arena_align, ", state ",
                               facts.plan->state_bytes, " bytes\n *\n");
  if (pieces.empty()) return cat(" *   arena ", facts.arena_bytes, rest);
  std::vector<std::string> each;
  for (const ArenaPiece& piece : pieces) each.push_back(cat(piece.bytes, " in ", piece.name));
  return cat(" *   arenas of ", join(each, ", "), rest);
}

std::string keep_declaration(const HeaderFacts& facts) {
  if (facts.plan->kept.empty()) return "";
  return cat(
      "/* Copies the weights that run reads in an arena; init calls it. */\n#define @pkeep_ ",
      planning::keep_symbol(*facts.signature, *facts.plan, *facts.target),
      "\nvoid @pkeep_(@pt *self);\n");
}

std::string init_arenas(const HeaderFacts& facts) {
  const std::vector<ArenaPiece>& pieces = facts.plan->pieces;
  if (pieces.empty()) return std::string(kInit);
  std::string out = cat(kInitOfSeveral, "static inline int @pinit(@pt *self, ",
                        arena_parameters(facts), ") {\n  if (!self");
  for (const ArenaPiece& piece : pieces) out += " || !" + name_of(piece);
  out += ") return @MERROR_NULL;\n";
  for (const ArenaPiece& piece : pieces)
    out +=
        cat("  if (@MNUMBER_(", name_of(piece), ") % @MARENA_ALIGN != 0) return @MERROR_ALIGN;\n");
  for (size_t i = 0; i + 1 < pieces.size(); ++i)
    out += cat("  self->arenas[", i, "] = ", name_of(pieces[i]), ";\n");
  return out + cat("  self->arena = ", name_of(pieces.back()), ";\n");
}

}  // namespace hlocc::package
