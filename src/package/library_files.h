// A library of several models that work in one arena, one after the other (`compile
// --shared-arena`): the names of the whole, its one header, its one manifest.
#pragma once
#include <set>
#include <string>
#include <vector>

#include "hlo/module.h"
#include "package/file_set.h"

namespace hlocc::package {

struct LibraryModel {
  const kernel::Signature* signature = nullptr;
  const planning::Plan* plan = nullptr;
  Origin origin;
};

// "Kws", for a model of the library acme::Both: acme::Kws.
std::string class_beside(const std::string& library, const std::string& name);

// jit_kws_dscnn -> KwsDscnn: what a model without a name is called.
std::string class_of_module(const hlo::Module& module);

// No two models, and no model and the library, make names that could meet in C.
Status check_names_apart(const kernel::Signature& library, const std::vector<LibraryModel>& models);

// What a firmware must provide for any of the models, one at a time: the most of all.
struct SharedArena {
  int64_t bytes = 1, align = 1;
  std::vector<planning::ArenaPiece> pieces;  // of several memories; without places
};
SharedArena arena_of(const std::vector<LibraryModel>& models);

std::string write_library_header(const kernel::Signature& library,
                                 const std::vector<LibraryModel>& models, const Target& target,
                                 const CoreNeeds& core);
std::string write_library_manifest(const kernel::Signature& library,
                                   const std::vector<LibraryModel>& models, const Target& target,
                                   const Artifacts& artifacts);

// As make_files of one model.
Result<std::vector<File>> make_library_files(const kernel::Signature& library,
                                             const std::vector<LibraryModel>& models,
                                             const Target& target, const Artifacts& artifacts,
                                             const std::set<Emit>& emit);

}  // namespace hlocc::package
