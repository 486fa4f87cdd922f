// See store.h. DIR/ac/0f/0f3c..., DIR/cas/a1/a19b...: a folder for each first byte. A file's time
// is that of its last use. An entry is written to a name that no other process of any machine has,
// then renamed.
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "driver/cache/store.h"
#include "package/writer.h"
#include "support/environment.h"
#include "support/folder.h"
#include "support/temporary_path.h"
#include "support/text.h"

namespace hlocc::driver {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPartial = ".partial";

std::string unlike_any_other() {
  uint64_t drawn = 0;
  if (::getrandom(&drawn, sizeof drawn, 0) != sizeof drawn) drawn = 0;
  return cat(::getpid(), ".", drawn);
}

struct Entry {
  std::string path;
  int64_t bytes = 0;
  timespec used = {};
};

class DiskStore : public Store {
 public:
  DiskStore(std::string folder, int64_t limit, bool read_only)
      : folder_(std::move(folder)), limit_(limit), read_only_(read_only) {}

  std::optional<Pieces::Bytes> get(Shelf shelf, const std::string& key) override {
    const std::string path = path_of(shelf, key);
    // A folder can be opened, and says that it is as large as no memory.
    std::error_code failure;
    if (!fs::is_regular_file(path, failure)) return std::nullopt;
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const std::streamoff size = file.tellg();  // below 0 where it can't be opened
    if (size < 0) return std::nullopt;
    Pieces::Bytes out(static_cast<size_t>(size));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(out.data()), size);
    if (!file) return std::nullopt;
    if (!read_only_) ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);
    return out;
  }

  void put(Shelf shelf, const std::string& key, const Pieces& bytes) override {
    if (read_only_) return;
    const std::string path = path_of(shelf, key);
    std::error_code failure;
    fs::create_directories(fs::path(path).parent_path(), failure);
    const TemporaryPath aside(cat(path, ".", unlike_any_other(), kPartial));
    if (!package::write_bytes(aside.path(), bytes) ||
        std::rename(aside.path().c_str(), path.c_str()) != 0)
      return fail(cat(folder_, ": ", environment_error("cannot be written").message));
    grew_ = true;
  }

  void remove(Shelf shelf, const std::string& key) override {
    if (!read_only_) std::remove(path_of(shelf, key).c_str());
  }

  void finish() override {
    if (!grew_) return;
    grew_ = false;
    make_room();
  }

 private:
  std::string path_of(Shelf shelf, const std::string& key) const {
    return cat(folder_, "/", name_of(shelf), "/", key.substr(0, 2), "/", key);
  }

  // All entries; those that a killed process left behind are removed.
  std::vector<Entry> entries() const {
    std::vector<Entry> out;
    const time_t now = std::time(nullptr);
    for (const Shelf shelf : {Shelf::kActions, Shelf::kContents})
      for (const fs::path& part : paths_in(fs::path(folder_) / name_of(shelf)))
        for (const fs::path& path : paths_in(part)) {
          struct stat found;
          if (::stat(path.c_str(), &found) != 0) continue;
          if (!path.string().ends_with(kPartial))
            out.push_back({path.string(), found.st_size, found.st_mtim});
          else if (is_left_behind(found.st_mtime, now))
            std::remove(path.c_str());
        }
    return out;
  }

  // Least recently used first, to nine tenths of the limit, so that the next one has room.
  void make_room() const {
    std::vector<Entry> all = entries();
    int64_t bytes = 0;
    for (const Entry& entry : all) bytes += entry.bytes;
    if (bytes <= limit_) return;
    std::ranges::sort(all, {}, [](const Entry& entry) {
      return std::array<int64_t, 2>{entry.used.tv_sec, entry.used.tv_nsec};
    });
    for (const Entry& entry : all) {
      if (bytes <= limit_ / 10 * 9) break;
      if (std::remove(entry.path.c_str()) == 0) bytes -= entry.bytes;
    }
  }

  std::string folder_;
  int64_t limit_;
  bool read_only_, grew_ = false;
};

}  // namespace

bool is_left_behind(time_t changed, time_t now) {
  constexpr time_t kStaleSeconds = 3600;
  return changed + kStaleSeconds < now;
}

std::string_view name_of(Shelf shelf) { return shelf == Shelf::kActions ? "ac" : "cas"; }

std::unique_ptr<Store> disk_store(std::string folder, int64_t limit, bool read_only) {
  return std::make_unique<DiskStore>(std::move(folder), limit, read_only);
}

}  // namespace hlocc::driver
