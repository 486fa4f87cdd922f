// Expansions of functions without an opcode: found whole, and only if every op and bit is the same.
#include <array>
#include <cctype>
#include <cstdio>

#include "support/text.h"
#include "transforms/support.h"

namespace hlocc::tests {
namespace {

using transforms::recognize_functions;

// Lines of HLO, appended op by op, each on 40 numbers.
class Lines {
 public:
  explicit Lines(const std::string& type = "f32")
      : type_(type), text_(cat(" v0 = ", type, "[40] parameter(0)\n")) {}
  std::string op(const std::string& opcode, const std::vector<std::string>& operands,
                 const std::string& more = "", const std::string& type = "") {
    const std::string name = cat("v", count_++);
    text_ += cat(" ", name, " = ", type.empty() ? type_ : type, "[40] ", opcode, "(",
                 join(operands, ", "), ")", more, "\n");
    return name;
  }
  std::string number(double value) {
    const std::string name = cat("v", count_++);
    std::array<char, 32> digits{};
    const bool is_double = type_ == "f64";
    std::snprintf(digits.data(), digits.size(), is_double ? "%.17g" : "%.9g",
                  is_double ? value : static_cast<float>(value));
    text_ += cat(" ", name, " = ", type_, "[] constant(", digits.data(), ")\n");
    return op("broadcast", {name}, ", dimensions={}");
  }
  std::string less(const std::string& a, const std::string& b) {
    return op("compare", {a, b}, ", direction=LT", "pred");
  }
  std::string horner(const std::string& x, const std::vector<double>& coefficients,
                     bool constant_first = false, bool swapped_sum = false) {
    std::string sum = number(coefficients[0]);
    for (size_t i = 1; i < coefficients.size(); ++i) {
      // As JAX does: the first product has the variable first.
      const std::string product =
          i == 1 && !constant_first ? op("multiply", {x, sum}) : op("multiply", {sum, x});
      const std::string next = number(coefficients[i]);
      sum = swapped_sum ? op("add", {next, product}) : op("add", {product, next});
    }
    return sum;
  }
  // With a highest coefficient of 1, whose product simplify drops.
  std::string monic(const std::string& x, const std::vector<double>& coefficients) {
    std::string sum = op("add", {x, number(coefficients[0])});
    for (size_t i = 1; i < coefficients.size(); ++i)
      sum = op("add", {op("multiply", {sum, x}), number(coefficients[i])});
    return sum;
  }
  const std::string& text() const { return text_; }

 private:
  const std::string type_;
  std::string text_;
  int count_ = 1;
};

// What may be different in an expansion.
struct Changes {
  double coefficient = 0.37612626, limit = -88.72284;
  const char* direction = "LT";
  const char* inner = "subtract";
  bool swapped_division = false, second_argument = false, constant_first = false,
       swapped_sum = false;
};

// As JAX 0.10 lowers lax.erfc, squares and magnitudes written twice.
std::string erfc(const Changes& changes = {}) {
  Lines l;
  const std::string x = "v0", other = changes.second_argument ? l.op("negate", {x}) : x;
  const std::string one = l.number(1), two = l.number(2), zero = l.number(0);
  const std::string near =
      l.op("compare", {l.op("abs", {x}), one}, cat(", direction=", changes.direction), "pred");
  const std::string z = l.op("multiply", {x, x});
  const std::string t = l.horner(
      z,
      {7.853861353153693e-5, -8.010193625184903e-4, 5.188327685732524e-3, -2.685381193529856e-2,
       1.128358514861418e-1, -changes.coefficient, 1.128379165726710},
      changes.constant_first, changes.swapped_sum);
  const std::string inner = l.op(changes.inner, {one, l.op("multiply", {other, t})});
  const std::string square = l.op("multiply", {x, x}), negative = l.op("negate", {square}),
                    magnitude = l.op("abs", {x});
  const std::string inverse = changes.swapped_division ? l.op("divide", {magnitude, one})
                                                       : l.op("divide", {one, magnitude});
  const std::string scale = l.op("multiply", {l.op("exponential", {negative}), inverse});
  const std::string q = l.op("divide", {one, square});
  const std::string p =
      l.horner(q, {2.326819970068386e-2, -1.387039388740657e-1, 3.687424674597105e-1,
                   -5.824733027278666e-1, 6.210004621745983e-1, -4.944515323274145e-1,
                   3.404879937665872e-1, -2.741127028184656e-1, 5.638259427386472e-1});
  const std::string r = l.horner(
      q, {-1.047766399936249e+1, 1.297719955372516e+1, -7.495518717768503, 2.921019019210786,
          -1.015265279202700, 4.218463358204948e-1, -2.820767439740514e-1, 5.641895067754075e-1});
  const std::string y = l.op("multiply", {scale, l.op("select", {l.less(magnitude, two), p, r})});
  const std::string tail = l.op("select", {l.less(negative, l.number(changes.limit)), zero, y});
  const std::string outer = l.op("select", {l.less(x, zero), l.op("subtract", {two, tail}), tail});
  const std::string result = l.op("select", {near, inner, outer});
  return l.text() + cat(" ROOT r = f32[40] multiply(", result, ", ", x, ")");
}

// The same in f64, after simplify.
std::string erfc_double(double coefficient = 90.02601972038427) {
  Lines l("f64");
  const std::string x = "v0", one = l.number(1), two = l.number(2), zero = l.number(0),
                    z = l.op("multiply", {x, x});
  const std::string t = l.horner(
      z, {9.604973739870516, coefficient, 2232.005345946843, 7003.325141128051, 55592.30130103949});
  const std::string u = l.monic(z, {33.56171416475031, 521.3579497801527, 4594.323829709801,
                                    22629.000061389095, 49267.39426086359});
  const std::string near = l.op("subtract", {one, l.op("divide", {l.op("multiply", {x, t}), u})});
  const std::string negative = l.op("negate", {z}), magnitude = l.op("abs", {x}),
                    scale = l.op("exponential", {negative});
  const std::string p =
      l.horner(magnitude, {2.461969814735305e-10, 0.5641895648310689, 7.463210564422699,
                           48.63719709856814, 196.5208329560771, 526.4451949954773,
                           934.5285271719576, 1027.5518868951572, 557.5353353693994});
  const std::string q = l.monic(
      magnitude, {13.228195115474499, 86.70721408859897, 354.9377788878199, 975.7085017432055,
                  1823.9091668790973, 2246.3376081871097, 1656.6630919416134, 557.5353408177277});
  const std::string r =
      l.horner(magnitude, {0.5641895835477551, 1.275366707599781, 5.019050422511805,
                           6.160210979930536, 7.4097426995044895, 2.9788666537210022});
  const std::string s =
      l.monic(magnitude, {2.2605286322011726, 9.396035249380015, 12.048953980809666,
                          17.08144507475659, 9.608968090632859, 3.369076451000815});
  const std::string middle = l.op("divide", {l.op("multiply", {scale, p}), q});
  const std::string last = l.op("divide", {l.op("multiply", {scale, r}), s});
  const std::string y = l.op("select", {l.less(magnitude, l.number(8)), middle, last});
  const std::string tail = l.op("select", {l.less(negative, l.number(-709.782712893384)), zero, y});
  const std::string outer = l.op("select", {l.less(x, zero), l.op("subtract", {two, tail}), tail});
  const std::string result = l.op("select", {l.less(magnitude, one), near, outer});
  return l.text() + cat(" ROOT r = f64[40] multiply(", result, ", ", x, ")");
}

int maps_in(const std::string& text) {
  return count_in_entry(after(module_from(text), {transforms::share_common, recognize_functions}),
                        Opcode::kMap);
}

}  // namespace

TEST_CASE("erfc as JAX expands it is one map, with its meaning bit for bit", "[transforms]") {
  const Module m = rewritten(erfc(), {transforms::share_common, recognize_functions});
  REQUIRE(count_in_entry(m, Opcode::kMap) == 1);
  CHECK(count_in_entry(m, Opcode::kExp) == 0);
  for (const hlo::Instruction& i : m.entry_computation().instructions)
    if (i.opcode == Opcode::kMap) CHECK(i.get<hlo::MapAttributes>().function == "erfc");
  CHECK(maps_in(erfc({.constant_first = true})) == 1);
  CHECK(maps_in(erfc({.swapped_sum = true})) == 1);
}

TEST_CASE("erfc in f64 is another expansion of the same function", "[transforms]") {
  const Module m = rewritten(erfc_double(), {transforms::share_common, recognize_functions});
  REQUIRE(count_in_entry(m, Opcode::kMap) == 1);
  CHECK(count_in_entry(m, Opcode::kExp) == 0);
  CHECK(maps_in(erfc_double(90.026019720384278)) == 0);
}

TEST_CASE("what differs from an expansion is left alone", "[transforms]") {
  CHECK(maps_in(erfc({.coefficient = 0.37612629})) == 0);
  CHECK(maps_in(erfc({.limit = -88.722847})) == 0);
  CHECK(maps_in(erfc({.direction = "LE"})) == 0);
  CHECK(maps_in(erfc({.swapped_division = true})) == 0);
  CHECK(maps_in(erfc({.second_argument = true})) == 0);
  CHECK(maps_in(erfc({.inner = "add"})) == 0);
}

TEST_CASE("two expansions call one computation", "[transforms]") {
  std::string text = erfc();
  text.replace(text.find(" ROOT r"), 7, " once");
  // The same lines under other names, of what the first made.
  std::string again = erfc();
  again = again.substr(again.find('\n') + 1);
  for (size_t at = 0; (at = again.find('v', at)) != std::string::npos; ++at)
    if (at + 1 < again.size() && std::isdigit(static_cast<unsigned char>(again[at + 1])))
      again.replace(at, 1, "w");
  const Module m = after(module_from(text + "\n w0 = f32[40] negate(once)\n" + again),
                         {transforms::share_common, recognize_functions});
  CHECK(count_in_entry(m, Opcode::kMap) == 2);
  CHECK(m.computations.size() == 2);
}

}  // namespace hlocc::tests
