// Tensors of ONNX files: types by their numbers, lists and raw bytes, sparse ones, and files beside
// the model, with each bound on both sides.
#include <fcntl.h>
#include <unistd.h>

#include <filesystem>

#include "onnx/models.h"
#include "support/budget.h"
#include "support/temporary_folder.h"

namespace hlocc::tests {
namespace {

namespace fs = std::filesystem;

// The tensor of these fields as the model's only result.
std::string tensor_told(const std::string& fields, const std::string& folder = "") {
  return told(model_with(nodes_of({{"Identity", {"w"}, {"y"}}}) +
                         text_field(5, text_field(8, "w") + fields) + results_of({"y"})),
              {}, folder);
}

TEST_CASE("ONNX tensors of types that HLO lacks are refused by their names") {
  const auto of_type = [](int64_t type) {
    return tensor_told(number_field(1, 0) + number_field(2, static_cast<uint64_t>(type)));
  };
  const auto lacks = [](const std::string& name) {
    return "!graph.initializer[0].data_type: tensor \"w\" has elements of " + name +
           ", which HLO lacks";
  };
  CHECK(of_type(1) == "f32[0]");
  CHECK(of_type(0) == lacks("UNDEFINED"));
  CHECK(of_type(8) == lacks("STRING"));
  CHECK(of_type(24) == lacks("type 24"));
  CHECK(of_type(25) == lacks("type 25"));
  CHECK(of_type(-1) == lacks("type -1"));
  CHECK(of_type(-2) == lacks("type -2"));
}

TEST_CASE("ONNX tensors have their elements in the list of their type") {
  const auto bytes = [](std::initializer_list<int> values) {
    std::string out;
    for (const int value : values) out += static_cast<char>(value);
    return out;
  };
  const auto of = [](uint64_t type, uint64_t count, const std::string& data) {
    return tensor_told(number_field(1, count) + number_field(2, type) + data);
  };
  CHECK(of(7, 2, number_field(7, 5) + number_field(7, 6)) == "s64[2] 5 6");
  CHECK(of(7, 2, text_field(7, bytes({5, 6}))) == "s64[2] 5 6");
  CHECK(of(13, 2, number_field(11, 5) + number_field(11, 6)) == "u64[2] 5 6");
  CHECK(of(12, 2, number_field(11, 5) + number_field(11, 6)) == "u32[2] 5 6");
  CHECK(of(6, 2, number_field(5, 5) + number_field(5, static_cast<uint64_t>(-6))) == "s32[2] 5 -6");
  CHECK(of(9, 2, number_field(5, 0) + number_field(5, 7)) == "pred[2] 0 1");
  CHECK(of(9, 2, text_field(9, bytes({0, 7}))) == "pred[2] 0 1");
  CHECK(of(3, 3, text_field(9, bytes({1, 2, 255}))) == "s8[3] 1 2 -1");
  CHECK(of(22, 3, text_field(9, bytes({0xf2, 0x03}))) == "s4[3] 2 -1 3");
  CHECK(of(21, 3, number_field(5, 0xf2) + number_field(5, 3)) == "u4[3] 2 15 3");
  const std::string place = "!graph.initializer[0] (tensor \"w\") has ";
  CHECK(of(7, 2, number_field(7, 5)) == place + "1 elements for its shape s64[2]");
  CHECK(of(6, 2, number_field(5, 5)) == place + "1 elements for its shape s32[2]");
  CHECK(of(3, 3, text_field(9, "ab")) == place + "2 bytes for its shape s8[3]");
  CHECK(of(22, 3, text_field(9, "a")) == place + "1 bytes for its shape s4[3]");
  CHECK(of(22, 3, text_field(9, "abc")) == place + "3 bytes for its shape s4[3]");
  CHECK(of(7, 2, text_field(7, "\x05\x86")) ==
        "!graph.initializer[0].int64_data is no field of its type: the file is damaged");
}

TEST_CASE("ONNX tensors lie in the file or beside it") {
  const std::string data = number_field(1, 0) + number_field(2, 1);
  CHECK(tensor_told(data + number_field(14, 0)) == "f32[0]");
  CHECK(tensor_told(data + number_field(14, 1)) ==
        "!graph.initializer[0].external_data names no location");
  CHECK(tensor_told(data + number_field(14, 2)) == "!graph.initializer[0].data_location is 2");
  CHECK(tensor_told(data + number_field(14, static_cast<uint64_t>(-1))) ==
        "!graph.initializer[0].data_location is -1");
  CHECK(tensor_told(data + text_field(3, "")) ==
        "!graph.initializer[0].segment is a part of a tensor, which no reader takes");
}

// A sparse array of 2 x 3 numbers: how the indices are shaped, and what they are.
std::string sparse_told(const std::vector<double>& values, PrimitiveType type,
                        const Dimensions& shape, const std::vector<double>& indices,
                        const Dimensions& sizes = {2, 3}) {
  std::string sparse =
      text_field(
          1, tensor_of("w", literal_from(kF32, {static_cast<int64_t>(values.size())}, values))) +
      text_field(2, tensor_of("", literal_from(type, shape, indices)));
  for (const int64_t size : sizes) sparse += number_field(3, static_cast<uint64_t>(size));
  return told(model_with(nodes_of({{"Identity", {"w"}, {"y"}}}) + text_field(15, sparse) +
                         results_of({"y"})));
}

TEST_CASE("ONNX sparse tensors have a flat index for each number, or one of each dimension") {
  const std::string at = "!graph.sparse_initializer[0].indices ",
                    beyond = at + "leads beyond the shape";
  CHECK(sparse_told({7, 8}, kS64, {2}, {0, 5}) == "f32[2,3] 7 0 0 0 0 8");
  CHECK(sparse_told({7, 8}, kS64, {2, 2}, {0, 0, 1, 2}) == "f32[2,3] 7 0 0 0 0 8");
  CHECK(sparse_told({7, 8}, kS64, {2, 2}, {0, 1, 1, 0}) == "f32[2,3] 0 7 0 8 0 0");
  CHECK(sparse_told({}, kS64, {0}, {}) == "f32[2,3] 0 0 0 0 0 0");
  CHECK(sparse_told({}, kS64, {0, 2}, {}) == "f32[2,3] 0 0 0 0 0 0");
  CHECK(sparse_told({7}, kS64, {1}, {-1}) == beyond);
  CHECK(sparse_told({7}, kS64, {1}, {-2}) == beyond);
  CHECK(sparse_told({7}, kS64, {1}, {6}) == beyond);
  CHECK(sparse_told({7}, kS64, {1}, {7}) == beyond);
  CHECK(sparse_told({7}, kS64, {1, 2}, {0, 3}) == beyond);
  CHECK(sparse_told({7}, kS64, {1, 2}, {1, -1}) == beyond);
  CHECK(sparse_told({7}, kS64, {1, 2}, {1, -2}) == beyond);
  CHECK(sparse_told({7}, kS64, {1, 2}, {2, 0}) == beyond);
  CHECK(sparse_told({7}, kS64, {1, 2}, {-1, 3}) == beyond);
  CHECK(sparse_told({7}, kS32, {1}, {0}) == at + "has the shape s32[1] for 1 values");
  CHECK(sparse_told({7, 8}, kS64, {1}, {0}) == at + "has the shape s64[1] for 2 values");
  CHECK(sparse_told({7}, kS64, {1, 1}, {0}) == at + "has the shape s64[1,1] for 1 values");
  CHECK(sparse_told({7}, kS64, {1, 3}, {0, 0, 0}) == at + "has the shape s64[1,3] for 1 values");
  // Of one dimension both are lists.
  CHECK(sparse_told({7}, kS64, {1, 1}, {2}, {3}) == "f32[3] 0 0 7");
}

class Folder {
 public:
  Folder() {
    folder_.write("data", "abcdefgh");
    folder_.write("inner/data", "xy");
    folder_.write("empty", "");
    fs::create_symlink("data", fs::path(path()) / "link");
  }
  const std::string& path() const { return folder_.path(); }

 private:
  tests::TemporaryFolder folder_;
};

// A tensor of so many bytes in a file; keys and values of where in it.
std::string external_told(const std::string& folder, int64_t count,
                          const std::vector<std::pair<std::string, std::string>>& where) {
  std::string fields =
      number_field(1, static_cast<uint64_t>(count)) + number_field(2, 3) + number_field(14, 1);
  for (const auto& [key, value] : where)
    fields += text_field(13, text_field(1, key) + text_field(2, value));
  return tensor_told(fields, folder);
}

TEST_CASE("ONNX tensors beside the model are parts of files") {
  const Folder folder;
  const auto of = [&](int64_t count, const std::string& location, const std::string& offset = "",
                      const std::string& length = "") {
    std::vector<std::pair<std::string, std::string>> where = {{"location", location}};
    if (!offset.empty()) where.emplace_back("offset", offset);
    if (!length.empty()) where.emplace_back("length", length);
    const std::string answer = external_told(folder.path(), count, where);
    const std::string place =
        "!graph.node[0] (Identity \"y\", opset 18): the data of tensor \"w\" "
        "(graph.initializer[0]): ";
    return answer.starts_with(place) ? "!" + answer.substr(place.size()) : answer;
  };
  CHECK(of(1, "data", "0", "1") == "s8[1] 97");
  CHECK(of(8, "data") == "s8[8] 97 98 99 100 101 102 103 104");
  CHECK(of(2, "inner/data") == "s8[2] 120 121");
  CHECK(of(2, "data", "6") == "s8[2] 103 104");
  CHECK(of(2, "data", "0", "2") == "s8[2] 97 98");
  CHECK(of(2, "data", "6", "2") == "s8[2] 103 104");
  CHECK(of(0, "data", "8") == "s8[0]");
  CHECK(of(0, "data", "8", "0") == "s8[0]");
  CHECK(of(0, "empty") == "s8[0]");
  CHECK(of(1, "data", "8") ==
        "!graph.initializer[0] (tensor \"w\") has 0 bytes for its shape s8[1]");
  CHECK(of(8, "data", "0", "0") ==
        "!graph.initializer[0] (tensor \"w\") has 0 bytes for its shape s8[8]");
  CHECK(of(1, "data", "9") == "!\"data\" has 8 bytes, not -1 behind 9");
  CHECK(of(3, "data", "6", "3") == "!\"data\" has 8 bytes, not 3 behind 6");
  CHECK(of(9, "data", "0", "9") == "!\"data\" has 8 bytes, not 9 behind 0");
  const std::string number = "!graph.initializer[0].external_data: ";
  CHECK(of(1, "data", "-1") == number + "offset is \"-1\"");
  CHECK(of(1, "data", "x") == number + "offset is \"x\"");
  CHECK(of(1, "data", "1 ") == number + "offset is \"1 \"");
  CHECK(of(1, "data", "99999999999999999999") == number + "offset is \"99999999999999999999\"");
  CHECK(of(1, "data", "0", "-1") == number + "length is \"-1\"");
  const std::string no_path = " is no path within the model's folder",
                    link = " is, or lies behind, a link";
  CHECK(of(1, "") == "!\"\"" + no_path);
  CHECK(of(1, folder.path() + "/data") == "!\"" + folder.path() + "/data\"" + no_path);
  CHECK(of(1, std::string("da\0ta", 5)) == "!\"" + std::string("da\0ta", 5) + "\"" + no_path);
  CHECK(of(1, "../data") == "!\"../data\" leads out of the model's folder");
  CHECK(of(1, "inner/../data") == "!\"inner/../data\" leads out of the model's folder");
  CHECK(of(1, "link") == "!\"link\"" + link);
  CHECK(of(1, "inner") == "!\"inner\" is no regular file");
  CHECK(of(1, "none") == "!cannot be read: No such file or directory");
  CHECK(
      external_told("", 1, {{"location", "data"}}) ==
      "!graph.node[0] (Identity \"y\", opset 18): the data of tensor \"w\" (graph.initializer[0]): "
      "\"data\" is a file beside the model");
}

// The sum of tensors of eight bytes, each in a file beside the model.
std::string sum_of_files(const char* first, const char* second) {
  const auto tensor = [](const char* name, const char* file) {
    return text_field(5, text_field(8, name) + number_field(1, 8) + number_field(2, 3) +
                             number_field(14, 1) +
                             text_field(13, text_field(1, "location") + text_field(2, file)));
  };
  return model_with(nodes_of({{"Add", {"v", "w"}, {"y"}}}) + tensor("v", first) +
                    tensor("w", second) + results_of({"y"}));
}

TEST_CASE("a file beside the model counts once as input, however many tensors are in it") {
  const TemporaryFolder folder;
  folder.write("data", "abcdefgh");
  folder.write("more", "abcdefgh");
  const auto memory_of = [&](const char* second) {
    Budget budget;
    const BudgetScope scope(&budget);
    CHECK(told(sum_of_files("data", second), {}, folder.path()) ==
          "s8[8] -62 -60 -58 -56 -54 -52 -50 -48");
    return budget.memory_limit();
  };
  Budget once, twice;
  once.add_input(8);
  twice.add_input(8);
  twice.add_input(8);
  CHECK(memory_of("data") == once.memory_limit());
  CHECK(memory_of("more") == twice.memory_limit());
}

TEST_CASE("a file beside the model may be the descriptor of a closed standard input") {
  const TemporaryFolder folder;
  folder.write("data", "abcdefgh");
  const int kept = dup(0);
  close(0);
  const std::string answer = told(sum_of_files("data", "data"), {}, folder.path());
  const bool is_closed = fcntl(0, F_GETFD) < 0;
  if (kept >= 0) {
    dup2(kept, 0);
    close(kept);
  }
  CHECK(answer == "s8[8] -62 -60 -58 -56 -54 -52 -50 -48");
  CHECK(is_closed);
}

TEST_CASE("a file beside the model has no more bytes than an array") {
  const TemporaryFolder folder;
  folder.write("data", "");
  const auto of_bytes = [&](int64_t count) {
    fs::resize_file(fs::path(folder.path()) / "data", static_cast<uintmax_t>(count));
    Budget budget({.memory = 1 << 20});
    const BudgetScope scope(&budget);
    const std::string answer = external_told(folder.path(), 1, {{"location", "data"}});
    return answer.find("is larger than 2147483648 bytes") != std::string::npos;
  };
  // What an array may have is more than this budget.
  CHECK_FALSE(of_bytes(int64_t{1} << 31));
  CHECK(of_bytes((int64_t{1} << 31) + 1));
}

TEST_CASE("the files beside a model are named once each") {
  const auto external = [](const std::string& name, bool is_external, const std::string& location) {
    const std::string where =
        location.empty() ? "" : text_field(13, text_field(1, "location") + text_field(2, location));
    return text_field(8, name) + number_field(1, 0) + number_field(2, 1) + where +
           number_field(14, is_external ? 1 : 0);
  };
  const std::string sparse = text_field(1, external("s", true, "c")) +
                             text_field(2, external("", true, "d")) + number_field(3, 0);
  const std::string inner = text_field(2, "inner") + text_field(5, external("i", true, "e"));
  const std::string attributes =
      text_field(5, text_field(1, "value") + text_field(5, external("", true, "f")) +
                        number_field(20, 4)) +
      text_field(5, text_field(1, "sparse") + text_field(22, sparse) + number_field(20, 11)) +
      text_field(5, text_field(1, "body") + text_field(6, inner) + number_field(20, 5));
  const std::string function =
      text_field(1, "f") + text_field(10, "my") +
      text_field(
          7,
          node_of({"Constant",
                   {},
                   {"c"},
                   text_field(5, text_field(1, "value") + text_field(5, external("", true, "g")) +
                                     number_field(20, 4))}));
  const std::string bytes = model_with(
      nodes_of({{"Op", {}, {"y"}, attributes}}) + text_field(5, external("a", true, "b")) +
          text_field(5, external("b", true, "a")) + text_field(5, external("c", true, "b")) +
          text_field(5, external("d", false, "z")) + text_field(5, external("e", true, "")) +
          text_field(15, sparse),
      text_field(25, function));
  CHECK(import::onnx::data_files(import::as_bytes(bytes)) ==
        Texts{"a", "b", "c", "d", "e", "f", "g"});
}

}  // namespace
}  // namespace hlocc::tests
