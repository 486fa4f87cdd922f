// FlatBuffers as a test writes them: tables of fields, each a number, a vector or what an offset
// leads to; and FlexBuffers' maps of numbers, which options of custom operators are.
#pragma once
#include <cstring>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "import/tflite/flatbuffer.h"
#include "import/tflite/schema.h"

namespace hlocc::tests {

namespace schema = import::tflite::schema;
using import::tflite::Field;

template <typename T>
std::string raw(T value) {
  std::string out(sizeof value, '\0');
  std::memcpy(out.data(), &value, sizeof value);
  return out;
}

struct FlatField;
using FlatFields = std::vector<FlatField>;

// A field of a FlatBuffer's table: a number where it stands, or what an offset leads to.
struct FlatField {
  enum Kind { kNumber, kVector, kTable, kTables };
  int id;
  Kind kind;
  std::string bytes = {};  // of a number, or of a vector behind its length
  std::vector<FlatFields> tables = {};
};

template <typename T>
FlatField flat(Field field, T value) {
  return {field.id, FlatField::kNumber, raw(value)};
}
template <typename T>
FlatField flat_list(Field field, const std::vector<int64_t>& values) {
  std::string bytes = raw(static_cast<uint32_t>(values.size()));
  for (const int64_t value : values) bytes += raw(static_cast<T>(value));
  return {field.id, FlatField::kVector, bytes};
}
inline FlatField flat_bytes(Field field, const std::string& bytes) {
  return {field.id, FlatField::kVector, raw(static_cast<uint32_t>(bytes.size())) + bytes};
}
inline FlatField flat_table(Field field, FlatFields table) {
  return {field.id, FlatField::kTable, {}, {std::move(table)}};
}
inline FlatField flat_tables(Field field, std::vector<FlatFields> tables) {
  return {field.id, FlatField::kTables, {}, std::move(tables)};
}

// Where an offset stands is told how far away the end of the file is, where its target begins.
inline void aim(std::string& file, size_t at) {
  const std::string offset = raw(static_cast<uint32_t>(file.size() - at));
  file.replace(at, 4, offset);
}

// Puts the table, its vtable in front and what it leads to behind, at the end of the file; `from`
// is the offset to it.
inline void put_table(std::string& file, size_t from, const FlatFields& fields) {
  int last = -1;
  for (const FlatField& field : fields) last = std::max(last, field.id);
  std::vector<uint16_t> places(static_cast<size_t>(last + 1), 0);
  uint16_t size = 4;
  for (const FlatField& field : fields) {
    places[static_cast<size_t>(field.id)] = size;
    size += static_cast<uint16_t>(field.kind == FlatField::kNumber ? field.bytes.size() : 4);
  }
  const auto vtable = static_cast<uint16_t>(4 + 2 * places.size());
  file += raw(vtable) + raw(size);
  for (const uint16_t place : places) file += raw(place);
  aim(file, from);
  const size_t at = file.size();
  file += raw(static_cast<int32_t>(vtable));
  for (const FlatField& field : fields)
    file += field.kind == FlatField::kNumber ? field.bytes : raw(0);
  for (const FlatField& field : fields) {
    const size_t own = at + places[static_cast<size_t>(field.id)];
    if (field.kind == FlatField::kTable) put_table(file, own, field.tables[0]);
    if (field.kind == FlatField::kNumber || field.kind == FlatField::kTable) continue;
    aim(file, own);
    if (field.kind == FlatField::kVector) file += field.bytes;
    if (field.kind == FlatField::kVector) continue;
    file += raw(static_cast<uint32_t>(field.tables.size()));
    const size_t offsets = file.size();
    file += std::string(4 * field.tables.size(), '\0');
    for (size_t i = 0; i < field.tables.size(); ++i)
      put_table(file, offsets + 4 * i, field.tables[i]);
  }
}

// A file of which the table is the root.
inline std::string flat_file(const FlatFields& root) {
  std::string file = raw(uint32_t{0}) + "TFL3";
  put_table(file, 0, root);
  return file;
}

using FlexOptions = std::vector<std::pair<std::string, std::variant<int64_t, double>>>;

// All numbers of 8 bytes: the names, their offsets, the map (its names' offset and width, the
// count, the values, their types), the root.
inline std::string flex_map(const FlexOptions& options) {
  constexpr char kInt = 1 << 2 | 3, kFloat = 3 << 2 | 3, kMap = 9 << 2 | 3;
  std::string file, types;
  std::vector<uint64_t> names;
  for (const auto& [name, value] : options) {
    names.push_back(file.size());
    file += name + std::string(1, '\0');
    types += std::holds_alternative<int64_t>(value) ? kInt : kFloat;
  }
  const auto back_to = [&](uint64_t place) { file += raw(file.size() - place); };
  const uint64_t of_names = file.size();
  for (const uint64_t place : names) back_to(place);
  back_to(of_names);
  file += raw(uint64_t{8}) + raw(uint64_t{options.size()});
  const uint64_t map = file.size();
  for (const auto& option : options)
    std::visit([&](auto value) { file += raw(value); }, option.second);
  file += types;
  back_to(map);
  return file + kMap + '\x08';
}

}  // namespace hlocc::tests
