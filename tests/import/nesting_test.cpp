// Nesting without end, wherever a file may nest: at every place of the text's grammar (made from
// the opcodes' own tables), in every field of the protos, in headers of arrays. Read on a small
// stack, so that recursion without a limit ends the program, whatever its frames.
#include <pthread.h>

#include <functional>
#include <set>

#include "import/models.h"
#include "import/npy.h"
#include "import/text/fields.h"
#include "ops/text/printer_fields.h"
#include "ops/text/printer_names.h"

namespace hlocc::import {
namespace {

constexpr size_t kStack = size_t{1} << 20;
constexpr int kDeep = 20000;  // more than the stack has room for, at 52 bytes each

void on_small_stack(std::function<void()> work) {
  pthread_attr_t attributes;
  REQUIRE(pthread_attr_init(&attributes) == 0);
  REQUIRE(pthread_attr_setstacksize(&attributes, kStack) == 0);
  pthread_t thread;
  const auto run = [](void* what) -> void* {
    (*static_cast<std::function<void()>*>(what))();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, &attributes, run, &work) == 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

std::string endless(std::string_view piece, int count) {
  std::string out;
  for (int i = 0; i < count; ++i) out += piece;
  return out;
}

// --- the text's grammar ---

struct NameCollector {
  std::set<std::string>& names;

  template <typename T>
  void required(std::string_view name, T&&) {
    names.emplace(name);
  }
  template <typename T>
  void printed(std::string_view name, T&&) {
    names.emplace(name);
  }
  template <typename T, typename... Standard>
  void optional(std::string_view name, T&&, Standard...) {
    names.emplace(name);
  }
  hlo::Opcode opcode() const { return {}; }
  hlo::ComparisonType comparison_type() const { return {}; }
};

std::set<std::string> attributes_of(hlo::Opcode opcode) {
  std::set<std::string> names = {
      "metadata", "frontend_attributes", "control-predecessors", "backend_config", "literal",
      "sharding"};
  hlo::Attributes attributes = default_attributes(opcode, hlo::PrimitiveType::kF32);
  NameCollector collector{names};
  std::visit([&](auto& held) { ops::visit_fields(held, collector); }, attributes);
  for (const ops::CalledName& row : ops::called_names(opcode)) names.emplace(row.name);
  return names;
}

// What stands before a value of any kind.
std::vector<std::string> places() {
  std::vector<std::string> out = {
      "",    "HloModule ", "HloModule m\n",    "ENTRY ", "f ",
      "f (", "f (a: ",     "f (a: f32[]) -> ", "f {",    "HloModule m\nFileNames\n1 "};
  for (const char* name : {"input_output_alias", "entry_computation_layout", "is_scheduled",
                           "replica_count", "frontend_attributes"})
    for (const char* open : {"", "{", "{ {0}: ", "{ {0}: (0, "})
      out.push_back(cat("HloModule m, ", name, "=", open));
  for (const char* line :
       {"", "x = ", "x = f32[", "x = f32[2]{0:", "x = f32[2]{0:T", "x = f32[2] constant(",
        "x = (f32[2], (s32[])) constant(", "x = c64[] constant(", "x = f32[] parameter(",
        "x = f32[2] negate(", "x = f32[2] negate(f32[2] "})
    out.push_back(cat("HloModule m\nENTRY main {\n", line));
  // Each attribute once, at the first opcode that has it.
  std::set<std::string> seen;
  for (int i = 0; i < hlo::opcode_count(); ++i) {
    const auto opcode = static_cast<hlo::Opcode>(i);
    for (const std::string& name : attributes_of(opcode))
      if (seen.insert(name).second)
        for (const char* open : {"", "{"})
          out.push_back(cat("HloModule m\nENTRY main {\na = f32[2] parameter(0)\nx = f32[2] ",
                            hlo::opcode_name(opcode),
                            opcode == hlo::Opcode::kConstant ? "({1, 2})" : "()", ", ", name, "=",
                            open));
  }
  return out;
}

// --- the wire ---

// Field `number` in itself, `depth` times, around `inside`; built backwards, since lengths stand
// first.
std::string nested(uint32_t number, int depth, std::string inside) {
  const auto varint = [](uint64_t value) {
    WireWriter out;
    out.varint(value);
    return std::string(as_text(out.bytes()));
  };
  std::string backwards(inside.rbegin(), inside.rend());
  for (int i = 0; i < depth; ++i) {
    const std::string front = varint(number << 3 | 2) + varint(backwards.size());
    backwards.append(front.rbegin(), front.rend());
  }
  return {backwards.rbegin(), backwards.rend()};
}
std::string wire_bytes(uint32_t number, std::string_view payload) {
  WireWriter out;
  out.length_field(number, as_bytes(payload));
  return std::string(as_text(out.bytes()));
}
std::string wire_number(uint32_t number, uint64_t value) {
  WireWriter out;
  out.varint_field(number, value);
  return std::string(as_text(out.bytes()));
}

std::string write_model_bytes() {
  const std::vector<std::byte> bytes = write_module(module_from(kShowcase));
  return std::string(as_text(bytes));
}

// What a message may be the last of: a module's fields, an instruction's, a shape's, a literal's.
std::vector<std::function<std::string(const std::string&)>> levels() {
  const auto module = [](const std::string& fields) {
    return wire_bytes(1, "m") + wire_number(5, 1) + wire_bytes(3, wire_bytes(1, "main") + fields);
  };
  const auto instruction = [=](const std::string& fields) {
    return module(wire_bytes(2, wire_bytes(1, "x") + wire_bytes(2, "constant") + fields));
  };
  const std::string tuple = wire_number(2, 13);
  const std::string sound = write_model_bytes();
  return {
      [=](const std::string& deep) { return sound + deep; },
      [=](const std::string& deep) { return module(deep); },
      [=](const std::string& deep) { return instruction(deep); },
      [=](const std::string& deep) { return instruction(wire_bytes(3, tuple + deep)); },
      [=](const std::string& deep) {
        return instruction(wire_bytes(8, wire_bytes(1, tuple) + deep));
      },
      [=](const std::string& deep) {
        return instruction(wire_bytes(8, wire_bytes(1, tuple + deep)));
      },
      [=](const std::string& deep) { return wire_bytes(1, sound) + deep; },
      [=](const std::string& deep) {
        return wire_bytes(1, wire_bytes(1, sound)) + wire_bytes(2, deep);
      },
      [=](const std::string& deep) {
        return wire_bytes(1, wire_bytes(1, sound)) + wire_bytes(3, deep);
      },
  };
}

}  // namespace

TEST_CASE("nesting without end at every place of the text") {
  static constexpr const char* openers[] = {"(",
                                            "{",
                                            "[",
                                            "b(",
                                            "f32[2] negate(",
                                            "negate(",
                                            "{ x = f32[] call(), to_apply=",
                                            "x = f32[] call(), to_apply={ ",
                                            "{0}: (",
                                            "a={",
                                            "'",
                                            "/*"};
  int read = 0, refused = 0;
  on_small_stack([&] {
    for (const std::string& place : places())
      for (const char* opener : openers) {
        const Result<Imported> imported = read_text(place + endless(opener, kDeep));
        ++(imported.ok() ? read : refused);
      }
  });
  CHECK(read == 0);
  CHECK(refused > 1000);
}

TEST_CASE("nesting without end in every field of the protos") {
  int refused = 0, read = 0;
  on_small_stack([&] {
    for (const auto& level : levels())
      for (uint32_t number = 1; number <= 100; ++number)
        for (const std::string& inside : {std::string(), wire_number(2, 13), wire_number(2, 34)}) {
          const std::string bytes = level(nested(number, 3000, inside));
          const Result<Imported> imported = read_model(as_bytes(bytes), "deep");
          ++(imported.ok() ? read : refused);
        }
  });
  // A field that is not known is passed over.
  CHECK(read > 100);
  CHECK(refused > 1000);
}

TEST_CASE("tuples of literals as deep as is accepted, and one deeper") {
  const auto tuple_of = [](int depth) {
    std::string shape = wire_number(2, 11),
                literal = wire_bytes(1, shape) + wire_bytes(8, std::string(4, '\0'));
    for (int i = 0; i < depth; ++i) {
      shape = wire_number(2, 13) + wire_bytes(4, shape);
      literal = wire_bytes(1, shape) + wire_bytes(10, literal);
    }
    return read_literal(as_bytes(literal));
  };
  CHECK(tuple_of(90).ok());
  CHECK(!tuple_of(101).ok());
  const auto skipped = [](int depth) {
    return read_text(
        entry_with(cat("x = f32[] parameter(0)\nROOT y = f32[] custom-call(x), "
                       "custom_call_target=\"f\", literal=",
                       endless("(", depth), "f32[] 1", endless(")", depth))));
  };
  CHECK(skipped(100).ok());
  CHECK(skipped(101).error().kind == DiagnosticKind::kLimit);
}

TEST_CASE("nesting without end in the header of an array") {
  const hlo::Shape shape = hlo::Shape::array(hlo::PrimitiveType::kF32, {2});
  on_small_stack([&] {
    for (const char* piece : {"(", "{", "[", "{'shape': ", "'"}) {
      const std::string header =
          "{'descr': '<f4', 'fortran_order': False, 'shape': " + endless(piece, 12000);
      const std::string file =
          cat("\x93NUMPY", std::string("\x01\x00", 2), static_cast<char>(header.size() & 0xff),
              static_cast<char>(header.size() >> 8), header);
      if (read_npy(as_bytes(file), shape).ok()) std::abort();
    }
  });
}

}  // namespace hlocc::import
