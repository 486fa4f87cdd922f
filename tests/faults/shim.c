/* shim.c: preloaded into hlocc, makes one call to the system fail, or counts the calls that there
 * are. Counting starts when main does. HLOCC_FAULT=WHO:KIND:N, as in parent:write:3, lets the N-th
 * call of that kind fail (counted from 1) of the process that was started (parent) or of the
 * processes that it forks (child, all of them together); without it nothing fails.
 * HLOCC_FAULT_COUNTS names a file that gets a line "WHO KIND CALLS" for each kind when the process
 * ends by exit. Programs that hlocc starts run without this. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN, READ, WRITE, FORK, RENAME, MMAP, MKDIR, PIPE, THREAD, MALLOC, KINDS };
static const char* const names[KINDS] = {"open", "read",  "write", "fork",   "rename",
                                         "mmap", "mkdir", "pipe",  "thread", "malloc"};
static const int causes[KINDS] = {EMFILE, EIO,    ENOSPC, EAGAIN, EACCES,
                                  ENOMEM, EACCES, EMFILE, EAGAIN, ENOMEM};

/* Shared with the processes that are forked. */
static struct counts { long calls[2][KINDS]; } * counts;
static int counting, parent_id, fails_who = -1, fails_kind;
static long fails_at;

static int who(void) { return getpid() != parent_id; }

/* Counts a call, and says whether it is to fail. */
static int fails(enum kind kind) {
  if (!counting) return 0;
  const int one = who();
  const long at = __atomic_add_fetch(&counts->calls[one][kind], 1, __ATOMIC_SEQ_CST);
  if (one != fails_who || (int)kind != fails_kind || at != fails_at) return 0;
  errno = causes[kind];
  return 1;
}

static void write_counts(void) {
  const char* name = getenv("HLOCC_FAULT_COUNTS");
  char text[1024];
  int used = 0;
  counting = 0;
  if (name == NULL || who() != 0) return;
  for (int one = 0; one < 2; ++one)
    for (int kind = 0; kind < KINDS; ++kind)
      used += snprintf(text + used, sizeof text - (size_t)used, "%s %s %ld\n",
                       one ? "child" : "parent", names[kind], counts->calls[one][kind]);
  const int file = (int)syscall(SYS_openat, AT_FDCWD, name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  syscall(SYS_write, file, text, (size_t)used);
  syscall(SYS_close, file);
}

static int (*real_main)(int, char**, char**);

static int counted_main(int argc, char** argv, char** environment) {
  const char* fault = getenv("HLOCC_FAULT");
  unsetenv("LD_PRELOAD");
  counts = (struct counts*)syscall(SYS_mmap, NULL, sizeof *counts, PROT_READ | PROT_WRITE,
                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  parent_id = getpid();
  if (fault != NULL) {
    char name[32] = "", kind[32] = "";
    sscanf(fault, "%31[^:]:%31[^:]:%ld", name, kind, &fails_at);
    fails_who = strcmp(name, "child") == 0;
    for (fails_kind = 0; fails_kind < KINDS && strcmp(names[fails_kind], kind) != 0;) ++fails_kind;
    if (fails_kind == KINDS) _exit(99);
  }
  atexit(write_counts);
  counting = 1;
  return real_main(argc, argv, environment);
}

typedef int main_function(int, char**, char**);
int __libc_start_main(main_function* main, int argc, char** argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void* stack_end) {
  int (*start)(main_function*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*) =
      (int (*)(main_function*, int, char**, void (*)(void), void (*)(void), void (*)(void),
               void*))dlsym(RTLD_NEXT, "__libc_start_main");
  real_main = main;
  return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

/* The C library's own function of a name. */
#define REAL(result, name, ...)       \
  static result (*real)(__VA_ARGS__); \
  if (real == NULL) real = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

#define OPENS(name)                                                                 \
  int name(const char* path, int flags, ...) {                                      \
    REAL(int, name, const char*, int, ...);                                         \
    va_list rest;                                                                   \
    va_start(rest, flags);                                                          \
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                                   \
    return fails(OPEN) ? -1 : real(path, flags, mode);                              \
  }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                              \
  int name(int folder, const char* path, int flags, ...) {                          \
    REAL(int, name, int, const char*, int, ...);                                    \
    va_list rest;                                                                   \
    va_start(rest, flags);                                                          \
    const mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                                   \
    return fails(OPEN) ? -1 : real(folder, path, flags, mode);                      \
  }
OPENS_AT(openat)
OPENS_AT(openat64)

#define OPENS_STREAM(name)                         \
  FILE* name(const char* path, const char* mode) { \
    REAL(FILE*, name, const char*, const char*);   \
    return fails(OPEN) ? NULL : real(path, mode);  \
  }
OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

DIR* opendir(const char* path) {
  REAL(DIR*, opendir, const char*);
  return fails(OPEN) ? NULL : real(path);
}

ssize_t read(int file, void* to, size_t bytes) {
  REAL(ssize_t, read, int, void*, size_t);
  return fails(READ) ? -1 : real(file, to, bytes);
}
ssize_t write(int file, const void* from, size_t bytes) {
  REAL(ssize_t, write, int, const void*, size_t);
  return file != STDERR_FILENO && fails(WRITE) ? -1 : real(file, from, bytes);
}
ssize_t writev(int file, const struct iovec* from, int count) {
  REAL(ssize_t, writev, int, const struct iovec*, int);
  return file != STDERR_FILENO && fails(WRITE) ? -1 : real(file, from, count);
}
ssize_t pwrite64(int file, const void* from, size_t bytes, off64_t at) {
  REAL(ssize_t, pwrite64, int, const void*, size_t, off64_t);
  return fails(WRITE) ? -1 : real(file, from, bytes, at);
}
ssize_t send(int socket, const void* from, size_t bytes, int flags) {
  REAL(ssize_t, send, int, const void*, size_t, int);
  return fails(WRITE) ? -1 : real(socket, from, bytes, flags);
}

/* Streams write by calls inside the C library: their errors are set as those would. */
static int stream_fails(FILE* file, enum kind kind) {
  if (file == stderr || !fails(kind)) return 0;
  file->_flags |= 0x20; /* _IO_ERR_SEEN */
  return 1;
}
size_t fread(void* to, size_t size, size_t count, FILE* file) {
  REAL(size_t, fread, void*, size_t, size_t, FILE*);
  return stream_fails(file, READ) ? 0 : real(to, size, count, file);
}
size_t fwrite(const void* from, size_t size, size_t count, FILE* file) {
  REAL(size_t, fwrite, const void*, size_t, size_t, FILE*);
  return stream_fails(file, WRITE) ? 0 : real(from, size, count, file);
}
int fflush(FILE* file) {
  REAL(int, fflush, FILE*);
  return file != NULL && stream_fails(file, WRITE) ? EOF : real(file);
}
int fclose(FILE* file) {
  REAL(int, fclose, FILE*);
  const int failed = file != stderr && fails(WRITE);
  const int closed = real(file);
  if (!failed) return closed;
  errno = causes[WRITE];
  return EOF;
}

pid_t fork(void) {
  REAL(pid_t, fork, void);
  return fails(FORK) ? -1 : real();
}
int rename(const char* from, const char* to) {
  REAL(int, rename, const char*, const char*);
  return fails(RENAME) ? -1 : real(from, to);
}

#define MAPS(name, offset)                                                           \
  void* name(void* at, size_t bytes, int access, int flags, int file, offset from) { \
    REAL(void*, name, void*, size_t, int, int, int, offset);                         \
    return fails(MMAP) ? MAP_FAILED : real(at, bytes, access, flags, file, from);    \
  }
MAPS(mmap, off_t)
MAPS(mmap64, off64_t)
void* mremap(void* at, size_t bytes, size_t wanted, int flags, ...) {
  REAL(void*, mremap, void*, size_t, size_t, int, ...);
  return fails(MMAP) ? MAP_FAILED : real(at, bytes, wanted, flags);
}
int mprotect(void* at, size_t bytes, int access) {
  REAL(int, mprotect, void*, size_t, int);
  return fails(MMAP) ? -1 : real(at, bytes, access);
}

int mkdir(const char* path, mode_t mode) {
  REAL(int, mkdir, const char*, mode_t);
  return fails(MKDIR) ? -1 : real(path, mode);
}
char* mkdtemp(char* pattern) {
  REAL(char*, mkdtemp, char*);
  return fails(MKDIR) ? NULL : real(pattern);
}
int pipe2(int ends[2], int flags) {
  REAL(int, pipe2, int[2], int);
  return fails(PIPE) ? -1 : real(ends, flags);
}
int socketpair(int family, int type, int protocol, int ends[2]) {
  REAL(int, socketpair, int, int, int, int[2]);
  return fails(PIPE) ? -1 : real(family, type, protocol, ends);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* how, void* (*body)(void*),
                   void* argument) {
  REAL(int, pthread_create, pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  return fails(THREAD) ? causes[THREAD] : real(thread, how, body, argument);
}

/* The C library's functions have these names as well, so that dlsym, which takes memory, is not
 * needed. */
extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);
void* malloc(size_t bytes) { return fails(MALLOC) ? NULL : __libc_malloc(bytes); }
void* calloc(size_t count, size_t bytes) {
  return fails(MALLOC) ? NULL : __libc_calloc(count, bytes);
}
void* realloc(void* at, size_t bytes) { return fails(MALLOC) ? NULL : __libc_realloc(at, bytes); }
void* memalign(size_t alignment, size_t bytes) {
  return fails(MALLOC) ? NULL : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** at, size_t alignment, size_t bytes) {
  *at = memalign(alignment, bytes);
  return *at == NULL ? ENOMEM : 0;
}
