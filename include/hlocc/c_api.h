/* hlocc as a shared library, for callers in any language: models are read, described and run in
 * this process; everything else is the command line (hlocc_main). Python's module of the same name
 * stands on it.
 *
 * Texts that are returned are UTF-8 and the caller's, to be given to hlocc_free. `failure`, where
 * it is not null, becomes null or the diagnostic as JSON: docs/schemas/error.schema.json. No
 * function throws. A model or program is used by one thread at a time; different ones by different
 * threads. A bug of hlocc's ends the process with exit code 3 and says so; limits of work and
 * memory (--limits) do not hold here. */
#ifndef HLOCC_C_API_H_
#define HLOCC_C_API_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Goes up when a function goes or means something else. */
#define HLOCC_API_VERSION 1
int hlocc_api_version(void);
/* "hlocc 0.1.0 (commit 0123456789ab, LLVM 19.1.7)"; not to be freed. */
const char* hlocc_version(void);
void hlocc_free(char* text);

/* What the program `hlocc` does with these words, the first of them its own name: writes to stdout
 * and stderr, and returns the exit code. For programs that are that command and nothing else: some
 * failures end the process. */
int hlocc_main(int argc, char** argv);

/* A model in any format that hlocc reads. `file` is what diagnostics call it. Null if it is none.
 */
typedef struct hlocc_model hlocc_model;
hlocc_model* hlocc_model_read(const void* bytes, size_t size, const char* file, char** failure);
void hlocc_model_free(hlocc_model* model);
/* {"arguments": [...], "results": [...]}: leaves of the entry as `hlocc inspect --json` has them,
 * in the order in which hlocc_program_run takes them. */
char* hlocc_model_leaves(const hlocc_model* model, char** failure);

/* A model that is ready to run here: compiled by the backend "cpu", or by the one of another name
 * that `hlocc backends` says can run. `level` is 0, 1, 2, 3, s or z; null: 2. Models whose sizes
 * are known when they run are refused. */
typedef struct hlocc_program hlocc_program;
hlocc_program* hlocc_program_make(const hlocc_model* model, const char* backend, const char* level,
                                  char** failure);
void hlocc_program_free(hlocc_program* program);
/* One pointer a leaf, to all of its elements: dense, row-major, in this machine's byte order, truth
 * values and types of fewer than 8 bits in a byte each. Returns 0, or an exit code of
 * docs/exit_codes.md. */
int hlocc_program_run(hlocc_program* program, const void* const* arguments, void* const* results,
                      char** failure);

#ifdef __cplusplus
}
#endif

#endif /* HLOCC_C_API_H_ */
