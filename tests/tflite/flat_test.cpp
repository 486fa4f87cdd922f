// FlatBuffers that are read field by field: each length, offset and vtable just inside of the file,
// and just outside.
#include "tflite/flat.h"

#include <catch2/catch.hpp>

#include "import/tflite/import.h"
#include "support/budget.h"
#include "support/text.h"

namespace hlocc::tests {
namespace {

using import::tflite::FlatFile, import::tflite::FlatTable;

constexpr Field kFirst{0, "first"}, kSecond{1, "second"};

// A file whose root lies behind its vtable; both as they are given.
std::string file_of(const std::vector<uint16_t>& vtable, const std::string& fields) {
  const auto root = static_cast<uint32_t>(8 + 2 * vtable.size());
  std::string out = raw(root) + "TFL3";
  for (const uint16_t word : vtable) out += raw(word);
  return out + raw(static_cast<int32_t>(root - 8)) + fields;
}

// What is said after the root was opened and used.
template <typename Use>
std::string said_of(const std::string& bytes, Use use) {
  FlatFile file(import::as_bytes(bytes));
  const FlatTable root = file.root();
  use(root);
  if (!file.failure()) return "";
  const std::string malformed = "the TensorFlow Lite model is malformed: ";
  const std::string& said = file.failure()->message;
  return said.starts_with(malformed) ? said.substr(malformed.size()) : "elsewhere: " + said;
}
std::string said_of_root(const std::string& bytes) {
  return said_of(bytes, [](const FlatTable&) {});
}

TEST_CASE("roots of FlatBuffers lie within the file, and their vtables") {
  const std::string beyond = "its root lies beyond the end of the file";
  const std::string vtable = "its root has its vtable beyond the end of the file";
  const std::string size = "its root has a vtable of a wrong size";
  const std::string fields = "its root has fields beyond the end of the file";
  CHECK(said_of_root(std::string(7, '\0')) == beyond);
  CHECK(said_of_root(std::string(8, '\0')) == size);
  CHECK(said_of_root(raw(uint32_t{5}) + "TFL3") == beyond);
  CHECK(said_of_root(raw(uint32_t{9}) + "TFL3") == beyond);
  CHECK(said_of_root(file_of({4, 4}, "")) == "");
  CHECK(said_of_root(file_of({2, 4}, "")) == size);
  CHECK(said_of_root(file_of({3, 4}, "")) == size);
  CHECK(said_of_root(file_of({5, 4}, "")) == size);
  CHECK(said_of_root(file_of({8, 4}, "")) == "");
  CHECK(said_of_root(file_of({10, 4}, "")) == size);
  CHECK(said_of_root(file_of({4, 3}, "")) == fields);
  CHECK(said_of_root(file_of({4, 0}, "")) == fields);
  CHECK(said_of_root(file_of({4, 5}, "")) == fields);
  CHECK(said_of_root(file_of({4, 5}, "x")) == "");
  const auto with_vtable_at = [](int32_t from_root) {
    std::string bytes = file_of({4, 4}, "");
    bytes.replace(12, 4, raw(from_root));
    return said_of_root(bytes);
  };
  CHECK(with_vtable_at(13) == vtable);
  CHECK(with_vtable_at(14) == vtable);
  CHECK(with_vtable_at(-1) == vtable);
  CHECK(with_vtable_at(INT32_MIN) == vtable);
  CHECK(with_vtable_at(INT32_MAX) == vtable);
  // A vtable at the very beginning: of 8 bytes, for a table of 4.
  constexpr uint32_t kRoot = 4 << 16 | 8;
  std::string far(kRoot, '\0');
  far.replace(0, 8, raw(kRoot) + "TFL3");
  CHECK(said_of_root(far + raw(static_cast<int32_t>(kRoot))) == "");
}

TEST_CASE("fields of FlatBuffers lie within their tables") {
  const auto number = [](const std::vector<uint16_t>& vtable, const std::string& fields,
                         const Field& field = kFirst) {
    uint32_t value = 0;
    const std::string said = said_of(file_of(vtable, fields), [&](const FlatTable& root) {
      value = root.number<uint32_t>(field, 7);
      CHECK(root.has(field) == (value != 7 && value != 0));
    });
    return said.empty() ? std::to_string(value) : said;
  };
  const std::string nine = raw(uint32_t{9});
  CHECK(number({6, 8, 4}, nine) == "9");
  CHECK(number({4, 8}, nine) == "7");
  CHECK(number({6, 8, 4}, nine, kSecond) == "7");
  CHECK(number({8, 8, 0, 4}, nine) == "7");
  CHECK(number({8, 8, 0, 4}, nine, kSecond) == "9");
  const std::string outside = "first lies outside its table";
  const auto said_of_number = [](const std::vector<uint16_t>& vtable, const std::string& fields) {
    return said_of(file_of(vtable, fields),
                   [](const FlatTable& root) { root.number<uint32_t>(kFirst); });
  };
  CHECK(said_of_number({6, 7, 4}, nine) == outside);
  CHECK(said_of_number({6, 8, 3}, nine) == outside);
  CHECK(said_of_number({6, 8, 5}, nine) == outside);
  CHECK(said_of_number({6, 9, 5}, nine + "x") == "");
  CHECK(FlatTable().number<uint32_t>(kFirst, 5) == 5);
  CHECK_FALSE(FlatTable().has(kFirst));
  CHECK_FALSE(FlatTable().is_there());
}

TEST_CASE("vectors, texts and tables of FlatBuffers lie within the file") {
  const auto list = [](const std::string& vector) {
    std::string out;
    const std::string said = said_of(file_of({6, 8, 4}, vector), [&](const FlatTable& root) {
      for (const int32_t one : root.numbers<int32_t>(kFirst)) out += cat(one, " ");
    });
    return said.empty() ? out : said;
  };
  const std::string leads = "first leads beyond the end of the file";
  const auto at = [](uint32_t offset) { return raw(offset); };
  const std::string two = raw(uint32_t{2}) + raw(3) + raw(4);
  CHECK(list(at(4) + two) == "3 4 ");
  CHECK(list(at(4) + two + "x") == "3 4 ");
  CHECK(list(at(4) + raw(uint32_t{0})) == "");
  CHECK(list(at(4) + two.substr(0, 11)) ==
        "first has 2 elements, which reach beyond the end of the file");
  CHECK(list(at(4) + raw(UINT32_MAX)) ==
        "first has 4294967295 elements, which reach beyond the end of the file");
  CHECK(list(at(0) + two) == leads);
  CHECK(list(at(4)) == leads);
  CHECK(list(at(5) + raw(uint32_t{0})) == leads);
  CHECK(list(at(UINT32_MAX)) == leads);

  const auto text = [](size_t size) {
    const std::string letters(size, 'a');
    std::string out;
    const std::string said =
        said_of(file_of({6, 8, 4}, raw(uint32_t{4}) + raw(static_cast<uint32_t>(size)) + letters),
                [&](const FlatTable& root) { out = root.text(kFirst); });
    return said.empty() ? cat(out.size(), " letters") : said;
  };
  CHECK(text(0) == "0 letters");
  CHECK(text(65536) == "65536 letters");
  CHECK(text(65537) == "first is a text of 65537 bytes");

  const std::string inner = flat_file({flat_table(kFirst, {flat(kSecond, uint32_t{3})})});
  CHECK(said_of(inner, [](const FlatTable& root) {
          CHECK(root.table(kFirst).number<uint32_t>(kSecond) == 3);
          CHECK_FALSE(root.table(kSecond).is_there());
        }) == "");
  const std::string many = flat_file({flat_tables(kFirst, {{flat(kSecond, uint32_t{3})}, {}})});
  CHECK(said_of(many, [](const FlatTable& root) {
          const std::vector<FlatTable> tables = root.tables(kFirst);
          REQUIRE(tables.size() == 2);
          CHECK(tables[1].path() == "first[1]");
          CHECK(tables[0].number<uint32_t>(kSecond) == 3);
          tables[0].fail(kSecond, "is wrong");
          tables[1].fail(kSecond, "is wrong too");
          CHECK(tables[0].number<uint32_t>(kSecond) == 0);
        }) == "first[0].second is wrong");
}

TEST_CASE("numbers of FlatBuffers are counted against the budget, bytes stay where they are") {
  constexpr uint32_t kBytes = 1 << 20;
  const auto with = [](uint32_t count, uint32_t width) {
    return file_of({6, 8, 4}, raw(uint32_t{4}) + raw(count) + std::string(count * width, 'a'));
  };
  const auto of = [](const std::string& bytes, auto read, int64_t memory = 1 << 20) {
    Budget budget({.memory = memory});
    const BudgetScope scope(&budget);
    FlatFile file(import::as_bytes(bytes));
    const size_t size = read(file.root()).size();
    return cat(size, file.failure() ? " failed" : "");
  };
  const auto words = [](const FlatTable& root) { return root.numbers<uint16_t>(kFirst); };
  const auto bytes = [](const FlatTable& root) { return root.bytes(kFirst); };
  CHECK(of(with(1024, 2), words) == "1024");
  CHECK(of(with(kBytes / 2, 2), words) == "0 failed");
  CHECK(of(with(kBytes, 1), bytes) == cat(kBytes));
  const auto text = [](const FlatTable& root) { return root.text(kFirst); };
  CHECK(of(with(1 << 15, 1), text) == cat(1 << 15));
  CHECK(of(with(1 << 15, 1), text, 1 << 15) == "0 failed");
}

}  // namespace
}  // namespace hlocc::tests
