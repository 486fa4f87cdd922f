/* fake_system.h: the system that the headers of runtime_stub/gpu meet in their tests: a
 * libvulkan.so.1 that is or is not there, memory that ends at a chosen request, and one file, whose
 * calls fail where they are told to. Included before the headers: it takes their calls of the C
 * library. */
#ifndef HLOCC_TESTS_FAKE_SYSTEM_H_
#define HLOCC_TESTS_FAKE_SYSTEM_H_

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kFakeFileBytes = 4096 };

typedef struct fake_system {
  /* What is asked for. */
  int no_library, no_symbol;
  int memory_ends_at;     /* the request that gets NULL, counted from 1; 0: none */
  const char* file_fails; /* "fopen", "fseek", "ftell", "fread", "fwrite" or "fclose"; NULL: none */
  int file_fails_at;      /* which of its calls, counted from 1 */
  /* What came of it. */
  int libraries, requests, allocated; /* open, so far, and not yet given back */
  int written, removed, open_files;   /* files */
  int file_calls;                     /* of the one that fails */
  int has_file;
  char name[64];
  unsigned char file[kFakeFileBytes];
  size_t bytes, at;
} fake_system;

extern fake_system fake_os;

void* fake_dlopen(const char* name, int flags);
void* fake_dlsym(void* library, const char* name);
int fake_dlclose(void* library);
void* fake_malloc(size_t bytes);
void* fake_calloc(size_t count, size_t bytes);
void fake_free(void* bytes);
FILE* fake_fopen(const char* name, const char* mode);
int fake_fseek(FILE* file, long offset, int from);
long fake_ftell(FILE* file);
void fake_rewind(FILE* file);
size_t fake_fread(void* to, size_t size, size_t count, FILE* file);
size_t fake_fwrite(const void* from, size_t size, size_t count, FILE* file);
int fake_fclose(FILE* file);
int fake_remove(const char* name);

#ifndef HLOCC_TESTS_REAL_SYSTEM
#define dlopen fake_dlopen
#define dlsym fake_dlsym
#define dlclose fake_dlclose
#define malloc fake_malloc
#define calloc fake_calloc
#define free fake_free
#define fopen fake_fopen
#define fseek fake_fseek
#define ftell fake_ftell
#define rewind fake_rewind
#define fread fake_fread
#define fwrite fake_fwrite
#define fclose fake_fclose
#define remove fake_remove
#endif

#endif /* HLOCC_TESTS_FAKE_SYSTEM_H_ */
