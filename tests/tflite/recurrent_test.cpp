// SVDF and UNIDIRECTIONAL_SEQUENCE_LSTM of TensorFlow Lite, whose states are results behind the
// model's own; each on both sides of what it is refused for.
#include "tflite/node.h"

namespace hlocc::tests {
namespace {

Literal state_of(PrimitiveType type, const Dimensions& sizes, std::vector<double> values) {
  return counted_literal(type, sizes, std::move(values));
}

struct SvdfRow {
  NodeTensor from, features, time, bias, state, to;
  std::string answer;
  int32_t rank = 1;
  int8_t activation = 1;
  std::vector<Literal> held = {};
};

NodeRow row_of(const SvdfRow& s) {
  using Fields = schema::SvdfOptions;
  return {"SVDF",
          {flat(Fields::rank, s.rank), flat(Fields::activation, s.activation)},
          {s.from, s.features, s.time, s.bias, s.state},
          {s.to},
          s.answer,
          {},
          s.held};
}
void check_svdf(const std::vector<SvdfRow>& rows) {
  std::vector<NodeRow> all;
  for (const SvdfRow& row : rows) all.push_back(row_of(row));
  check_nodes(all);
}

TEST_CASE("TFLite's SVDF of reals weighs what it remembers") {
  const NodeTensor a = x({1, 2}, {1, 2}), unit = constant(kF32, {2, 2}, {1, 0, 0, 1});
  const NodeTensor time = constant(kF32, {2, 2}, {1, 10, 2, 20}), to = y({1, 2});
  const NodeTensor state = variable(kF32, {1, 4}), bias = constant(kF32, {2}, {-20, 3});
  const std::string sizes = "!weights of sizes that do not fit";
  const std::vector<Literal> held = {state_of(kF32, {1, 4}, {5, 6, 7, 8})};
  check_svdf({
      {a, unit, time, none, state, to, "f32[1,2] 10 40; f32[1,4] 0 1 0 2"},
      {a, unit, time, none, state, to, "f32[1,2] 16 56; f32[1,4] 6 1 8 2", 1, 1, held},
      {a, unit, time, bias, state, to, "f32[1,2] 0 43; f32[1,4] 0 1 0 2"},
      {a, unit, time, bias, state, to, "f32[1,2] -10 43; f32[1,4] 0 1 0 2", 1, 0},
      {a, unit, time, none, state, y({1, 1}), "f32[1,1] 50; f32[1,4] 0 1 0 2", 2},
      {a, unit, constant(kF32, {2, 1}, {3, 5}), none, variable(kF32, {1, 2}), to,
       "f32[1,2] 3 10; f32[1,2] 1 2"},
      {a, unit, time, none, state, to, sizes, 0},
      {a, unit, time, none, state, to, sizes, -1},
      {a, unit, time, none, state, to, sizes, 3},
      {x({1, 3}), unit, time, none, state, to, sizes},
      {a, unit, constant(kF32, {1, 2}, {1, 10}), none, state, to, sizes},
      {a, unit, constant(kF32, {2, 0}, {}), none, state, to, sizes},
      {a, unit, time, none, variable(kF32, {1, 5}), to, "!a state of another size"},
      {a, unit, time, none, x({1, 4}), to, "!operand 4 is no variable"},
      {a, unit, time, none, none, to, "!has no state"},
      {a, unit, n({1}), none, state, to, "!operand 2 (\"i2\") has 1 dimensions, not 2"},
      {a, unit, constant(kS32, {2, 2}, {1, 10, 2, 20}), none, state, to,
       no_kernel + "(FLOAT32, FLOAT32, INT32, FLOAT32) -> FLOAT32"},
      {a, unit, time, none, state, to, "!the fused activation 5", 1, 5},
  });
  check_nodes(
      {{"SVDF", {flat(schema::SvdfOptions::rank, 1)}, {a, unit, time}, {to}, "!has no state"}});
}

TEST_CASE("TFLite's SVDF of bytes") {
  const auto q = [](int64_t zero) {
    return given(kS8, {1, 2}, {1. + static_cast<double>(zero), 2. + static_cast<double>(zero)}, 1,
                 zero);
  };
  const auto matrix = [](PrimitiveType type, const std::vector<double>& values, int64_t zero = 0) {
    return scaled(constant(type, {2, 2}, values), 1, zero);
  };
  const NodeTensor unit = matrix(kS8, {1, 0, 0, 1}), time = matrix(kS16, {1, 10, 2, 20});
  const NodeTensor time8 = matrix(kS8, {1, 10, 2, 20}), to = gives(kS8, {1, 2}, 2);
  const NodeTensor state = variable(kS16, {1, 4}, 1), state8 = variable(kS8, {1, 4}, 1, 3);
  const std::string zero = "!weights with a zero point";
  const auto types = [](const std::string& list) { return no_kernel + list; };
  check_svdf({
      {q(0), unit, time, none, state, to, "s8[1,2] 5 20; s16[1,4] 0 1 0 2"},
      {q(0), unit, time, n({2, 4}), state, to, "s8[1,2] 6 22; s16[1,4] 0 1 0 2"},
      {q(3), unit, time, none, state, to, "s8[1,2] 5 20; s16[1,4] 0 1 0 2"},
      // Words begin as 0, 3 below their zero point.
      {q(0), unit, time, none, variable(kS16, {1, 4}, 1, 3), to, "s8[1,2] 4 17; s16[1,4] 0 4 0 5"},
      // The state begins as its zero point, and is stored as what differs from it: 3 is 0.
      {q(0), unit, time8, none, state8, to, "s8[1,2] 5 20; s8[1,4] 0 7 0 6"},
      {q(0), unit, time, none, state, to, "!an activation that is not relu", 1, 0},
      {q(0), unit, time, none, state8, to, types("(INT8, INT8, INT16, INT8) -> INT8")},
      {q(0), unit, time8, none, state, to, types("(INT8, INT8, INT8, INT16) -> INT8")},
      {q(0), unit, time, constant(kS64, {2}, {1, 1}), state, to,
       types("(INT8, INT8, INT16, INT64, INT16) -> INT8")},
      {q(0), unit, time, none, state, gives(kS16, {1, 2}, 1),
       types("(INT8, INT8, INT16, INT16) -> INT16")},
      {q(0), constant(kF32, {2, 2}, {1, 0, 0, 1}), time, none, state, to,
       types("(INT8, FLOAT32, INT16, INT16) -> INT8")},
      {x({1, 2}), unit, time, none, state, to, types("(FLOAT32, INT8, INT16, INT16) -> INT8"), 1,
       0},
      {q(0), unit, constant(kS32, {2, 2}, {1, 0, 0, 1}), none, state, to,
       types("(INT8, INT8, INT32, INT16) -> INT8"), 1, 0},
      {q(0), matrix(kS8, {1, 0, 0, 1}, 1), time, none, state, to, zero},
      {q(0), unit, matrix(kS16, {1, 10, 2, 20}, 1), none, state, to, zero},
      {q(0), scaled(given(kS8, {2, 2}), 1), time, none, state, to,
       "!weights that are computed when the model runs"},
      {q(0), unit, time, none, variable(kS16, {1, 4}), to, "!\"i4\" has no scale"},
  });
}

// The operands of one unit over two steps; gates begin as the biases say, since weights are 0.
struct LstmRow {
  PrimitiveType type = kF32;
  float cell_scale = 0x1p-11f, clip = 0;
  bool time_major = false;
  int64_t steps = 2;
};

std::vector<NodeTensor> lstm_operands(const LstmRow& l) {
  const bool is_float = l.type == kF32;
  const float scale = is_float ? 0 : 0x1p-6f;
  const double high = is_float ? 100 : 32767;
  const Dimensions sizes = l.time_major ? L{l.steps, 1, 1} : L{1, l.steps, 1};
  std::vector<NodeTensor> out = {given(l.type, sizes, {}, scale)};
  for (int i = 0; i < 8; ++i) out.push_back(scaled(constant(l.type, {1, 1}, {0}), scale));
  for (int i = 0; i < 3; ++i) out.push_back(none);
  for (const double bias : {0., 0., high, high})
    out.push_back(constant(is_float ? kF32 : kS32, {1}, {bias}));
  for (int i = 0; i < 2; ++i) out.push_back(none);
  out.push_back(variable(l.type, {1, 1}, is_float ? 0 : 0x1p-7f));
  out.push_back(variable(is_float ? kF32 : kS16, {1, 1}, is_float ? 0 : l.cell_scale));
  for (int i = 0; i < 4; ++i) out.push_back(none);
  return out;
}

NodeRow lstm(const LstmRow& l, const std::string& answer, int changed = -1,
             const NodeTensor& with = none) {
  using Fields = schema::SequenceLstmOptions;
  NodeRow row{"UNIDIRECTIONAL_SEQUENCE_LSTM",
              {flat(Fields::activation, int8_t{4}), flat(Fields::cell_clip, l.clip),
               flat(Fields::time_major, static_cast<uint8_t>(l.time_major))},
              lstm_operands(l),
              {gives(l.type, l.time_major ? L{l.steps, 1, 1} : L{1, l.steps, 1},
                     l.type == kF32 ? 0 : 0x1p-7f)},
              answer};
  if (changed >= 0) row.operands[static_cast<size_t>(changed)] = with;
  return row;
}

// "no kernel" of all operands that are there, one of them of another type.
std::string lstm_types(const LstmRow& l, int changed, const std::string& to,
                       const std::string& result) {
  std::string list;
  const std::vector<NodeTensor> operands = lstm_operands(l);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].kind == NodeTensor::kNone) continue;
    const PrimitiveType type = operands[i].value.type();
    const char* name = type == kF32   ? "FLOAT32"
                       : type == kS8  ? "INT8"
                       : type == kS16 ? "INT16"
                                      : "INT32";
    list += cat(list.empty() ? "" : ", ", static_cast<int>(i) == changed ? to : name);
  }
  return cat(no_kernel, "(", list, ") -> ", result);
}

TEST_CASE("TFLite's LSTM of reals: gates of a half, cells of a half and of three quarters") {
  const LstmRow l;
  const std::string sizes = "!weights of sizes that do not fit";
  const std::string lacks = "!lacks weights or a state",
                    gates = "!gates that lack weights or biases";
  const NodeTensor weight = constant(kF32, {1, 1}, {0}), bias = constant(kF32, {1}, {0});
  const NodeTensor bytes_of_weight = constant(kS8, {1, 1}, {0});
  check_nodes({
      lstm(l, "f32[1,2,1] 0.462117 0.635149; f32[1,1] 0.635149; f32[1,1] 0.75"),
      lstm({.time_major = true}, "f32[2,1,1] 0.462117 0.635149; f32[1,1] 0.635149; f32[1,1] 0.75"),
      lstm({.clip = .6f}, "f32[1,2,1] 0.462117 0.53705; f32[1,1] 0.53705; f32[1,1] 0.6"),
      lstm({.steps = 1}, "f32[1,1,1] 0.462117; f32[1,1] 0.462117; f32[1,1] 0.5"),
      lstm({.steps = 0}, lstm_types(l, -1, "", "FLOAT32")),
      lstm(l, lstm_types(l, 0, "INT16", "FLOAT32"), 0, given(kS16, {1, 2, 1})),
      lstm(l, "!operand 0 (\"i0\") has 2 dimensions, not 3", 0, x({1, 2})),
      lstm(l, lacks, 5),
      lstm(l, lacks, 18),
      lstm(l, lacks, 19),
      lstm(l, gates, 1),
      lstm(l, gates, 8),
      lstm(l, gates, 15),
      lstm(l, sizes, 2, constant(kF32, {1, 2}, {0, 0})),
      lstm(l, sizes, 6, constant(kF32, {2, 1}, {0, 0})),
      lstm(l, sizes, 13, constant(kF32, {2}, {0, 0})),
      lstm(l, lstm_types(l, 2, "INT8", "FLOAT32"), 2, bytes_of_weight),
      lstm(l, lstm_types(l, 6, "INT8", "FLOAT32"), 6, bytes_of_weight),
      lstm(l, lstm_types(l, 13, "INT32", "FLOAT32"), 13, n({0})),
      lstm(l, "!weights that are computed when the model runs", 2, x({1, 1})),
      lstm(l, "!peepholes", 9, bias),
      lstm(l, "!peepholes", 11, bias),
      lstm(l, "!a projection", 16, weight),
      lstm(l, "!a projection", 17, bias),
      lstm(l, "!layer normalisation", 20, bias),
      lstm(l, "!layer normalisation", 23, bias),
      lstm(l, "!states of another size", 18, variable(kF32, {1, 2})),
      lstm(l, "!states of another size", 19, variable(kF32, {2, 1})),
      lstm(l, "!operand 19 is no variable", 19, x({1, 1})),
      lstm({.steps = 1}, "!tensor \"i0\" has 8 bytes for its shape f32[1,1,1]", 0,
           numbered(constant(kS64, {1, 1, 1}, {0}), 0)),
  });
}

TEST_CASE("TFLite's LSTM of bytes takes cells whose scale is a power of two") {
  const LstmRow l = {.type = kS8};
  const auto cell = [](float scale, const std::string& answer) {
    return lstm({.type = kS8, .cell_scale = scale}, answer);
  };
  const auto weight = [](int64_t zero) { return scaled(constant(kS8, {1, 1}, {0}), 1, zero); };
  const std::string power = "!a cell state whose scale is no power of two";
  const std::string weights = "!weights with a zero point, or with scales by channel";
  NodeRow channels = lstm(l, weights, 0, given(kS8, {1, 2, 2}, {}, 0x1p-6f));
  for (size_t i = 1; i < 5; ++i)
    channels.operands[i] = by_channel(constant(kS8, {1, 2}, {0, 0}), {1, 2}, 1);
  // All of words but what is kept, and what comes of it.
  const LstmRow of_words = {.type = kS16};
  NodeRow wide =
      lstm(of_words, lstm_types(of_words, 18, "INT8", "INT8"), 18, variable(kS8, {1, 1}, 0x1p-7f));
  wide.results = {gives(kS8, {1, 2, 1}, 0x1p-7f)};
  NodeRow words = lstm(l, lstm_types(l, -1, "", "INT16"));
  words.results = {gives(kS16, {1, 2, 1}, 1)};
  NodeRow reals = words;
  reals.results = {y({1, 2, 1})};
  reals.answer = lstm_types(l, -1, "", "FLOAT32");
  check_nodes({
      lstm(l, "s8[1,2,1] 59 81; s8[1,1] 81; s16[1,1] 1536"),
      lstm({.type = kS8, .clip = .6f}, "s8[1,2,1] 59 69; s8[1,1] 69; s16[1,1] 1228"),
      cell(0x1p-12f, "s8[1,2,1] 59 81; s8[1,1] 81; s16[1,1] 3072"),
      cell(0x1p-13f, "s8[1,2,1] 59 81; s8[1,1] 81; s16[1,1] 6144"),
      cell(8, "s8[1,2,1] 0 0; s8[1,1] 0; s16[1,1] 0"),
      cell(16, power),
      // A cell of 2^-11 at most: nothing of it is seen.
      cell(0x1p-26f, "s8[1,2,1] 0 0; s8[1,1] 0; s16[1,1] 32767"),
      cell(0x1p-27f, power),
      cell(.3f, power),
      lstm(l, power, 19, variable(kS16, {1, 1}, 0x1p-11f, 1)),
      lstm(l, power, 19, variable(kS8, {1, 1}, 0x1p-11f)),
      lstm(l, power, 19, variable(kF32, {1, 1}, 0x1p-11f)),
      lstm(l, "!\"i19\" has no scale", 19, variable(kS16, {1, 1})),
      lstm(l, lstm_types(l, 18, "INT16", "INT8"), 18, variable(kS16, {1, 1}, 1)),
      lstm(l, weights, 2, weight(1)),
      lstm(l, weights, 6, weight(1)),
      channels,
      wide,
      lstm(l, lstm_types(l, 13, "FLOAT32", "INT8"), 13, constant(kF32, {1}, {0})),
      words,
      reals,
  });
}

}  // namespace
}  // namespace hlocc::tests
