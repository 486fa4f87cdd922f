// .npy files: what NumPy writes and what we write.
#include "import/npy.h"

#include <complex>

#include "import/models.h"
#include "support/text.h"

namespace hlocc::import {
namespace {

using hlo::Dimensions;
using hlo::Literal;
using hlo::PrimitiveType;
using hlo::Shape;

std::string npy(const std::string& dictionary, std::string_view elements) {
  std::string header = dictionary + "\n";
  return cat(std::string_view("\x93NUMPY\x01\x00", 8), static_cast<char>(header.size()), '\0',
             header, elements);
}
Result<Literal> read(const std::string& file, PrimitiveType type, Dimensions dimensions) {
  return read_npy(as_bytes(file), Shape::array(type, std::move(dimensions)));
}

}  // namespace

TEST_CASE("arrays of every type survive a .npy file") {
  constexpr PrimitiveType types[] = {
#define HLOCC_PRIMITIVE_TYPE(enumerator, ...) PrimitiveType::enumerator,
#include "hlo/primitive_types.def"
  };
  for (PrimitiveType type : types) {
    if (!hlo::is_array_type(type)) continue;
    CAPTURE(hlo::type_name(type));
    for (const Dimensions& dimensions :
         {Dimensions{}, Dimensions{3}, Dimensions{2, 3}, Dimensions{2, 0}}) {
      Literal literal = Literal::zeros(Shape::array(type, dimensions));
      // The one bit of s1 is its sign.
      if (!literal.bytes().empty())
        literal.mutable_bytes()[0] = type == PrimitiveType::kS1 ? std::byte{0xff} : std::byte{1};
      const std::vector<std::byte> file = write_npy(literal);
      CHECK(file.size() % 64 == literal.bytes().size() % 64);
      const Result<Literal> again = read_npy(file, literal.shape());
      if (!again) FAIL(again.error().to_string());
      CHECK(*again == literal);
    }
  }
}

TEST_CASE("the header is NumPy's") {
  const std::vector<std::byte> file =
      write_npy(Literal::zeros(Shape::array(PrimitiveType::kF32, {2, 3})));
  CHECK(as_text(file).find("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }") == 10);
  const std::vector<std::byte> bf16 =
      write_npy(Literal::zeros(Shape::array(PrimitiveType::kBF16, {2})));
  CHECK(as_text(bf16).find("{'descr': '<u2', 'fortran_order': False, 'shape': (2,), }") == 10);
  const std::vector<std::byte> s4 = write_npy(Literal::zeros(Shape::array(PrimitiveType::kS4, {})));
  CHECK(as_text(s4).find("{'descr': '|i1', 'fortran_order': False, 'shape': (), }") == 10);
}

TEST_CASE("Fortran order and foreign byte order are put right") {
  const auto fortran = read(npy("{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3)}",
                                std::string("\0\1\2\3\4\5", 6)),
                            PrimitiveType::kU8, {2, 3});
  REQUIRE(fortran.ok());
  CHECK(fortran->data<uint8_t>()[1] == 2);
  const auto big =
      read(npy("{'descr': '>i2', 'fortran_order': False, 'shape': (1,)}", std::string("\1\2", 2)),
           PrimitiveType::kS16, {1});
  REQUIRE(big.ok());
  CHECK(big->data<int16_t>()[0] == 0x102);
  // A complex number is two numbers.
  const auto pair = read(npy("{'descr': '>c8', 'fortran_order': False, 'shape': (1,)}",
                             std::string("\x3f\x80\0\0\x40\0\0\0", 8)),
                         PrimitiveType::kC64, {1});
  REQUIRE(pair.ok());
  CHECK(pair->data<std::complex<float>>()[0] == std::complex<float>(1, 2));
}

TEST_CASE("a dynamic dimension may be shorter than its bound") {
  Shape shape = Shape::array(PrimitiveType::kU8, {3, 2});
  shape.dynamic = {true, false};
  const auto literal = read_npy(
      as_bytes(npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2)}", "\1\2\3\4")),
      shape);
  REQUIRE(literal.ok());
  CHECK(literal->dynamic_sizes == std::vector<int32_t>{2, 2});
  CHECK(literal->data<uint8_t>()[3] == 4);
  CHECK(literal->data<uint8_t>()[4] == 0);
  CHECK(as_text(write_npy(*literal)).find("(2, 2)") != std::string_view::npos);
}

TEST_CASE("a dynamic dimension may be as long as its bound, and no longer") {
  Shape shape = Shape::array(PrimitiveType::kU8, {2, 2});
  shape.dynamic = {true, false};
  const auto read_rows = [&](int rows) {
    return read_npy(
        as_bytes(npy(cat("{'descr': '|u1', 'fortran_order': False, 'shape': (", rows, ", 2)}"),
                     std::string(2 * static_cast<size_t>(rows), '\3'))),
        shape);
  };
  REQUIRE(read_rows(2).ok());
  CHECK(read_rows(2)->dynamic_sizes.empty());
  CHECK(read_rows(3).error().kind == DiagnosticKind::kArgument);
}

TEST_CASE("types of the same width that are taken for one another, and those that are not") {
  const auto reads = [](std::string_view descr, PrimitiveType type) {
    const std::string elements(static_cast<size_t>(hlo::storage_bytes(type)), '\1');
    return read(npy(cat("{'descr': '", descr, "', 'fortran_order': False, 'shape': (1,)}"),
                    elements),
                type, {1})
        .ok();
  };
  for (const char* descr : {"|b1", "|u1", "|i1"}) CHECK(reads(descr, PrimitiveType::kPred));
  for (const char* descr : {"<u2", "<i2", "|V2"}) CHECK(reads(descr, PrimitiveType::kBF16));
  for (const char* descr : {"<f2", "<u4", "|V1", "|b1"})
    CHECK_FALSE(reads(descr, PrimitiveType::kBF16));
  CHECK((reads("<f2", PrimitiveType::kF16) && !reads("<u2", PrimitiveType::kF16)));
  CHECK((reads("<f8", PrimitiveType::kF64) && !reads("<u8", PrimitiveType::kF64)));
  CHECK((reads("<f4", PrimitiveType::kF32) && !reads("<i4", PrimitiveType::kF32)));
  CHECK((reads("<u4", PrimitiveType::kU32) && !reads("<i4", PrimitiveType::kU32)));
  CHECK((reads("|i1", PrimitiveType::kS8) && !reads("|u1", PrimitiveType::kS8)));
  CHECK_FALSE((reads("|V2", PrimitiveType::kPred) || reads("<f4", PrimitiveType::kPred)));
  const std::vector<std::byte> f16 =
      write_npy(Literal::zeros(Shape::array(PrimitiveType::kF16, {})));
  CHECK(as_text(f16).find("'<f2'") != std::string_view::npos);
  const std::vector<std::byte> f64 =
      write_npy(Literal::zeros(Shape::array(PrimitiveType::kF64, {})));
  CHECK(as_text(f64).find("'<f8'") != std::string_view::npos);
}

TEST_CASE("vectors of a dynamic size, and sizes that are none") {
  Shape shape = Shape::array(PrimitiveType::kU8, {3});
  shape.dynamic = {true};
  const std::string two = npy("{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}", "\1\2");
  const auto literal = read_npy(as_bytes(two), shape);
  REQUIRE(literal.ok());
  CHECK(literal->data<uint8_t>()[1] == 2);
  for (const char* sizes : {"-1", "99999999999999999999", "x"})
    CHECK(read(npy(cat("{'descr': '|u1', 'fortran_order': False, 'shape': (", sizes, ",)}"), "1"),
               PrimitiveType::kU8, {1})
              .error()
              .kind == DiagnosticKind::kFormat);
  const auto why = [](const std::string& file) {
    return read(file, PrimitiveType::kU8, {1}).error().message;
  };
  CHECK(why(std::string("\x93NUMPY\2\0\0\0\0", 11)).find("begin with") != std::string::npos);
  CHECK(why(std::string("\x93NUMPY\2\0\0\0\0\0", 12)).find("begin with") == std::string::npos);
  CHECK(why(std::string("\x93NUMPX\1\0\0\0abcdefgh", 18)).find("begin with") != std::string::npos);
}

TEST_CASE("headers of version 2 have a length of four bytes") {
  const std::string dictionary =
      "{'descr': '|u1', 'fortran_order': False, 'shape': (2,)}" + std::string(70000, ' ') + "\n";
  const size_t size = dictionary.size();
  const auto file = [&](char version) {
    return cat(std::string_view("\x93NUMPY"), version, '\0', static_cast<char>(size & 0xff),
               static_cast<char>(size >> 8 & 0xff), static_cast<char>(size >> 16 & 0xff), '\0',
               dictionary, "\5\6");
  };
  for (const char version : {'\2', '\3'}) {
    const auto array = read(file(version), PrimitiveType::kU8, {2});
    REQUIRE(array.ok());
    CHECK(array->data<uint8_t>()[1] == 6);
  }
}

TEST_CASE("what does not fit the argument is refused") {
  const auto kind = [](const std::string& file) {
    return read(file, PrimitiveType::kF32, {2}).error().kind;
  };
  CHECK(kind("no npy") == DiagnosticKind::kFormat);
  CHECK(kind(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}", "1234567812345678")) ==
        DiagnosticKind::kArgument);
  CHECK(kind(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}", "123456781234")) ==
        DiagnosticKind::kArgument);
  CHECK(kind(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}", "1234")) ==
        DiagnosticKind::kFormat);
  CHECK(kind(npy("{'descr': [('a', '<f4')], 'shape': (2,)}", "12345678")) ==
        DiagnosticKind::kFormat);
  CHECK(read_npy(as_bytes(std::string("x")), Shape::token()).error().kind ==
        DiagnosticKind::kArgument);
}

TEST_CASE("headers are what Python writes, and nothing else") {
  const auto why = [](const std::string& dictionary) {
    const Result<Literal> out =
        read(npy(dictionary, std::string(8, '\0')), PrimitiveType::kF32, {2});
    return out.ok() ? std::string() : out.error().message;
  };
  const auto with = [&](const char* descr, const char* order, const char* shape) {
    return why(cat("{'descr': ", descr, ", 'fortran_order': ", order, ", 'shape': ", shape, "}"));
  };
  for (const char* shape : {"(2,)", "( 2 , )", "(2,), "})
    CHECK(with("'<f4'", "False", shape) == "");
  CHECK(why("{\"shape\":(2,),\"fortran_order\":True,\"descr\":\"<f4\"}  ") == "");
  for (const char* descr : {"'=f4'", "'|V4'", "'<V4'"}) CHECK(with(descr, "False", "(2,)") == "");
  for (const char* descr :
       {"'!f4'", "'f4'", "'|f4'", "''", "'<'", "'<f4", "<f4", "'<f4\"", "'<f4 '", "'<f4junk'"})
    CHECK(with(descr, "False", "(2,)") != "");
  for (const char* order : {"false", "1", "'False'", "Falsehood", "", "True False"})
    CHECK(with("'<f4'", order, "(2,)") != "");
  for (const char* shape :
       {"(1.5, 64)", "(2,", "2", "(2)", "2,)", "(-2,)", "(2 2)", "(,2)", "(2,,)",
        "(99999999999999999999,)", "(0x2,)", "[2]", "(2L,)", "((2,),)"})
    CHECK(with("'<f4'", "False", shape) != "");
  const std::string right = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)";
  CHECK(why(right + ", }") == "");
  for (const char* end : {"", ",", ", ,}", "} junk", "}}", ", 'shape': (2,)}", ", 'more': 1}"})
    CHECK(why(right + end) != "");
  CHECK(why("{'descr': '<f4', 'shape': (2,)}") == "is no .npy file: its fortran_order is missing");
  for (const char version : {'\0', '\4', '\xff'}) {
    std::string file = npy(right + "}", std::string(8, '\0'));
    CHECK(read(file, PrimitiveType::kF32, {2}).ok());
    file[6] = version;
    CHECK_FALSE(read(file, PrimitiveType::kF32, {2}).ok());
  }
}

}  // namespace hlocc::import
