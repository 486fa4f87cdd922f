// The frame of the header: facts, opening comment, guard, and the order of the parts.
#include "package/header_writer.h"

#include <algorithm>

#include "package/header_parts.h"
#include "package/identifiers.h"
#include "package/version.h"
#include "planning/interface.h"
#include "support/foreign_text.h"
#include "support/generated_text.h"
#include "support/text.h"

namespace hlocc::package {

using kernel::Leaf;

std::vector<HeaderLeaf> HeaderFacts::leaves() const {
  std::vector<HeaderLeaf> all = arguments;
  all.insert(all.end(), results.begin(), results.end());
  return all;
}

std::string HeaderFacts::fill(std::string_view text) const {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_mark = text[i] == '@' && i + 1 < text.size();
    if (is_mark && text[i + 1] == 'p')
      out += prefix();
    else if (is_mark && text[i + 1] == 'M')
      out += macro();
    else {
      out += text[i];
      continue;
    }
    ++i;
  }
  return out;
}

HeaderFacts header_facts(const kernel::Signature& signature, const planning::Plan& plan,
                         const Target& target, const CoreNeeds& core, const Origin& origin) {
  HeaderFacts facts;
  facts.signature = &signature;
  facts.plan = &plan;
  facts.target = &target;
  facts.core = &core;
  facts.origin = &origin;
  facts.arena_bytes = std::max<int64_t>(1, plan.arena_bytes);
  facts.hash = planning::interface_hash(signature, plan, target);
  facts.run_symbol = planning::run_symbol(signature, plan, target);
  for (const Leaf& leaf : signature.arguments) {
    const size_t i = leaf.index;
    const CType type = c_type(leaf.shape);
    facts.arguments.push_back(
        {&leaf, origin.argument_name(i), plan.argument_places[i], type, argument_bases(leaf),
         cat("arguments[", i, "]"), true,
         i < plan.argument_place_reused.size() && plan.argument_place_reused[i],
         signature.stream && signature.stream->leaf == leaf.index,
         std::max<int64_t>(type.bytes, plan.argument_alignment(i))});
    facts.variables += leaf.donated;
  }
  for (const Leaf& leaf : signature.results) {
    const CType type = c_type(leaf.shape);
    facts.results.push_back({&leaf, "", plan.result_places[leaf.index], type, result_bases(leaf),
                             cat("results[", leaf.index, "]"), false, false, false, type.bytes});
  }
  return facts;
}

namespace {

std::string leaf_line(const HeaderLeaf& l) {
  const std::string hlo = l.hlo_name.empty() ? "" : cat(" (", for_c_comment(l.hlo_name), ")");
  const std::string count =
      l.type.per_element == 2 ? cat(", ", l.leaf->shape.element_count(), " pairs of ", l.type.name)
                              : "";
  const char* remark = l.is_streamed     ? ", row by row"
                       : l.leaf->donated ? ", in the instance"
                       : l.is_consumed   ? ", consumed by run"
                                         : "";
  return cat(" *   ", join(l.bases, ", "), hlo, ": ", to_string(l.leaf->shape), count, ", ",
             l.leaf->bytes(), " bytes", std::string(remark), "\n");
}

}  // namespace

std::string header_comment(const HeaderFacts& facts) {
  const std::string target =
      facts.target->name.empty() ? "" : " for " + for_c_comment(facts.target->name);
  std::string out = cat("/* ", facts.signature->class_name, ", compiled by hlocc ", version(),
                        target, kGeneratedText);
  bool consumes = false;
  for (const HeaderLeaf& l : facts.leaves()) {
    out += leaf_line(l);
    consumes = consumes || l.is_consumed;
  }
  out += memory_lines(facts);
  if (!facts.origin->device_note.empty())
    out += cat(" * ", for_c_comment(facts.origin->device_note), "\n *\n");
  out +=
      cat(" * init points an instance at its arena, run computes the results from the arguments. "
          "Results\n * hold until ",
          consumes ? "an argument is written" : "the next run",
          " or another model uses the arena. Arguments in the arena\n"
          " * are gone, too, when another model has used it: write them between its run and this "
          "one's.\n"
          " * A buffer of your own (set_..._data, aligned as ..._ALIGN says, NULL for the arena "
          "again) is\n"
          " * never written to if it is an argument.\n *\n");
  return out +
         facts.fill(
             cat(" * The library calls run ", facts.run_symbol,
                 ".\n * A linker that misses this symbol has the library of another compile: take "
                 "header and library\n * from one. */\n"));
}

std::string write_header(const kernel::Signature& signature, const planning::Plan& plan,
                         const Target& target, const CoreNeeds& core, const Origin& origin) {
  const HeaderFacts facts = header_facts(signature, plan, target, core, origin);
  std::string out = header_comment(facts);
  out += facts.fill(
      "#ifndef @MH_\n#define @MH_\n\n#include <stddef.h>\n#include <stdint.h>\n\n"
      "#ifdef __clang__\n#pragma clang diagnostic push\n"
      "#pragma clang diagnostic ignored \"-Wunused-function\"\n"
      "#ifdef __cplusplus\n"
      "#pragma clang diagnostic ignored \"-Wc++98-compat\"\n"
      "#pragma clang diagnostic ignored \"-Wc++98-compat-pedantic\"\n"
      "#endif\n#endif\n\n");
  out += header_target_check(facts) + header_macros(facts);
  out += facts.fill(
      "\n#ifdef __cplusplus\n"
      "#define @MCAST_(type, pointer) static_cast<type>(pointer)\n"
      "#define @MNUMBER_(pointer) reinterpret_cast<uintptr_t>(pointer)\n"
      "#define @MMUTABLE_(pointer) const_cast<void *>(pointer)\n"
      "#define @MASSERT_(name, condition) static_assert(condition, #name)\n"
      "#else\n"
      "#define @MCAST_(type, pointer) ((type)(pointer))\n"
      "#define @MNUMBER_(pointer) ((uintptr_t)(pointer))\n"
      "#define @MMUTABLE_(pointer) ((void *)(uintptr_t)(pointer))\n"
      "#define @MASSERT_(name, condition) typedef char @p##name[(condition) ? 1 : -1]\n"
      "#endif\n"
      "\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n");
  out += header_struct(facts) + header_functions(facts) + header_leaf_functions(facts) +
         stream_functions(facts);
  out += "\n#ifdef __cplusplus\n} /* extern \"C\" */\n\n" + header_class(facts) +
         "#endif /* __cplusplus */\n\n";
  return out + facts.fill(
                   "#undef @MCAST_\n#undef @MNUMBER_\n#undef @MMUTABLE_\n#undef @MASSERT_\n\n"
                   "#ifdef __clang__\n#pragma clang diagnostic pop\n#endif\n\n"
                   "#endif /* @MH_ */\n");
}

}  // namespace hlocc::package
