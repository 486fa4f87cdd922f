// See forms.h.
#include "picked/forms.h"

#include <algorithm>
#include <functional>

#include "support/cases.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

bool is_name(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         c == '.' || c == '-';
}
bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// `[ROOT ]NAME = TYPE REST` in the text.
struct Definition {
  size_t begin = 0, end = 0;
  bool root = false;
  std::string name, type, rest;
};

// The definition whose " = " is at `equals`; without a name if that is another sign.
Definition definition_at(const std::string& text, size_t equals) {
  Definition d;
  size_t begin = equals;
  while (begin > 0 && is_name(text[begin - 1])) --begin;
  d.name = text.substr(begin, equals - begin);
  d.root = begin >= 5 && text.compare(begin - 5, 5, "ROOT ") == 0;
  d.begin = d.root ? begin - 5 : begin;
  d.end = std::min(text.find('\n', equals), text.size());
  // Brackets of computations may close on the same line.
  while (d.end > equals &&
         (text[d.end - 1] == ' ' || (text[d.end - 1] == '}' && text[d.end - 2] == ' ')))
    --d.end;
  const size_t type = equals + 3;
  size_t stop = type;
  for (int depth = 0; stop < d.end && (depth > 0 || text[stop] != ' '); ++stop)
    depth += text[stop] == '(' ? 1 : text[stop] == ')' ? -1 : 0;
  d.type = text.substr(type, stop - type);
  if (stop < d.end) d.rest = text.substr(stop + 1, d.end - stop - 1);
  if (d.rest.find('(') == std::string::npos) d.name.clear();
  return d;
}

std::vector<Definition> definitions_in(const std::string& text) {
  std::vector<Definition> all;
  for (size_t at = text.find(" = "); at != std::string::npos; at = text.find(" = ", at + 3))
    if (Definition d = definition_at(text, at); !d.name.empty()) all.push_back(std::move(d));
  return all;
}

// An array's value and what is written behind it.
struct Maker {
  std::string x, name, element;  // the value as it was, the name of what comes last
  std::vector<int64_t> dims;
  std::string lines, computation;

  size_t rank() const { return dims.size(); }
  static std::string shape(const std::string& element, const std::vector<int64_t>& dims) {
    std::string text;
    for (const int64_t d : dims) text += cat(text.empty() ? "" : ",", d);
    return cat(element, "[", text, "]");
  }
  std::string type() const { return shape(element, dims); }
  std::string add(const std::string& suffix, const std::string& type, const std::string& what) {
    lines += cat(name, suffix, " = ", type, " ", what, "\n ");
    return name + suffix;
  }
  std::string number(const std::string& value) {
    return add("_n", element + "[]", cat("constant(", value, ")"));
  }
  std::string splat(const std::string& value) {
    const std::string one = number(value);
    return add("_b", type(), cat("broadcast(", one, "), dimensions={}"));
  }
  // A reducer of two numbers of the element's type.
  std::string reducer(const std::string& op) {
    const std::string called = cat("picked_", op);
    computation = cat(called, " { a = ", element, "[] parameter(0)\n b = ", element,
                      "[] parameter(1)\n ROOT c = ", element, "[] ", op, "(a, b) }\n");
    return called;
  }
  std::string counted(const std::function<std::string(size_t)>& one,
                      const char* between = ",") const {
    std::string all;
    for (size_t d = 0; d < rank(); ++d) all += cat(d == 0 ? "" : between, one(d));
    return all;
  }
  // From the second element of the last dimension on, or of the whole from `low`.
  std::string slice(int64_t low) const {
    return cat("slice={", counted([&](size_t d) {
                 const int64_t from = d + 1 == rank() ? low : 0;
                 return cat("[", from, ":", from + dims[d], "]");
               }),
               "}");
  }
  // The last dimension is folded by `op` and spread again.
  std::string folded(const std::string& op, const std::string& start) {
    const std::vector<int64_t> outer(dims.begin(), dims.end() - 1);
    const std::string first = number(start);
    const std::string sum = add(
        "_r", shape(element, outer),
        cat("reduce(", x, ", ", first, "), dimensions={", rank() - 1, "}, to_apply=", reducer(op)));
    std::string kept;
    for (size_t d = 0; d + 1 < rank(); ++d) kept += cat(d == 0 ? "" : ",", d);
    return add("_s", type(), cat("broadcast(", sum, "), dimensions={", kept, "}"));
  }
};

struct Form {
  const char* name;
  size_t least_rank;
  std::string (*make)(Maker&);
};
const Form kForms[] = {
    {"reverse", 1,
     [](Maker& m) { return cat("reverse(", m.x, "), dimensions={", m.rank() - 1, "}"); }},
    {"reverse 0", 1, [](Maker& m) { return cat("reverse(", m.x, "), dimensions={0}"); }},
    {"transposed", 2,
     [](Maker& m) {
       std::vector<int64_t> turned = m.dims;
       std::swap(turned[m.rank() - 1], turned[m.rank() - 2]);
       const std::string order = cat("), dimensions={", m.counted([&](size_t d) {
         return cat(d + 1 == m.rank() ? d - 1 : d + 2 == m.rank() ? d + 1 : d);
       }),
                                     "}");
       const std::string t =
           m.add("_t", Maker::shape(m.element, turned), cat("transpose(", m.x, order));
       const std::string u =
           m.add("_u", Maker::shape(m.element, turned), cat("add(", t, ", ", t, ")"));
       return cat("transpose(", u, order);
     }},
    {"flat", 2,
     [](Maker& m) {
       int64_t all = 1;
       for (const int64_t d : m.dims) all *= d;
       const std::string f = m.add("_f", Maker::shape(m.element, {all}), cat("reshape(", m.x, ")"));
       const std::string g =
           m.add("_g", Maker::shape(m.element, {all}), cat("add(", f, ", ", f, ")"));
       return cat("reshape(", g, ")");
     }},
    {"shifted", 1,
     [](Maker& m) {
       std::vector<int64_t> wide = m.dims;
       wide.back() += 1;
       const std::string zero = m.number("0");
       const std::string p = m.add(
           "_p", Maker::shape(m.element, wide),
           cat("pad(", m.x, ", ", zero, "), padding=",
               m.counted([&](size_t d) { return std::string(d + 1 == m.rank() ? "1_0" : "0_0"); },
                         "x")));
       return cat("slice(", p, "), ", m.slice(0));
     }},
    {"cut", 1,
     [](Maker& m) {
       std::vector<int64_t> narrow = m.dims;
       narrow.back() -= 1;
       const std::string s =
           m.add("_c", Maker::shape(m.element, narrow),
                 cat("slice(", m.x, "), slice={", m.counted([&](size_t d) {
                   return cat("[", d + 1 == m.rank() ? 1 : 0, ":", m.dims[d], "]");
                 }),
                     "}"));
       const std::string zero = m.number("1");
       return cat(
           "pad(", s, ", ", zero, "), padding=",
           m.counted([&](size_t d) { return std::string(d + 1 == m.rank() ? "0_1" : "0_0"); },
                     "x"));
     }},
    {"doubled", 1,
     [](Maker& m) {
       std::vector<int64_t> wide = m.dims;
       wide.back() *= 2;
       const std::string c =
           m.add("_d", Maker::shape(m.element, wide),
                 cat("concatenate(", m.x, ", ", m.x, "), dimensions={", m.rank() - 1, "}"));
       return cat("slice(", c, "), ", m.slice(1));
     }},
    {"selected", 0,
     [](Maker& m) {
       const std::string zero = m.splat("0");
       const std::string p = m.add("_p", Maker::shape("pred", m.dims),
                                   cat("compare(", m.x, ", ", zero, "), direction=GT"));
       return cat("select(", p, ", ", m.x, ", ", zero, ")");
     }},
    {"clamped", 0,
     [](Maker& m) {
       const std::string low = m.number("1");
       return cat("clamp(", low, ", ", m.x, ", ", low, ")");
     }},
    {"updated", 1,
     [](Maker& m) {
       const std::vector<int64_t> one(m.rank(), 1);
       const std::string zero = m.number("0");
       const std::string u =
           m.add("_u", Maker::shape(m.element, one), cat("broadcast(", zero, "), dimensions={}"));
       const std::string at = m.add("_at", "s32[]", "constant(1)");
       return cat("dynamic-update-slice(", m.x, ", ", u, ", ",
                  m.counted([&](size_t) { return at; }, ", "), ")");
     }},
    {"looked up", 1,
     [](Maker& m) {
       const std::string at = m.add("_at", "s32[]", "constant(1)");
       const std::string none = m.add("_no", "s32[]", "constant(0)");
       std::vector<int64_t> wide = m.dims;
       wide[0] *= 2;
       const std::string c = m.add("_d", Maker::shape(m.element, wide),
                                   cat("concatenate(", m.x, ", ", m.x, "), dimensions={0}"));
       return cat(
           "dynamic-slice(", c, ", ", m.counted([&](size_t d) { return d == 0 ? at : none; }, ", "),
           "), dynamic_slice_sizes={", m.counted([&](size_t d) { return cat(m.dims[d]); }), "}");
     }},
    {"summed", 1, [](Maker& m) { return cat("copy(", m.folded("add", "0"), ")"); }},
    {"normal", 1, [](Maker& m) { return cat("divide(", m.x, ", ", m.folded("add", "0"), ")"); }},
    {"less its largest", 1,
     [](Maker& m) { return cat("subtract(", m.x, ", ", m.folded("maximum", "0"), ")"); }},
    {"windowed", 1,
     [](Maker& m) {
       const std::string zero = m.number("0");
       return cat(
           "reduce-window(", m.x, ", ", zero, "), window={size=",
           m.counted([&](size_t d) { return std::string(d + 1 == m.rank() ? "3" : "1"); }, "x"),
           " pad=",
           m.counted([&](size_t d) { return std::string(d + 1 == m.rank() ? "1_1" : "0_0"); }, "x"),
           "}, to_apply=", m.reducer("add"));
     }},
    {"running", 1,
     [](Maker& m) {
       const std::string zero = m.number("0");
       return cat(
           "reduce-window(", m.x, ", ", zero, "), window={size=",
           m.counted([&](size_t d) { return d + 1 == m.rank() ? cat(m.dims[d]) : "1"; }, "x"),
           " pad=",
           m.counted([&](size_t d) { return d + 1 == m.rank() ? cat(m.dims[d] - 1, "_0") : "0_0"; },
                     "x"),
           "}, to_apply=", m.reducer("maximum"));
     }},
    {"iota", 1, [](Maker& m) { return cat("iota(), iota_dimension=", m.rank() - 1); }},
};

const char* const kUnary[] = {"negate",
                              "abs",
                              "copy",
                              "not",
                              "exponential",
                              "tanh",
                              "floor",
                              "sqrt",
                              "sign",
                              "cbrt",
                              "sine",
                              "rsqrt",
                              "logistic",
                              "optimization-barrier",
                              "round-nearest-even"};
const char* const kBinary[] = {
    "add",     "subtract",  "multiply", "divide",     "maximum",
    "minimum", "remainder", "and",      "shift-left", "shift-right-arithmetic",
    "power"};
const char* const kTypes[] = {"f32", "f64", "f16", "bf16", "s8",  "u8",
                              "s16", "s32", "s64", "u32",  "pred"};

// What the value becomes; empty: nothing.
std::string expression(Maker& m, const std::string& form) {
  for (const char* op : kUnary)
    if (form == op) return cat(op, "(", m.x, ")");
  for (const Form& row : kForms)
    if (form == row.name) return m.rank() < row.least_rank ? "" : row.make(m);
  const std::vector<std::string> words = parts_of(form, " ");
  if (words.size() != 2) return "";
  if (words[0] == "as") {
    const std::string wide = m.add("_w", Maker::shape(words[1], m.dims), cat("convert(", m.x, ")"));
    return cat("convert(", wide, ")");
  }
  if (words[0] == "splat") {
    const std::string one = m.number(words[1]);
    return cat("broadcast(", one, "), dimensions={}");
  }
  if (words[1] == "self") return cat(words[0], "(", m.x, ", ", m.x, ")");
  return cat(words[0], "(", m.x, ", ", m.splat(words[1]), ")");
}

std::string whole(const std::string& text) {
  if (text.find("ENTRY") != std::string::npos) return text;
  return "HloModule test\nENTRY main {\n" + text + "\n}\n";
}

// The program's ROOT is the last one.
const Definition* root_of(const std::vector<Definition>& all) {
  const auto found =
      std::find_if(all.rbegin(), all.rend(), [](const Definition& d) { return d.root; });
  return found == all.rend() ? nullptr : &*found;
}

// The value is the program's only result.
std::string as_root(std::string text, const Definition& d, const Definition& root) {
  if (d.root || d.begin > root.begin) return "";
  text.erase(root.begin, 5);
  return text.insert(d.begin, "ROOT ");
}

// One more result.
std::string as_result(std::string text, const Definition& d, const Definition& root) {
  if (d.root || d.begin > root.begin || root.type[0] == '(') return "";
  text.insert(root.end, cat("\n ROOT picked_results = (", root.type, ", ", d.type, ") tuple(",
                            root.name, ", ", d.name, ")"));
  return text.erase(root.begin, 5);
}

}  // namespace

std::string with_form(const std::string& text, const std::string& value, const std::string& form) {
  const std::string all = whole(text);
  const std::vector<Definition> definitions = definitions_in(all);
  const Definition* root = root_of(definitions);
  // Of several computations' values of that name the program's.
  const auto found = std::find_if(definitions.rbegin(), definitions.rend(),
                                  [&](const Definition& d) { return d.name == value; });
  if (found == definitions.rend() || root == nullptr) return "";
  const Definition& d = *found;
  if (form == "root") return as_root(all, d, *root);
  if (form == "result") return as_result(all, d, *root);
  const size_t bracket = d.type.find('['), close = d.type.find(']');
  if (d.type[0] == '(' || bracket == std::string::npos || close == std::string::npos) return "";
  Maker m{.x = "inner_" + value, .name = value, .element = d.type.substr(0, bracket)};
  if (close > bracket + 1)
    for (const std::string& size : parts_of(d.type.substr(bracket + 1, close - bracket - 1), ",")) {
      if (!is_number(size) || size.size() > 9) return "";
      m.dims.push_back(std::stoll(size));
    }
  std::string last;
  if (form == "parameter") {
    int parameters = 0;
    for (size_t at = all.find(" parameter(", all.find("ENTRY")); at != std::string::npos;
         at = all.find(" parameter(", at + 1))
      ++parameters;
    last = cat("parameter(", parameters, ")");
  } else {
    last = expression(m, form);
  }
  if (last.empty()) return "";
  std::string out =
      cat(all.substr(0, d.begin), m.x, " = ", d.type, " ", d.rest, "\n ", m.lines,
          d.root ? "ROOT " : "", value, " = ", m.type(), " ", last, all.substr(d.end));
  if (m.computation.empty() || out.find(m.computation) != std::string::npos) return out;
  return out.insert(out.find('\n') + 1, m.computation);
}

std::vector<std::string> form_names() {
  std::vector<std::string> names = {"result",    "result",  "result",  "root",   "root",
                                    "parameter", "splat 0", "splat 1", "splat 3"};
  for (const char* op : kUnary) names.emplace_back(op);
  for (const Form& row : kForms) names.insert(names.end(), 2, row.name);
  for (const char* op : kBinary)
    for (const char* with : {"self", "0", "1", "2", "7"}) names.push_back(cat(op, " ", with));
  for (const char* type : kTypes) names.push_back(cat("as ", type));
  return names;
}

std::vector<std::string> values_of(const std::string& text) {
  std::vector<std::string> names;
  for (const Definition& d : definitions_in(text)) names.push_back(d.name);
  return names;
}

}  // namespace hlocc::tests
