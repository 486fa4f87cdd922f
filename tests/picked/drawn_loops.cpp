// Drawn programs (drawn.h): loops.
#include <algorithm>

#include "picked/drawn_writer.h"

namespace hlocc::tests {

std::string loops(uint64_t seed) {
  Writer w(seed);
  const std::string type = w.word({"s32", "s32", "u32", "s64", "s8", "u8"});
  const int64_t first = w.number({0, 0, 0, 1, -2, 5}), limit = w.number({4, 4, 3, 1, 0, 10, -5}),
                step = w.number({1, 1, 1, 2, -1, 3});
  const Sizes sizes = {w.number({2, 4, 5}), w.number({1, 4, 8})};
  const std::string state =
      cat("(", type, "[], ", Writer::shape("f32", sizes), ", ", Writer::shape("f32", sizes), ")");
  const char* const direction = w.word({"LT", "LT", "LT", "LE", "NE", "GT", "GE"});
  const bool turned = w.one_in(6);
  w.computation(cat("condition {\n s = ", state, " parameter(0)\n i = ", type,
                    "[] get-tuple-element(s), index=0\n n = ", type, "[] constant(", limit,
                    ")\n ROOT p = pred[] compare(", turned ? "n, i" : "i, n",
                    "), direction=", direction, "\n}\n"));
  const char* const next = w.word({"add", "add", "add", "subtract", "multiply"});
  const char* const sides = w.one_in(6) ? "(one, i)\n" : "(i, one)\n";
  std::string body = cat("body {\n s = ", state, " parameter(0)\n i = ", type,
                         "[] get-tuple-element(s), index=0\n x = ", Writer::shape("f32", sizes),
                         " get-tuple-element(s), index=1\n w = ", Writer::shape("f32", sizes),
                         " get-tuple-element(s), index=2\n one = ", type, "[] constant(", step,
                         ")\n j = ", type, "[] ", next, sides);
  std::string x = "x", kept = "w";
  int made = 0;
  const auto put = [&](const std::string& type_of, const std::string& what) {
    const std::string name = cat("b", made++);
    body += cat(" ", name, " = ", type_of, " ", what, "\n");
    return name;
  };
  const std::string array = Writer::shape("f32", sizes);
  for (int64_t steps = 1 + w.below(5); steps > 0; --steps) switch (w.below(9)) {
      case 0: x = put(array, cat(w.word({"tanh(", "exponential(", "negate("}), x, ")")); break;
      case 1: {
        const std::string dear =
            put(array, w.word({"exponential(w)", "tanh(w)", "sine(w)", "negate(w)"}));
        x = put(array, cat("add(", x, ", ", dear, ")"));
        break;
      }
      case 2: {
        const std::string turned_w =
            put(Writer::shape("f32", {sizes[1], sizes[0]}), "transpose(w), dimensions={1,0}");
        const std::string square =
            put(Writer::shape("f32", {sizes[0], sizes[0]}),
                cat("dot(", x, ", ", turned_w,
                    "), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
        x = put(array,
                cat("dot(", square, ", w), lhs_contracting_dims={1}, rhs_contracting_dims={0}"));
        break;
      }
      case 3: {
        const std::string zero = put(type + "[]", "constant(0)");
        const std::string row =
            put(Writer::shape("f32", {1, sizes[1]}),
                cat("dynamic-slice(w, i, ", zero, "), dynamic_slice_sizes={1,", sizes[1], "}"));
        x = put(array, cat("dynamic-update-slice(", x, ", ", row, ", i, ", zero, ")"));
        break;
      }
      case 4: {
        const std::string one = put("f32[]", "convert(i)"),
                          all = put(array, cat("broadcast(", one, "), dimensions={}"));
        x = put(array, cat("multiply(", x, ", ", all, ")"));
        break;
      }
      case 5: x = put(array, cat(w.word({"add(", "multiply("}), x, ", w)")); break;
      case 6: kept = x; break;
      case 7: {
        const std::string shown = put(array, cat("reverse(", x, "), dimensions={0}"));
        x = put(array, cat("subtract(", x, ", ", shown, ")"));
        break;
      }
      default: x = put(array, cat("maximum(", x, ", ", kept, ")"));
    }
  body += cat(" ROOT t = ", state, " tuple(j, ", x, ", ", kept, ")\n}\n");
  w.computation(body);
  const Array a = w.parameter("f32", sizes),
              b = w.one_in(4) ? w.splat("f32", sizes, "0.5") : w.parameter("f32", sizes);
  const Array i = w.one_in(6) ? w.parameter(type, {}) : w.constant(type, cat(first));
  const Array s = w.add("", {}, "");
  std::string text = w.finished({a});
  // The loop, and what is read of it, in place of the program's own end.
  const int64_t read = w.below(4);
  const size_t end = text.find(cat(" ", s.name, " = "));
  text.resize(end);
  text += cat(" start = ", state, " tuple(", i.name, ", ", a.name, ", ", b.name,
              ")\n loop = ", state, " while(start), condition=condition, body=body\n");
  text += read == 0   ? cat(" ROOT r = ", type, "[] get-tuple-element(loop), index=0\n}\n")
          : read == 1 ? cat(" ROOT r = ", array, " get-tuple-element(loop), index=2\n}\n")
                      : cat(" ROOT r = ", array, " get-tuple-element(loop), index=1\n}\n");
  return text;
}

}  // namespace hlocc::tests
