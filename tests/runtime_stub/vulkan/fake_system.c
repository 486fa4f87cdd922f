/* See fake_system.h. */
#define HLOCC_TESTS_REAL_SYSTEM
#include "fake_system.h"

#include "fake_vulkan.h"

fake_system fake_os;

void* fake_dlopen(const char* name, int flags) {
  if (fake_os.no_library) return NULL;
  expect(strcmp(name, "libvulkan.so.1") == 0 && flags == (RTLD_NOW | RTLD_LOCAL), "dlopen");
  ++fake_os.libraries;
  return &fake_os;
}

void* fake_dlsym(void* library, const char* name) {
  void* (*found)(hlocc_vk_object, const char*) = fake_address;
  void* address;
  expect(library == &fake_os && strcmp(name, "vkGetInstanceProcAddr") == 0, "dlsym");
  memcpy(&address, &found, sizeof address);
  return fake_os.no_symbol ? NULL : address;
}

int fake_dlclose(void* library) {
  expect(library == &fake_os && fake_os.libraries > 0, "dlclose");
  --fake_os.libraries;
  return 0;
}

/* ---- memory ---- */

/* More than there is gets nothing, as on any machine. Fresh bytes hold no zeros. */
void* fake_malloc(size_t bytes) {
  void* made;
  if (++fake_os.requests == fake_os.memory_ends_at || bytes > (size_t)1 << 30) return NULL;
  made = malloc(bytes);
  memset(made, 0xa5, bytes);
  ++fake_os.allocated;
  return made;
}

void* fake_calloc(size_t count, size_t bytes) {
  void* made = fake_malloc(count * bytes);
  if (made != NULL) memset(made, 0, count * bytes);
  return made;
}

void fake_free(void* bytes) {
  fake_os.allocated -= bytes != NULL;
  free(bytes);
}

/* ---- the file ---- */

static FILE* the_file(void) { return (FILE*)(void*)fake_os.file; }

static int file_fails(const char* what, FILE* file) {
  expect(file == the_file() && fake_os.open_files == 1, what);
  return fake_os.file_fails != NULL && strcmp(fake_os.file_fails, what) == 0 &&
         ++fake_os.file_calls == fake_os.file_fails_at;
}

FILE* fake_fopen(const char* name, const char* mode) {
  const int writes = strcmp(mode, "wb") == 0;
  expect(fake_os.open_files == 0 && (writes || strcmp(mode, "rb") == 0), mode);
  ++fake_os.open_files;
  if (file_fails("fopen", the_file()) || (!writes && !fake_os.has_file)) {
    --fake_os.open_files;
    return NULL;
  }
  snprintf(fake_os.name, sizeof fake_os.name, "%s", name);
  fake_os.at = 0;
  if (writes) {
    fake_os.has_file = 1;
    fake_os.bytes = 0;
    ++fake_os.written;
  }
  return the_file();
}

int fake_fseek(FILE* file, long offset, int from) {
  if (file_fails("fseek", file)) return -1;
  expect(offset == 0 && from == SEEK_END, "fseek to the end");
  fake_os.at = fake_os.bytes;
  return 0;
}

long fake_ftell(FILE* file) { return file_fails("ftell", file) ? -1 : (long)fake_os.at; }

void fake_rewind(FILE* file) {
  expect(file == the_file(), "rewind");
  fake_os.at = 0;
}

/* One that fails has done all but the last byte. */
size_t fake_fread(void* to, size_t size, size_t count, FILE* file) {
  const size_t left = fake_os.bytes - fake_os.at, all = size * count < left ? size * count : left;
  const size_t bytes = file_fails("fread", file) ? all - 1 : all;
  memcpy(to, fake_os.file + fake_os.at, bytes);
  fake_os.at += bytes;
  return bytes / size;
}

size_t fake_fwrite(const void* from, size_t size, size_t count, FILE* file) {
  const int fails = file_fails("fwrite", file);
  const size_t bytes = size * count - (fails && count > 0);
  expect(fake_os.at + bytes <= kFakeFileBytes, "the file's room");
  memcpy(fake_os.file + fake_os.at, from, bytes);
  fake_os.bytes = fake_os.at += bytes;
  return bytes / size;
}

int fake_fclose(FILE* file) {
  const int fails = file_fails("fclose", file);
  --fake_os.open_files;
  return fails ? EOF : 0;
}

int fake_remove(const char* name) {
  expect(fake_os.open_files == 0 && strcmp(name, fake_os.name) == 0, "remove");
  fake_os.has_file = 0;
  ++fake_os.removed;
  return 0;
}
