// `verify --stream` ahead of time: the parts of the program of main.h that run the plain library of
// a case, and push the same rows into the streamed one: one at a time, in pieces of drawn sizes,
// and all at once.
#pragma once
#include <span>

#include "driver/verify/main.h"
#include "driver/verify/rules.h"
#include "kernel/program.h"
#include "target/target.h"

namespace hlocc::driver {

// The library without --stream.
std::string plain_name(const BatchCase& one);

// What stands in front of the cases' functions (nothing where no case has a stream), and the
// function of one.
std::string write_stream_head(const std::vector<BatchCase>& cases);
std::string write_stream_case(const BatchCase& one, const std::string& folder);

// Bytes of RAM that the rows take beside arena and instance.
int64_t stream_room(const BatchCase& one);
// For each window the plain run, and then for each way to push each window.
int64_t stream_records(const BatchCase& one);
// Bytes of the case's output file: for each record a byte of status, and the results.
int64_t stream_file_bytes(const BatchCase& one);

// How the results of pushed rows are held against those of the plain run: integers bit for bit,
// floats by the case's rules, since a product of one row may add up in another order.
std::vector<hlo::CompareRule> stream_rules(std::vector<hlo::CompareRule> rules,
                                           const kernel::Signature& plain);
// What differs, with the way to push; empty: nothing. `plain`: the signature without --stream.
std::string judge_stream(std::span<const std::byte> file, const BatchCase& one,
                         const kernel::Signature& plain, ByteOrder order,
                         const std::vector<hlo::CompareRule>& rules,
                         const std::vector<std::string>& labels);

}  // namespace hlocc::driver
