// LiteralProto <-> Literal, straight from and to the wire: row-major data moves in one memcpy.
#pragma once
#include "hlo/literal.h"
#include "import/proto/wire.h"
#include "support/result.h"

namespace hlocc::import {

// `what` begins a message: "value of %constant.2".
Result<hlo::Literal> read_literal_proto(Bytes bytes, std::string_view what);
// Elements follow the layouts that the literal's shape states, as XLA wants it of constants; see
// write_literal for plain row-major.
std::vector<std::byte> write_literal_proto(const hlo::Literal& literal);

}  // namespace hlocc::import
