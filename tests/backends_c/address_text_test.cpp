// What C's writer writes of addresses and of lanes that lie apart, a row on each side of a condition
// of BodyWriter.
#include "backends_c/body_text.h"

namespace hlocc::backends {
namespace {

using namespace small;
using enum Scalar;
using enum OpKind;

// y[0] = x[at], at of two parameters.
using At = std::function<Affine(Small&, ValueId p, ValueId q)>;
Make read_at(const At& at) {
  return [=](Small& b) {
    const ValueId p = b.parameter(), q = b.parameter();
    b.write(b.load(b.array(kS32), at(b, p, q)));
  };
}

TEST_CASE("the text of an address") {
  const auto of = [](int64_t p, int64_t q, int64_t offset) {
    return read_at([=](Small&, ValueId a, ValueId b) {
      return Affine::of(a, p, offset).plus(Affine::of(b, q));
    });
  };
  const auto one = [](int64_t p, int64_t offset) {
    return read_at([=](Small&, ValueId a, ValueId) { return Affine::of(a, p, offset); });
  };
  const auto number = [](int64_t offset) {
    return read_at([=](Small&, ValueId, ValueId) { return Affine::constant(offset); });
  };
  const auto turned = read_at([](Small& b, ValueId p, ValueId) {
    return Affine::of(b.op(kNeg, {kIndex, 1}, {p}), -1);
  });
  const auto of_sum = [](int64_t scale, bool first) {
    return read_at([=](Small& b, ValueId p, ValueId q) {
      const Affine sum = Affine::of(b.op(kAdd, {kIndex, 1}, {p, q}), scale);
      return first ? sum : Affine::of(q).plus(sum);
    });
  };
  check_text({
      {"a sum", m3(), of_sum(1, true), "x1[0] = x0[n0 + n1];"},
      {"less a sum", m3(), of_sum(-1, true), "x1[0] = x0[-(n0 + n1)];"},
      {"twice a sum", m3(), of_sum(2, true), "x1[0] = x0[2 * (n0 + n1)];"},
      {"a parameter and a sum", m3(), of_sum(1, false), "x1[0] = x0[n1 + (n0 + n1)];"},
      {"a parameter less a sum", m3(), of_sum(-1, false), "x1[0] = x0[n1 - (n0 + n1)];"},
      {"a parameter and twice a sum", m3(), of_sum(2, false), "x1[0] = x0[n1 + 2 * (n0 + n1)];"},
      {"less a turned sign", m3(), turned, "x1[0] = x0[-(-n0)];"},
      {"a number", m3(), number(3), "x1[0] = x0[3];"},
      {"no number", m3(), number(0), "x1[0] = x0[0];"},
      {"a number below", m3(), number(-1), "x1[0] = x0[-1];"},
      {"a parameter", m3(), one(1, 0), "x1[0] = x0[n0];"},
      {"less a parameter", m3(), one(-1, 0), "x1[0] = x0[-n0];"},
      {"two parameters at once", m3(), one(2, 0), "x1[0] = x0[2 * n0];"},
      {"less twice", m3(), one(-2, 0), "x1[0] = x0[-2 * n0];"},
      {"and one", m3(), one(1, 1), "x1[0] = x0[n0 + 1];"},
      {"but one", m3(), one(1, -1), "x1[0] = x0[n0 - 1];"},
      {"less a parameter and two", m3(), one(-1, 2), "x1[0] = x0[-n0 + 2];"},
      {"two parameters", m3(), of(1, 1, 0), "x1[0] = x0[n0 + n1];"},
      {"their difference", m3(), of(1, -1, 0), "x1[0] = x0[n0 - n1];"},
      {"the other difference", m3(), of(-1, 1, 0), "x1[0] = x0[-n0 + n1];"},
      {"with factors", m3(), of(2, 3, 4), "x1[0] = x0[2 * n0 + 3 * n1 + 4];"},
      {"less factors", m3(), of(-2, -3, -4), "x1[0] = x0[-2 * n0 - 3 * n1 - 4];"},
  });
}

TEST_CASE("the text of lanes") {
  const auto by = [](int64_t stride, int64_t offset, int lanes, int64_t factor = 0) {
    return [=](Small& b) {
      const ValueId p = b.parameter();
      Affine at = Affine::constant(offset);
      if (factor != 0) at = Affine::of(p, factor, offset);
      b.write(b.load(b.array(kS32), at, lanes, stride));
    };
  };
  const auto placed = [](Scalar scalar, int64_t offset) {
    return [=](Small& b) {
      const ValueId places = b.read({scalar, 4});
      b.write(b.gather(b.array(kS32), Affine::constant(offset), places));
    };
  };
  const auto sum_placed = [](Small& b) {
    const ValueId places = b.read({kIndex, 4});
    b.write(b.gather(b.array(kS32), Affine::constant(0), b.add(places, places)));
  };
  check_text({
      {"as they lie", m3(), by(1, 0, 4), "lanes 4 { x1[l] = x0[l]; }"},
      {"two", m3(), by(1, 0, 2), "lanes 2 { x1[l] = x0[l]; }"},
      {"from three", m3(), by(1, 3, 4), "lanes 4 { x1[l] = x0[3 + l]; }"},
      {"from a parameter", m3(), by(1, 0, 4, 1), "lanes 4 { x1[l] = x0[n0 + l]; }"},
      {"by two", m3(), by(2, 0, 4), "lanes 4 { x1[l] = x0[2 * l]; }"},
      {"by two from three", m3(), by(2, 3, 4), "lanes 4 { x1[l] = x0[3 + 2 * l]; }"},
      {"downwards", m3(), by(-1, 3, 4), "lanes 4 { x1[l] = x0[3 - l]; }"},
      {"downwards from the start", m3(), by(-1, 0, 4), "lanes 4 { x1[l] = x0[0 - l]; }"},
      {"downwards by two", m3(), by(-2, 6, 4), "lanes 4 { x1[l] = x0[6 - 2 * l]; }"},
      {"one for all", m3(), by(0, 3, 4), "lanes 4 { x1[l] = x0[3]; }"},
      {"one number by two", m3(), by(2, 3, 1), "x1[0] = x0[3];"},
      {"at places", m3(), placed(kIndex, 0), "lanes 4 { x2[l] = x1[x0[l]]; }"},
      {"at places from three", m3(), placed(kIndex, 3), "lanes 4 { x2[l] = x1[3 + x0[l]]; }"},
      {"at places of s32", m3(), placed(kS32, 0), "lanes 4 { x2[l] = x1[(ptrdiff_t)x0[l]]; }"},
      {"at sums", m3(), sum_placed,
       "lanes 4 { const ptrdiff_t v0 = x0[l]; x2[l] = x1[(v0 + v0)]; }"},
  });
}

}  // namespace
}  // namespace hlocc::backends
