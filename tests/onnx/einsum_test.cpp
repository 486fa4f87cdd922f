// ONNX's Einsum: letters that stay, letters that are summed over, diagonals and ellipses, and
// equations that are none: models of one node.
#include "onnx/node.h"

namespace hlocc::tests {
namespace {

NodeRow sum_of(const char* equation, std::vector<NodeOperand> operands, const std::string& answer) {
  return {"Einsum", std::move(operands), {{"equation", equation}}, answer};
}

TEST_CASE("ONNX Einsum") {
  const auto m = [] { return x({2, 2}, {1, 2, 3, 4}); };
  const auto v = [] { return x({2}, {1, 10}); };
  const auto cube = [] { return x({2, 2, 2}); };
  check_nodes({
      sum_of("ij->ji", {m()}, "f32[2,2] 1 3 2 4"),
      sum_of("ij->ij", {m()}, "f32[2,2] 1 2 3 4"),
      sum_of("ij->i", {m()}, "f32[2] 3 7"),
      sum_of("ij->", {m()}, "f32[] 10"),
      sum_of("ii->i", {m()}, "f32[2] 1 4"),
      sum_of("ii", {m()}, "f32[] 5"),
      sum_of("iii->i", {cube()}, "f32[2] 0 7"),
      sum_of("iij->ij", {cube()}, "f32[2,2] 0 1 6 7"),
      sum_of("iji->ij", {cube()}, "f32[2,2] 0 2 5 7"),
      // Without a result: letters that stand once, by the alphabet.
      sum_of("ba", {x({2, 3})}, "f32[3,2] 0 3 1 4 2 5"),
      sum_of("ij,jk", {m(), m()}, "f32[2,2] 7 10 15 22"),
      sum_of("ij,jk->ik", {m(), m()}, "f32[2,2] 7 10 15 22"),
      sum_of(" i j , j k -> k i ", {m(), m()}, "f32[2,2] 7 15 10 22"),
      sum_of("Ij,jK->IK", {m(), m()}, "f32[2,2] 7 10 15 22"),
      sum_of("i,i->", {v(), v()}, "f32[] 101"),
      sum_of("i,i->i", {v(), v()}, "f32[2] 1 100"),
      sum_of("i,j->ij", {v(), v()}, "f32[2,2] 1 10 10 100"),
      sum_of("i,j->ji", {v(), x({2}, {1, 2})}, "f32[2,2] 1 10 2 20"),
      sum_of("i,j->", {v(), v()}, "f32[] 121"),
      sum_of("i,i,i->", {v(), v(), v()}, "f32[] 1001"),
      sum_of("i,j,i->j", {v(), v(), v()}, "f32[2] 101 1010"),
      sum_of("ij,jk,kl->il", {m(), m(), m()}, "f32[2,2] 37 54 81 118"),
      sum_of("bij,bjk->bik", {x({1, 2, 2}, {1, 2, 3, 4}), x({1, 2, 1}, {1, 10})},
             "f32[1,2,1] 21 43"),
      sum_of("bi,bi->b", {m(), m()}, "f32[2] 5 25"),
      sum_of("bi,bi->i", {m(), m()}, "f32[2] 10 20"),
      sum_of(",i->i", {x({}, {3}), v()}, "f32[2] 3 30"),
      sum_of("i,i->i", {x({1}, {3}), v()}, "f32[2] 3 30"),
      sum_of("i,i->i", {v(), x({1}, {3})}, "f32[2] 3 30"),
  });
}

TEST_CASE("ONNX Einsum's ellipses") {
  const auto m = [] { return x({2, 2}, {1, 2, 3, 4}); };
  const auto v = [] { return x({2}, {1, 10}); };
  check_nodes({
      sum_of("...i->...", {m()}, "f32[2] 3 7"),
      sum_of("...i", {m()}, "f32[2,2] 1 2 3 4"),
      sum_of("i...->...", {m()}, "f32[2] 4 6"),
      sum_of("...ij->...ji", {x({1, 2, 2})}, "f32[1,2,2] 0 2 1 3"),
      sum_of("...ij->...ji", {m()}, "f32[2,2] 1 3 2 4"),
      sum_of("...i,i->...", {m(), v()}, "f32[2] 21 43"),
      sum_of("i,...i->...", {v(), m()}, "f32[2] 21 43"),
      sum_of("...,...->...", {v(), m()}, "f32[2,2] 1 20 3 40"),
      sum_of("...,...", {m(), v()}, "f32[2,2] 1 20 3 40"),
      sum_of("...i,...i->...", {m(), x({1, 2}, {1, 10})}, "f32[2] 21 43"),
  });
}

TEST_CASE("ONNX Einsum refuses equations that do not fit their operands") {
  const auto m = [] { return x({2, 2}); };
  const auto v = [] { return x({2}); };
  check_nodes({
      sum_of("i", {v(), v()}, "!an equation of another number of operands"),
      sum_of("i,i", {v()}, "!an equation of another number of operands"),
      sum_of("i1->i", {m()}, "!an equation with \"i1\""),
      sum_of("..i->i", {m()}, "!an equation with \"..i\""),
      sum_of("i->1", {v()}, "!an equation with \"1\""),
      sum_of("ij->ij", {v()}, "!\"ij\" for 1 dimensions"),
      sum_of("i->i", {m()}, "!\"i\" for 2 dimensions"),
      sum_of("...ij->...", {v()}, "!\"...ij\" for 1 dimensions"),
      sum_of("i,i->i", {v(), x({3})}, "!sizes 2 and 3"),
      sum_of("ii->i", {x({2, 3})}, "!sizes 2 and 3"),
      sum_of("i->j", {v()}, "!a result of a letter that no operand has"),
      sum_of("i->ii", {v()}, "!a result with a letter twice"),
      sum_of("i,i->i", {v(), given(kS32, {2})}, "!element types (f32, s32) are not read"),
  });
}

}  // namespace
}  // namespace hlocc::tests
