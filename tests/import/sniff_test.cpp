// What a file is taken for: each sign of a format with one of its parts missing.
#include "import/sniff.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "import/messages.h"
#include "import/other_formats.h"
#include "import/reader.h"

namespace hlocc::import {
namespace {

FileKind kind_of(const std::string& bytes) { return sniff(as_bytes(bytes)); }

std::string guessed(const std::string& bytes, const std::string& file = "m.pb") {
  const std::optional<OtherFormat> other = guess_other_format(as_bytes(bytes), file);
  return other ? other->what : "";
}

TEST_CASE("text has no control characters but those of white space") {
  for (const char* text : {"HloModule m", "\tx", "\nx", "\rx", "\fx", "\vx", "\xc3\xa4"})
    CHECK(kind_of(text) == FileKind::kText);
  for (const char* text : {"x\x7f", "x\x1b", "x\x01"}) CHECK(kind_of(text) == FileKind::kUnknown);
}

TEST_CASE("a module is known by a computation with a name or an opcode in letters") {
  const auto module = [](const std::string& computation) {
    return text_field(1, "\x01") + text_field(3, computation);
  };
  CHECK(kind_of(module(text_field(1, "main"))) == FileKind::kModuleProto);
  CHECK(kind_of(module(text_field(1, " "))) == FileKind::kModuleProto);
  for (const std::string& name : {std::string("\x01"), std::string("\x1f"), std::string()})
    CHECK(kind_of(module(text_field(1, name))) == FileKind::kUnknown);
  const auto with_opcode = [&](const std::string& field) {
    return module(number_field(5, 1) + text_field(2, number_field(35, 1) + field));
  };
  CHECK(kind_of(with_opcode(text_field(2, "add"))) == FileKind::kModuleProto);
  CHECK(kind_of(with_opcode(text_field(2, "\x01"))) == FileKind::kUnknown);
  CHECK(kind_of(with_opcode(text_field(3, "add"))) == FileKind::kUnknown);
  // The name is no sign, but the opcode is.
  CHECK(kind_of(module(text_field(1, "\x01") + text_field(2, text_field(2, "add")))) ==
        FileKind::kModuleProto);
  CHECK(kind_of(with_opcode(number_field(2, 65))) == FileKind::kUnknown);
  CHECK(kind_of(module(text_field(3, "add"))) == FileKind::kUnknown);
  CHECK(kind_of(module(text_field(4, text_field(2, "add")))) == FileKind::kUnknown);
  CHECK(kind_of(module(number_field(1, 65))) == FileKind::kUnknown);
  // A number in the place of a message is passed over.
  CHECK(kind_of(module(number_field(1, 65) + text_field(1, "main"))) == FileKind::kModuleProto);
  CHECK(kind_of(text_field(1, "\x01") + number_field(3, 1) +
                text_field(3, text_field(1, "main"))) == FileKind::kModuleProto);
  CHECK(kind_of(text_field(1, "\x01") + text_field(4, text_field(1, "main"))) ==
        FileKind::kUnknown);
  CHECK(kind_of(text_field(1, "\x01") + number_field(3, 1)) == FileKind::kUnknown);
}

TEST_CASE("letters of another format in a name make no other file of it") {
  const std::string module = text_field(1, "..TFL3.") + text_field(3, text_field(1, "main"));
  REQUIRE(module.substr(4, 4) == "TFL3");
  CHECK(kind_of(module) == FileKind::kModuleProto);
  CHECK(kind_of(text_field(1, text_field(1, "TFL3.") + text_field(3, text_field(1, "main")))) ==
        FileKind::kHloProto);
  CHECK(kind_of("/*> TFL3 */ HloModule m") == FileKind::kText);
  const std::string model = std::string("\x1c\0\0\0TFL3", 8);
  CHECK(kind_of(model) == FileKind::kTflite);
  CHECK(kind_of(model + std::string(40, '\0')) == FileKind::kTflite);
  CHECK(kind_of(std::string("\x18\0\0\0TFL3", 8)) == FileKind::kTflite);
  CHECK(kind_of(std::string("\x1c\0\0\0TFL2", 8)) == FileKind::kUnknown);
}

TEST_CASE("containers hold the module in their first field") {
  const std::string module = text_field(1, "\x01") + text_field(3, text_field(1, "main"));
  CHECK(kind_of(text_field(1, module)) == FileKind::kHloProto);
  CHECK(kind_of(text_field(1, text_field(1, module))) == FileKind::kSnapshot);
  CHECK(kind_of(text_field(2, module)) == FileKind::kUnknown);
  CHECK(kind_of(number_field(1, 7) + module) == FileKind::kModuleProto);
  CHECK(kind_of("") == FileKind::kUnknown);
}

TEST_CASE("fields that are cut off, of no number or of no type end the reading") {
  const auto fails = [](const std::string& bytes) {
    const Bytes all = as_bytes(bytes);
    WireReader reader(all);
    for (WireField field; reader.next(field);) {
    }
    return reader.failed();
  };
  CHECK_FALSE(fails(number_field(1, 300)));
  CHECK_FALSE(fails(number_field(0x1fffffff, 1)));
  CHECK(fails(number_field(1, 300).substr(0, 2)));
  CHECK(fails(std::string("\x08", 1)));
  CHECK(fails(std::string("\x80", 1)));
  CHECK(fails(std::string("\x00\x01", 2)));
  CHECK(fails(std::string("\x80\x80\x80\x80\x10\x01", 6)));  // field 2^29
  CHECK(fails(std::string("\x0b", 1)));                      // a group
  CHECK(fails(text_field(1, "abc").substr(0, 4)));
  CHECK_FALSE(fails(text_field(1, "abc")));
}

TEST_CASE("an ONNX model has a version and a graph and no field beyond 40") {
  const std::string version = number_field(1, 8), graph = text_field(7, "g");
  CHECK(sniff(as_bytes(version + graph)) == FileKind::kOnnx);
  CHECK(sniff(as_bytes(version + graph + number_field(40, 1))) == FileKind::kOnnx);
  for (const std::string& bytes :
       {version, graph, number_field(1, 1000) + graph, text_field(1, "8") + graph,
        version + number_field(7, 1), version + text_field(8, "g"),
        version + graph + number_field(41, 1)})
    CHECK(sniff(as_bytes(bytes)) == FileKind::kUnknown);
}

TEST_CASE("a SavedModel begins with version 1 and a graph's description") {
  const std::string graph = text_field(2, text_field(1, "meta"));
  CHECK(guessed(number_field(1, 1) + graph) == "a TensorFlow SavedModel");
  for (const std::string& bytes :
       {number_field(1, 1), graph, number_field(1, 0) + graph, number_field(1, 2) + graph,
        number_field(2, 1) + graph, text_field(1, "\x01") + graph,
        number_field(1, 1) + text_field(3, text_field(1, "meta")),
        number_field(1, 1) + text_field(1, text_field(1, "meta")),
        number_field(1, 1) + number_field(2, 1),
        number_field(1, 1) + text_field(2, text_field(2, "meta")),
        number_field(1, 1) + text_field(2, number_field(1, 5)),
        number_field(1, 1) + text_field(2, "")})
    CHECK(guessed(bytes).empty());
  CHECK(guess_other_format(as_bytes(number_field(1, 1) + graph), "saved_model.pb")
            ->cures[0]
            .find("load('.')") != std::string::npos);
}

TEST_CASE("magic words stand where they stand") {
  CHECK(guessed("xxML\xefR StableHLO_v1.0") == "a function that jax.export wrote");
  CHECK(guessed("xxML\xefR" + std::string(40, ' ') + "StableHLO_v1.0").empty());
  CHECK(guessed("xxML\xefR no dialect").empty());
}

TEST_CASE("what other tools write is known by its first bytes") {
  using namespace std::string_literals;
  const std::string zip = "PK\x03\x04"s + std::string(26, '\0');
  const std::pair<std::string, std::string> files[] = {
      {zip + "metadata.json..model.weights.h5", "a Keras model (.keras)"},
      {zip + "archive/data.pkl", "a PyTorch file (.pt, .pth)"},
      {zip + "arr_0.npy", "an archive of NumPy arrays (.npz)"},
      {zip + "holiday.png", "a zip archive"},
      {"\x80\x02\x8a\nl\xfc\x9c\x46\xf9 j\xa8P\x19.\x80\x02M", "a PyTorch file (.pt, .pth)"},
      {"\x80\x02}q", "a Python pickle (.pkl, .joblib)"},
      {"\x80\x05\x95", "a Python pickle (.pkl, .joblib)"},
      {"\x18\0\0\0ET12"s, "an ExecuTorch program (.pte)"},
      {"\x89HDF\r\n", "an HDF5 file (.h5), as Keras writes it"},
      {"\x78\x9c\xed", "compressed data (.joblib, .gz); unpack it first"},
      {"\x78\x5e\xed", "compressed data (.joblib, .gz); unpack it first"},
      {"\x1f\x8b\b", "compressed data (.joblib, .gz); unpack it first"},
      {"BZh91AY", "compressed data (.joblib, .gz); unpack it first"},
      {"\xfd\x37zXZ", "compressed data (.joblib, .gz); unpack it first"}};
  for (const auto& [bytes, what] : files) {
    CHECK(guessed(bytes) == what);
    CHECK(guessed("." + bytes).empty());
  }
  // A command stands for whom there is one; else a sentence, where the file holds no program.
  const auto cure = [](const std::string& bytes) {
    return guess_other_format(as_bytes(bytes), "dir/kws.x")->cures.at(0);
  };
  for (const std::string& keras : {zip + "model.weights.h5", "\x89HDF"s})
    CHECK_THAT(cure(keras), Catch::Contains("keras.saving.load_model('dir/kws.x')") &&
                                Catch::Contains("open('kws.hlo.pb', 'wb')"));
  CHECK_THAT(cure(zip + "kws/data.pkl"), Catch::Contains("torch.onnx.export"));
  CHECK_THAT(cure("\x80\x04x"), Catch::Contains("holds objects of Python's, no program"));
}

TEST_CASE("exported functions are printed as text, which is read") {
  const OtherFormat other =
      *guess_other_format(as_bytes("xxML\xefR StableHLO_v1.0"), "f.jaxexport");
  CHECK_THAT(other.cures.at(0),
             Catch::Contains("open('f.mlir', 'w')") && Catch::Contains("jax.export.deserialize"));
}

TEST_CASE("text without a word of HLO's is no HLO with a mistake in it") {
  const auto told = [](const std::string& text) {
    return read_model(as_bytes(text), "m.txt").error();
  };
  for (const char* text : {"# A title\n\nText.\n", "{\"a\": 1}\n", "import jax\n"}) {
    CHECK(told(text).kind == DiagnosticKind::kFormat);
    CHECK_THAT(told(text).message, Catch::Contains("is no HLO"));
  }
  CHECK(told("HloModul m\nENTRY e { x = f32[] parameter(0) }").kind == DiagnosticKind::kSyntax);
  CHECK(told("HloModule").kind == DiagnosticKind::kSyntax);
}

TEST_CASE("commands name the file where a shell takes its name") {
  const auto command = [](const std::string& file) {
    return guess_other_format(as_bytes("ML\xefR"), file)->cures[0];
  };
  CHECK(command("a-b/c_d.9.mlirbc").find("open('a-b/c_d.9.mlirbc', 'rb')") != std::string::npos);
  CHECK(command("a-b/c_d.9.mlirbc").find("open('c_d.mlir', 'w')") != std::string::npos);
  for (const char* file : {"", "a b", "a'b", "a$b"}) {
    CHECK(command(file).find("open('MODEL', 'rb')") != std::string::npos);
    CHECK(command(file).find("open('MODEL.mlir', 'w')") != std::string::npos);
  }
}

TEST_CASE("StableHLO text is known by how it begins") {
  const auto kind = [](const std::string& text) { return sniff(as_bytes(text)); };
  for (const char* text :
       {"module @m {", "module {", "module attributes {a} {", "// -----\n\n module @m {",
        "#loc = loc(unknown)\nmodule", "\"builtin.module\"() ({", "func.func @f() {",
        "builtin.module {", "\"func.func\"() ({"})
    CHECK(kind(text) == FileKind::kStablehlo);
  for (const char* text : {"HloModule m module @f {}", "nothing of MLIR", "modules @m {",
                           "module m", "%module = f32[] parameter(0)", "# module @m {"})
    CHECK(kind(text) == FileKind::kText);
}

TEST_CASE("a folder names up to three models in it") {
  namespace fs = std::filesystem;
  const fs::path folder = "sniffed.tmp";
  std::error_code none;
  fs::remove_all(folder, none);
  fs::create_directory(folder, none);
  CHECK(describe_folder(folder.string()).cures.empty());
  const auto put = [&](const char* name) { std::ofstream(folder / name) << "x"; };
  put("other.txt");
  CHECK(describe_folder(folder.string()).cures.empty());
  put("b.hlo");
  CHECK(describe_folder(folder.string()).cures[0] == "in it are sniffed.tmp/b.hlo");
  put("a.pb");
  put("c.hlo.txt");
  CHECK(describe_folder(folder.string()).cures[0] ==
        "in it are sniffed.tmp/a.pb, sniffed.tmp/b.hlo, sniffed.tmp/c.hlo.txt");
  put("d.pb");
  CHECK(describe_folder(folder.string()).cures[0] ==
        "in it are sniffed.tmp/a.pb, sniffed.tmp/b.hlo, sniffed.tmp/c.hlo.txt");
  fs::remove_all(folder, none);
}

}  // namespace
}  // namespace hlocc::import
