// The C++11 class of the header, with the names that users of tfcompile know.
#include <numeric>

#include "package/header_parts.h"
#include "package/identifiers.h"
#include "support/text.h"

namespace hlocc::package {
namespace {

// "size_t dim0, size_t dim1"
std::string index_parameters(const hlo::Shape& shape) {
  std::vector<std::string> parts;
  for (int d = 0; d < shape.rank(); ++d) parts.push_back(cat("size_t dim", d));
  return join(parts, ", ");
}

// "dim0 * 10 + dim1 * 1": elements lie in the order of the layout.
std::string linear_index(const hlo::Shape& shape) {
  if (shape.rank() == 0) return "0";
  const hlo::Dimensions strides = strides_of(shape);
  std::vector<std::string> parts;
  for (int d = 0; d < shape.rank(); ++d) parts.push_back(cat("dim", d, " * ", strides[d]));
  return join(parts, " + ");
}

// Packed elements have no address: they are read by value.
std::string packed_accessor(const HeaderLeaf& l, const std::string& base,
                            const std::string& parameters, const std::string& index) {
  const int bits = l.type.packed_bits, each = 8 / bits;
  const std::string value = cat("(", base, "_data()[at / ", each, "] >> (at % ", each, " * ", bits,
                                ") & ", (1 << bits) - 1, ")");
  const std::string head = cat(l.type.is_signed ? "  int8_t " : "  uint8_t ", base, "(", parameters,
                               ") const {\n    const size_t at = ", index, ";\n    return ");
  if (!l.type.is_signed) return head + cat("static_cast<uint8_t>", value, ";\n  }\n");
  const int sign = 1 << (bits - 1);
  return head + cat("static_cast<int8_t>((", value, " ^ ", sign, ") - ", sign, ");\n  }\n");
}

// A complex element is a pair: kws.arg0(i)[0] is its real part.
std::string pair_accessor(const HeaderLeaf& l, const std::string& base,
                          const std::string& parameters, const std::string& index) {
  return cat("  ", l.type.name, " *", base, "(", parameters, ") { return ", base, "_data() + 2 * (",
             index, "); }\n  const ", l.type.name, " *", base, "(", parameters, ") const { return ",
             base, "_data() + 2 * (", index, "); }\n");
}

std::string element_accessor(const HeaderLeaf& l, const std::string& base,
                             const std::string& parameters, const std::string& index) {
  if (l.type.packed_bits > 0) return packed_accessor(l, base, parameters, index);
  if (l.type.per_element == 2) return pair_accessor(l, base, parameters, index);
  return cat("  ", l.type.name, " &", base, "(", parameters, ") { return ", base, "_data()[", index,
             "]; }\n  const ", l.type.name, " &", base, "(", parameters, ") const { return ", base,
             "_data()[", index, "]; }\n");
}

std::string size_function(const std::string& name, int64_t value) {
  return cat(value > INT32_MAX ? "  static constexpr size_t " : "  static constexpr int ", name,
             "() { return ", value, "; }\n");
}

std::string leaf_members(const HeaderFacts& facts, const HeaderLeaf& l, const std::string& base) {
  const hlo::Shape& shape = l.leaf->shape;
  const std::string c = cat(facts.prefix(), base, "_data(&self_)");
  std::string out = cat("  ", l.type.name, " *", base, "_data() { return ", c, "; }\n  const ",
                        l.type.name, " *", base, "_data() const { return ", c, "; }\n");
  if (l.is_streamed) return "";
  if (!l.leaf->donated)
    out +=
        cat("  bool set_", base, "_data(", std::string(l.is_argument ? "const " : ""), l.type.name,
            " *data) { return Did(", facts.prefix(), "set_", base, "_data(&self_, data)); }\n");
  out += element_accessor(l, base, index_parameters(shape), linear_index(shape));
  if (shape.rank() == 1 && shape.dimensions[0] == 1) out += element_accessor(l, base, "", "0");
  return out + size_function(base + "_size", l.leaf->bytes()) +
         size_function(base + "_count", shape.element_count());
}

using Constants = std::vector<std::pair<std::string, int64_t>>;

Constants constants(const HeaderFacts& facts) {
  Constants out;
  const auto row = [&](const std::string& name, int64_t value) {
    out.emplace_back(cat("k", name), value);
  };
  row("ArenaBytes", facts.arena_bytes);
  for (const auto& [name, bytes] : memory_constants(facts)) row(name, bytes);
  row("ArenaAlign", facts.plan->arena_align);
  row("StateBytes", facts.plan->state_bytes);
  row("NumArgs", static_cast<int64_t>(facts.arguments.size()));
  row("NumResults", static_cast<int64_t>(facts.results.size()));
  row("NumVariables", facts.variables);
  for (const HeaderLeaf& l : facts.leaves()) {
    const std::string name = cat(std::string(l.is_argument ? "Arg" : "Result"), l.leaf->index);
    row(name + "Bytes", l.leaf->bytes());
    row(name + "Count", l.leaf->shape.element_count());
    row(name + "Align", l.align);
    row(name + "Rank", l.leaf->shape.rank());
    const hlo::Dimensions strides = strides_of(l.leaf->shape);
    for (int d = 0; d < l.leaf->shape.rank(); ++d) {
      row(cat(name, "Dim", d), l.leaf->shape.dimensions[d]);
      row(cat(name, "Stride", d), strides[d]);
    }
  }
  return out;
}

// Before C++17 a constant that something refers to needs a definition, and only that of a template
// may stand in a header.
std::string constants_class(const HeaderFacts& facts, const std::string& name) {
  const Constants rows = constants(facts);
  std::string out = cat("/* The constants of ", name, ". */\ntemplate <int kUnused>\nstruct ", name,
                        "Constants {\n"),
              definitions;
  for (const auto& [constant, value] : rows) {
    out += cat("  static constexpr size_t ", constant, " = ", value, ";\n");
    definitions += cat("template <int kUnused>\nconstexpr size_t ", name,
                       "Constants<kUnused>::", constant, ";\n");
  }
  return cat(out, "};\n#if __cplusplus < 201703L\n", definitions, "#endif\n\n");
}

// arg_data(i), set_arg_data(i, data), arg_size(i): leaves by number.
std::string indexed_accessors(const std::vector<HeaderLeaf>& leaves, const std::string& kind) {
  const bool is_argument = leaves[0].is_argument;
  const std::string slots = is_argument ? "arguments" : "results";
  std::vector<int64_t> sizes;
  std::string cases;
  for (const HeaderLeaf& l : leaves) {
    sizes.push_back(l.leaf->bytes());
    if (!l.leaf->donated && !l.is_streamed)
      cases += cat("      case ", l.leaf->index, ": return set_", l.bases[0], "_data(static_cast<",
                   std::string(is_argument ? "const " : ""), l.type.name, " *>(data));\n");
  }
  std::string out = cat("  void *", kind, "_data(size_t index) { return self_.", slots,
                        "[index]; }\n  const void *", kind,
                        "_data(size_t index) const { return self_.", slots, "[index]; }\n");
  if (!cases.empty())
    out += cat("  bool set_", kind, "_data(size_t index, ",
               std::string(is_argument ? "const " : ""), "void *data) {\n    switch (index) {\n",
               cases, "      default: return false;\n    }\n  }\n");
  return out + cat("  static size_t ", kind,
                   "_size(size_t index) {\n    static const size_t bytes[] = {", join(sizes, ", "),
                   "};\n    return bytes[index];\n  }\n");
}

std::string lookup(const std::vector<HeaderLeaf>& leaves, const char* function) {
  std::string rows;
  for (const HeaderLeaf& l : leaves)
    if (!l.leaf->name.empty())
      rows += cat("    if (Same(name, \"", l.leaf->name, "\")) return ", l.leaf->index, ";\n");
  return cat("  static int ", std::string(function), "(const char *", rows.empty() ? "" : "name",
             ") {\n", rows, "    return -1;\n  }\n");
}

std::string fixed_members(const HeaderFacts& facts, const std::string& name) {
  const std::string& p = facts.prefix();
  const std::string null_error = facts.macro() + "ERROR_NULL";
  std::string out =
      cat("  ", name, "() : self_(), ready_(false), error_(", null_error, ") {}\n  explicit ", name,
          "(", arena_parameters(facts), ") : self_(), ready_(false), error_(", null_error,
          ") { Init(", arena_arguments(facts), "); }\n  ", name, "(const ", name,
          " &) = delete;\n  ", name, " &operator=(const ", name, " &) = delete;\n\n");
  out += cat("  ", facts.macro(), "ALWAYS_INLINE_ bool Init(", arena_parameters(facts),
             ") {\n    ready_ = Did(", p, "init(&self_, ", arena_arguments(facts),
             "));\n    return ready_;\n  }\n"
             "  ",
             facts.signature->stream
                 ? stream_members(facts)
                 : cat(facts.macro(), "ALWAYS_INLINE_ bool Run() {\n    if (ready_) return Did(", p,
                       "run(&self_));\n    if (error_ == 0) error_ = ", null_error,
                       ";\n    return false;\n  }\n"),
             device_members(facts), "  const char *error_msg() const { return ", p,
             "error_msg(error_); }\n  ", p,
             "t *instance() { return &self_; }\n\n"
             "  /* The state: to what it starts with, out of the object, and back in. */\n"
             "  void Reset() { ",
             p,
             "reset(&self_); }\n"
             "  void Checkpoint(void *to) const { ",
             p,
             "checkpoint(&self_, to); }\n"
             "  void Restore(const void *from) { ",
             p, "restore(&self_, from); }\n\n");
  out += size_function("num_args", static_cast<int64_t>(facts.arguments.size())) +
         size_function("num_results", static_cast<int64_t>(facts.results.size())) +
         size_function("num_variables", facts.variables);
  const char* results = facts.results.empty() ? "nullptr" : "self_.results";
  return out + cat("  void **results() { return ", std::string(results),
                   "; }\n  const void *const *results() const { return ", std::string(results),
                   "; }\n");
}

}  // namespace

std::string header_class(const HeaderFacts& facts) {
  std::vector<std::string> path = split(facts.signature->class_name, ':');
  std::erase(path, "");
  const std::string name = path.back();
  path.pop_back();
  const std::vector<planning::ArenaPiece>& pieces = facts.plan->pieces;
  std::string out = facts.fill(
      "/* Run and Init are never shared between files: one that was compiled with an older header "
      "does "
      "not\n * link. */\n#ifdef __GNUC__\n#define @MALWAYS_INLINE_ inline "
      "__attribute__((always_inline))\n"
      "#else\n#define @MALWAYS_INLINE_ inline\n#endif\n\n");
  for (const std::string& part : path) out += cat("namespace ", part, " {\n");
  out += cat(path.empty() ? "" : "\n", constants_class(facts, name), "class ", name, " : public ",
             name, "Constants<0> {\n public:\n  /* An instance that owns its arena",
             pieces.empty() ? "" : cat(" in ", pieces.back().name, ", and is given the others"),
             ". */\n  class Static;\n\n");
  out += fixed_members(facts, name);
  if (has_indexed_accessors(facts.signature->arguments))
    out += indexed_accessors(facts.arguments, "arg");
  if (has_indexed_accessors(facts.signature->results))
    out += indexed_accessors(facts.results, "result");
  out += lookup(facts.arguments, "LookupArgIndex") + lookup(facts.results, "LookupResultIndex");
  for (const HeaderLeaf& l : facts.leaves())
    for (const std::string& base : l.bases) out += cat("\n", leaf_members(facts, l, base));
  const bool looks_up = out.find("Same(") != std::string::npos;
  out += "\n private:\n";
  if (looks_up)
    out +=
        "  static bool Same(const char *a, const char *b) {\n    for (; *a == *b; ++a, ++b)\n"
        "      if (*a == 0) return true;\n    return false;\n  }\n";
  out += cat("  bool Did(int error) {\n    error_ = error;\n    return error == 0;\n  }\n  ",
             facts.prefix(), "t self_;\n  bool ready_;\n  int error_;\n};\n\n");
  out += cat("class ", name, "::Static : public ", name, " {\n public:\n  ",
             pieces.empty() ? "" : "explicit ", "Static(", arena_parameters(facts, false),
             ") { Init(", arena_arguments(facts, "arena_"), "); }\n\n private:\n  alignas(",
             facts.plan->arena_align, ") unsigned char arena_[",
             pieces.empty() ? facts.arena_bytes : pieces.back().bytes, "];\n};\n");
  if (!path.empty()) out += "\n";
  for (size_t i = path.size(); i-- > 0;) out += cat("} /* namespace ", path[i], " */\n");
  return out + facts.fill("\n#undef @MALWAYS_INLINE_\n\n");
}

}  // namespace hlocc::package
