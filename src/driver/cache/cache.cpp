// See cache.h. Places are asked in order; what a farther one gives is kept in the nearer ones.
#include "driver/cache/cache.h"

#include <cstdlib>

#include "driver/cache/action.h"
#include "driver/cache/http.h"
#include "driver/cli/notes.h"
#include "driver/pipeline/budgets.h"
#include "support/sha256.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

constexpr int64_t kDefaultLimit = int64_t{5} << 30;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string_view characters_of(const Pieces::Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

bool is_drawn(const std::string& key, int percent) {
  return std::strtoul(key.substr(0, 8).c_str(), nullptr, 16) % 100 <
         static_cast<unsigned long>(percent);
}

Result<CacheOptions> cache_options(const CommandLine& line) {
  CacheOptions out;
  const std::string named = line.cache.empty() ? variable("HLOCC_CACHE") : line.cache;
  for (const std::string& place : split(named, ',')) {
    if (place.empty()) continue;
    if (place.find("://") != std::string::npos && parse_address(place).host.empty())
      return error(DiagnosticKind::kUsage, cat("--cache ", place, ": no such address"))
          .note("a place is a folder, http://HOST[:PORT]/PATH or https://HOST[:PORT]/PATH");
    out.places.push_back(place);
  }
  out.limit = kDefaultLimit;
  if (const std::string size = variable("HLOCC_CACHE_SIZE"); !size.empty()) {
    HLOCC_TRY_ASSIGN(out.limit, parse_bytes(size, "HLOCC_CACHE_SIZE"));
  }
  const std::string read_only = variable("HLOCC_CACHE_READONLY");
  out.read_only = !read_only.empty() && read_only != "0";
  out.verify_percent = line.cache_verify;
  return out;
}

CompileCache::CompileCache(CacheOptions options) : options_(std::move(options)) {
  for (const std::string& place : options_.places)
    stores_.push_back(place.find("://") == std::string::npos
                          ? disk_store(place, options_.limit, options_.read_only)
                          : http_store(place, options_.read_only));
}

void CompileCache::finish(const CommandLine& line) {
  for (const auto& store : stores_) {
    store->finish();
    if (!store->trouble().empty())
      say_warning(line, cat("the cache ", store->trouble(), "; compiled without it"));
  }
  for (const std::string& what : damaged_)
    say_warning(line, cat("the cache holds another content than ", what, " says: not used"));
}

std::optional<Pieces::Bytes> CompileCache::find_content(const std::string& digest) {
  for (size_t i = 0; i < stores_.size(); ++i) {
    std::optional<Pieces::Bytes> bytes = stores_[i]->get(Shelf::kContents, digest);
    if (!bytes) continue;
    if (sha256(*bytes) != digest) {
      damaged_.push_back(cat("cas/", digest));
      stores_[i]->remove(Shelf::kContents, digest);
      continue;
    }
    for (size_t near = 0; near < i; ++near)
      stores_[near]->put(Shelf::kContents, digest, Pieces(*bytes));
    return bytes;
  }
  return std::nullopt;
}

std::optional<CompiledTarget> CompileCache::find(const std::string& key) {
  for (size_t i = 0; i < stores_.size(); ++i) {
    const std::optional<Pieces::Bytes> bytes = stores_[i]->get(Shelf::kActions, key);
    if (!bytes) continue;
    std::optional<Record> record = read_record(characters_of(*bytes), key);
    if (!record) {
      damaged_.push_back(cat("ac/", key));
      stores_[i]->remove(Shelf::kActions, key);
      continue;
    }
    bool is_whole = true;
    for (size_t f = 0; is_whole && f < record->digests.size(); ++f) {
      std::optional<Pieces::Bytes> content = find_content(record->digests[f]);
      is_whole = content.has_value();
      if (is_whole) record->made.files[f].bytes = Pieces(std::move(*content));
    }
    if (!is_whole) continue;
    for (size_t near = 0; near < i; ++near)
      stores_[near]->put(Shelf::kActions, key, Pieces(*bytes));
    return std::move(record->made);
  }
  return std::nullopt;
}

void CompileCache::keep(const std::string& key, const CompiledTarget& made) {
  std::vector<std::string> digests;
  for (const package::File& file : made.files) {
    digests.push_back(sha256(file.bytes.joined()));
    for (const auto& store : stores_) store->put(Shelf::kContents, digests.back(), file.bytes);
  }
  const Pieces record(bytes_of(record_of(made, digests, key)));
  for (const auto& store : stores_) store->put(Shelf::kActions, key, record);
}

Status CompileCache::compare(const std::string& key, const CompiledTarget& known,
                             const CompiledTarget& made) {
  for (size_t i = 0; i < std::max(known.files.size(), made.files.size()); ++i) {
    const bool is_same = i < known.files.size() && i < made.files.size() &&
                         known.files[i].name == made.files[i].name &&
                         known.files[i].bytes == made.files[i].bytes;
    if (!is_same)
      return error(DiagnosticKind::kInternal,
                   cat("--cache-verify: ", (i < made.files.size() ? made : known).files[i].name,
                       " is not what the cache's ac/", key, " says"))
          .note("a compile that is repeated gives the same bytes: please report this model");
  }
  return {};
}

Result<CompiledTarget> CompileCache::get(const CommandLine& line, const Target& target,
                                         const std::function<Result<CompiledTarget>()>& compile,
                                         bool* was_known) {
  if (was_known != nullptr) *was_known = false;
  if (stores_.empty()) return compile();
  if (const std::string why = why_not_kept(line, target); !why.empty()) {
    if (!line.cache.empty()) say_note(line, cat("--cache: ", why, " is not kept"));
    return compile();
  }
  HLOCC_TRY_ASSIGN(const std::string key, action_key(line, target, digests_));
  std::optional<CompiledTarget> known = find(key);
  if (!known) {
    Result<CompiledTarget> made = compile();
    if (made) keep(key, *made);
    return made;
  }
  if (is_drawn(key, options_.verify_percent)) {
    HLOCC_TRY_ASSIGN(const CompiledTarget made, compile());
    HLOCC_TRY(compare(key, *known, made));
  }
  say_again(line, known->said);
  if (was_known != nullptr) *was_known = true;
  return std::move(*known);
}

}  // namespace hlocc::driver
