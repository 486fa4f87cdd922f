// The frame of the header: facts, opening comment, guard, constants, struct, and the order of the
// parts.
#include "package/header_writer.h"

#include <algorithm>

#include "package/header_parts.h"
#include "package/identifiers.h"
#include "package/version.h"
#include "support/text.h"

namespace hlocc::package {

using kernel::Leaf;

std::vector<HeaderLeaf> HeaderFacts::leaves() const {
  std::vector<HeaderLeaf> all = arguments;
  all.insert(all.end(), results.begin(), results.end());
  return all;
}

HeaderFacts header_facts(const kernel::Signature& signature, const planning::Plan& plan) {
  HeaderFacts facts{&signature, &plan, {}, {}, std::max<int64_t>(1, plan.arena_bytes), 0};
  for (const Leaf& leaf : signature.arguments) {
    facts.arguments.push_back({&leaf, plan.argument_places[leaf.index], c_type(leaf.shape),
                               argument_bases(leaf), cat("arguments[", leaf.index, "]"), true});
    facts.variables += leaf.donated;
  }
  for (const Leaf& leaf : signature.results)
    facts.results.push_back({&leaf, plan.result_places[leaf.index], c_type(leaf.shape),
                             result_bases(leaf), cat("results[", leaf.index, "]"), false});
  return facts;
}

namespace {

bool is_consumed(const HeaderFacts& facts, const HeaderLeaf& l) {
  const std::vector<bool>& reused = facts.plan->argument_place_reused;
  return l.is_argument && static_cast<size_t>(l.leaf->index) < reused.size() &&
         reused[l.leaf->index];
}

std::string leaf_line(const HeaderFacts& facts, const HeaderLeaf& l) {
  const char* remark = l.leaf->donated         ? ", in the instance"
                       : is_consumed(facts, l) ? ", consumed by run"
                                               : "";
  return cat(" *   ", join(l.bases, ", "), ": ", to_string(l.leaf->shape), ", ", l.leaf->bytes(),
             " bytes", std::string(remark), "\n");
}

}  // namespace

std::string header_comment(const HeaderFacts& facts) {
  std::string out = cat("/* ", facts.signature->class_name, ", compiled by hlocc ", version(),
                        ". Generated: do not edit.\n *\n");
  bool consumes = false;
  for (const HeaderLeaf& l : facts.leaves()) {
    out += leaf_line(facts, l);
    consumes = consumes || is_consumed(facts, l);
  }
  out += cat(" *   arena ", facts.arena_bytes, " bytes aligned to ", facts.plan->arena_align,
             ", state ", facts.plan->state_bytes, " bytes\n *\n");
  out += cat(
      " * init points an instance at its arena, run computes the results from the arguments. "
      "Results\n * hold until ",
      consumes ? "an argument is written" : "the next run",
      " or another model uses the arena. A buffer of\n * your own (set_..._data, aligned like the "
      "arena, NULL for the arena again) is never written to\n * if it is an argument. */\n");
  return out;
}

namespace {

// The constants of one leaf below one name: ACME_KWS_ARG0_.
std::string leaf_macros(const HeaderLeaf& l, const std::string& start) {
  const hlo::Shape& shape = l.leaf->shape;
  std::string out = cat("#define ", start, "BYTES ", l.leaf->bytes(), "\n#define ", start, "COUNT ",
                        shape.element_count(), "\n#define ", start, "RANK ", shape.rank(), "\n");
  for (int d = 0; d < shape.rank(); ++d)
    out += cat("#define ", start, "DIM", d, " ", shape.dimensions[d], "\n");
  if (shape.rank() > 0)
    out += cat("#define ", start, "SHAPE {", join(shape.dimensions, ", "), "}\n");
  return out;
}

// A name keeps its case, because x and X are two leaves.
std::string macro_name(const HeaderLeaf& l, size_t base) {
  const char* kind = l.is_argument ? "ARG" : "RESULT";
  return base == 0 ? cat(std::string(kind), l.leaf->index, "_")
                   : cat(std::string(kind), "_", l.leaf->name, "_");
}

}  // namespace

std::string header_macros(const HeaderFacts& facts) {
  const std::string& m = facts.macro();
  std::string out =
      cat("#define ", m, "ARENA_BYTES ", facts.arena_bytes, "\n#define ", m, "ARENA_ALIGN ",
          facts.plan->arena_align, "\n#define ", m, "STATE_BYTES ", facts.plan->state_bytes,
          "\n#define ", m, "NUM_ARGS ", facts.arguments.size(), "\n#define ", m, "NUM_RESULTS ",
          facts.results.size(), "\n");
  for (const HeaderLeaf& l : facts.leaves())
    for (size_t base = 0; base < (l.leaf->name.empty() ? 1u : 2u); ++base)
      out += cat("\n", leaf_macros(l, m + macro_name(l, base)));
  out += cat("\n/* What init and run return. */\n#define ", m, "OK 0\n#define ", m,
             "ERROR_NULL 1  /* no instance or no arena */\n#define ", m,
             "ERROR_ALIGN 2 /* the arena is not aligned to ", m, "ARENA_ALIGN */\n");
  return out;
}

std::string header_struct(const HeaderFacts& facts) {
  const std::string& p = facts.prefix();
  std::string out = cat(
      "/* An instance: one for each use at a time. Its fields are not for you. */\ntypedef struct ",
      p, "t {\n  void *arena;\n");
  if (!facts.arguments.empty()) out += cat("  void *arguments[", facts.arguments.size(), "];\n");
  if (!facts.results.empty()) out += cat("  void *results[", facts.results.size(), "];\n");
  if (facts.plan->state_bytes > 0)
    out += cat("  uint64_t state[", (facts.plan->state_bytes + 7) / 8, "];\n");
  return out + cat("} ", p, "t;\n");
}

std::string write_header(const kernel::Signature& signature, const planning::Plan& plan) {
  const HeaderFacts facts = header_facts(signature, plan);
  const std::string& m = facts.macro();
  const std::string& p = facts.prefix();
  std::string out = header_comment(facts);
  out +=
      cat("#ifndef ", m, "H_\n#define ", m, "H_\n\n#include <stddef.h>\n#include <stdint.h>\n\n");
  out += header_macros(facts);
  out += cat("\n#if defined(__cplusplus)\n#define ", m,
             "INLINE_ inline\n#elif defined(__GNUC__)\n#define ", m,
             "INLINE_ static inline __attribute__((unused))\n#else\n#define ", m,
             "INLINE_ static inline\n#endif\n");
  out += "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  out += header_struct(facts) + "\n";
  out += cat("/* Computes the results from the arguments: 0, or an error code. */\nint ", p, "run(",
             p, "t *self);\n\n");
  out += header_init(facts) + header_c_accessors(facts);
  out += "\n#ifdef __cplusplus\n} /* extern \"C\" */\n\n" + header_class(facts) +
         "#endif /* __cplusplus */\n\n";
  return out + cat("#undef ", m, "INLINE_\n\n#endif /* ", m, "H_ */\n");
}

}  // namespace hlocc::package
