// Modules, snapshots and literals as XLA's protobufs: the way back out of import.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "hlo/module.h"
#include "import/reader.h"
#include "support/result.h"

namespace hlocc::import {

// HloModuleProto.
std::vector<std::byte> write_module(const hlo::Module& module);
// HloSnapshot.
std::vector<std::byte> write_snapshot(const hlo::Module& module, const Snapshot& snapshot);

// LiteralProto: the literal's tree with its tokens; arrays row-major, which their layout states;
// sub-byte elements one a byte.
std::vector<std::byte> write_literal(const hlo::Literal& literal);
Result<hlo::Literal> read_literal(std::span<const std::byte> bytes);

}  // namespace hlocc::import
