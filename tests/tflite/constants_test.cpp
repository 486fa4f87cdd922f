// Constants of .tflite files: bytes, halves of bytes, and sparse tensors, each with what is said of
// one that is wrong in one thing.
#include "import/tflite/constants.h"

#include <catch2/catch.hpp>

#include "support/model_values.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using import::tflite::literal_of_tensor;
using import::tflite::SparseLevel, import::tflite::Sparsity, import::tflite::Tensor;

constexpr int kS32Type = 2, kU8Type = 3, kStringType = 5, kPredType = 6, kS8Type = 9, kS4Type = 17,
              kS2Type = 19, kU4Type = 20;

std::string constant_text(Tensor tensor, const std::vector<uint8_t>& data) {
  tensor.name = "t";
  tensor.data = std::as_bytes(std::span(data));
  Result<Literal> literal = literal_of_tensor(tensor);
  return literal ? text_of(*literal) : "!" + literal.error().message;
}

TEST_CASE(".tflite constants have as many bytes as their shape") {
  const auto plain = [](int type, const Dimensions& shape, const std::vector<uint8_t>& data,
                        bool was_unsigned = false) {
    Tensor tensor;
    tensor.type = type;
    tensor.shape = shape;
    tensor.was_unsigned = was_unsigned;
    return constant_text(tensor, data);
  };
  CHECK(plain(kS8Type, {3}, {1, 0x80, 0xff}) == "s8[3] 1 -128 -1");
  CHECK(plain(kS8Type, {3}, {0, 0x80, 0xff}, true) == "s8[3] -128 0 127");
  CHECK(plain(kS32Type, {1}, {1, 2, 0, 0}) == "s32[1] 513");
  CHECK(plain(kPredType, {3}, {0, 1, 2}) == "pred[3] 0 1 1");
  CHECK(plain(kU8Type, {2}, {2, 255}) == "u8[2] 2 255");
  CHECK(plain(kS4Type, {3}, {0x87, 0xff}) == "s4[3] 7 -8 -1");
  CHECK(plain(kS4Type, {2}, {0x78}) == "s4[2] -8 7");
  CHECK(plain(kU4Type, {3}, {0x87, 0x0f}) == "u4[3] 7 8 15");
  CHECK(plain(kS8Type, {3}, {1, 2}) == "!tensor \"t\" has 2 bytes for its shape s8[3]");
  CHECK(plain(kS8Type, {1}, {1, 2}) == "!tensor \"t\" has 2 bytes for its shape s8[1]");
  CHECK(plain(kS32Type, {1}, {1}) == "!tensor \"t\" has 1 bytes for its shape s32[1]");
  CHECK(plain(kS4Type, {3}, {1}) == "!tensor \"t\" has 1 bytes for its shape s4[3]");
  CHECK(plain(kS4Type, {3}, {1, 2, 3}) == "!tensor \"t\" has 3 bytes for its shape s4[3]");
  CHECK(plain(kS2Type, {1}, {1}) == "!tensor \"t\" has 1 bytes for its shape s2[1]");
  CHECK(plain(kStringType, {1}, {1}) == "!tensor \"t\" has elements of STRING, which HLO lacks");
  CHECK(plain(99, {1}, {1}) == "!tensor \"t\" has elements of type 99, which HLO lacks");
  CHECK(plain(-1, {1}, {1}) == "!tensor \"t\" has elements of type -1, which HLO lacks");
}

SparseLevel dense(int64_t size) { return {.size = size}; }
SparseLevel rows(std::vector<int64_t> segments, std::vector<int64_t> indices) {
  return {.dense = false, .segments = std::move(segments), .indices = std::move(indices)};
}

struct SparseRow {
  Dimensions shape;
  std::vector<int32_t> order, blocks;
  std::vector<SparseLevel> levels;
  std::vector<uint8_t> data;
  std::string answer;
};

void check_sparse(const std::vector<SparseRow>& table) {
  for (size_t i = 0; i < table.size(); ++i) {
    const SparseRow& row = table[i];
    INFO("row " << i);
    Tensor tensor;
    tensor.type = kS8Type;
    tensor.shape = row.shape;
    tensor.sparsity = Sparsity{row.order, row.blocks, row.levels};
    CHECK(constant_text(tensor, row.data) == row.answer);
  }
}

TEST_CASE("sparse .tflite constants are walked level by level") {
  check_sparse({
      {{2, 3},
       {0, 1},
       {},
       {dense(2), rows({0, 1, 3}, {1, 0, 2})},
       {5, 6, 7},
       "s8[2,3] 0 5 0 6 0 7"},
      {{2, 3}, {0, 1}, {}, {dense(2), rows({0, 0, 1}, {2})}, {9}, "s8[2,3] 0 0 0 0 0 9"},
      {{2, 3}, {1, 0}, {}, {dense(3), rows({0, 1, 1, 2}, {1, 0})}, {5, 6}, "s8[2,3] 0 0 6 5 0 0"},
      {{2, 3}, {0, 1}, {}, {rows({0, 1}, {1}), dense(3)}, {1, 2, 3}, "s8[2,3] 0 0 0 1 2 3"},
      {{2, 2}, {0, 1}, {}, {dense(2), dense(2)}, {1, 2, 3, 4}, "s8[2,2] 1 2 3 4"},
      // The second dimension in blocks of two.
      {{1, 4}, {0, 1, 2}, {1}, {dense(1), rows({0, 1}, {1}), dense(2)}, {8, 9}, "s8[1,4] 0 0 8 9"},
      // Blocks of the first dimension, walked before its places within.
      {{4, 1}, {0, 1, 2}, {0}, {rows({0, 1}, {1}), dense(1), dense(2)}, {8, 9}, "s8[4,1] 0 0 8 9"},
      {{2}, {0}, {}, {dense(0)}, {}, "s8[2] 0 0"},
      {{2}, {0}, {}, {dense(1)}, {3}, "s8[2] 3 0"},
      {{}, {}, {}, {}, {7}, "s8[] 7"},
  });
}

TEST_CASE("sparse .tflite constants whose levels do not fit are refused") {
  const std::string who = "!the sparsity of tensor \"t\" ";
  const std::string levels = who + "has another number of levels than dimensions";
  const std::string order = who + "has a traversal order that is no permutation";
  const std::string block = who + "has a block of no dimension";
  const std::string segments = who + "has too few segments";
  const std::string segment = who + "has a segment beyond its indices";
  const std::string size = who + "has a size beyond its data";
  const std::string data = who + "reaches beyond its data";
  const std::string shape = who + "reaches beyond its shape";
  check_sparse({
      {{2}, {0, 1}, {}, {dense(2)}, {1, 2}, levels},
      {{2}, {}, {}, {dense(2)}, {1, 2}, levels},
      {{2, 1}, {0}, {}, {dense(2)}, {1, 2}, levels},
      {{2}, {0, 1}, {}, {dense(2), dense(1)}, {1, 2}, levels},
      {{2}, {0}, {0}, {dense(2)}, {1, 2}, levels},
      {{2}, {1}, {}, {dense(2)}, {1, 2}, order},
      {{2}, {-1}, {}, {dense(2)}, {1, 2}, order},
      {{2, 2}, {0, 0}, {}, {dense(2), dense(2)}, {1, 2, 3, 4}, order},
      {{2}, {0, 1}, {1}, {dense(1), dense(2)}, {1, 2}, block},
      {{2}, {0, 1}, {-1}, {dense(1), dense(2)}, {1, 2}, block},
      {{2}, {0, 1}, {0}, {dense(1), dense(0)}, {1, 2}, block},
      {{2}, {0, 1}, {0}, {dense(1), rows({0, 2}, {0, 1})}, {1, 2}, block},
      {{2}, {0, 1}, {0}, {dense(1), {false, 2, {0, 2}, {0, 1}}}, {1, 2}, block},
      {{2}, {0, 1}, {0}, {dense(1), dense(2)}, {1, 2}, "s8[2] 1 2"},
      {{2}, {0, 1}, {0}, {dense(2), dense(1)}, {1, 2}, "s8[2] 1 2"},
      {{2, 3}, {0, 1}, {}, {dense(2), rows({0, 1}, {1})}, {5}, segments},
      {{2}, {0}, {}, {rows({}, {})}, {5}, segments},
      {{2}, {0}, {}, {rows({0}, {0})}, {5}, segments},
      {{2}, {0}, {}, {rows({-1, 1}, {0})}, {5}, segment},
      {{2}, {0}, {}, {rows({0, 2}, {0})}, {5}, segment},
      {{2}, {0}, {}, {rows({1, 0}, {0})}, {5}, "s8[2] 0 0"},
      {{2}, {0}, {}, {rows({0, 1}, {2})}, {5}, shape},
      {{2}, {0}, {}, {rows({0, 1}, {-1})}, {5}, shape},
      {{2}, {0}, {}, {dense(3)}, {1, 2, 3}, shape},
      {{2}, {0}, {}, {dense(2)}, {1}, data},
      {{2}, {0}, {}, {dense(-1)}, {1}, size},
      {{2}, {0}, {}, {dense((int64_t{1} << 31) + 1)}, {1}, size},
      {{2}, {0}, {}, {dense(int64_t{1} << 31)}, {1}, data},
  });
}

}  // namespace
}  // namespace hlocc::tests
