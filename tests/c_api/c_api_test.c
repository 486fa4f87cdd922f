/* A program in C that is linked with libhlocc.so: a model is read, described and run, and what is
 * wrong comes back as JSON. */
#include <hlocc/c_api.h>
#include <stdio.h>
#include <string.h>

static const char* const kModel =
    "HloModule m, input_output_alias={{1}: (1, {}, may-alias)}\n"
    "ENTRY e {\n"
    " x = f32[2,3] parameter(0)\n"
    " n = s32[] parameter(1)\n"
    " one = s32[] constant(1)\n"
    " more = s32[] add(n, one)\n"
    " t = f32[3,2] transpose(x), dimensions={1,0}\n"
    " p = pred[3,2] is-finite(t)\n"
    " ROOT r = (f32[3,2], s32[], pred[3,2]) tuple(t, more, p)\n"
    "}\n";
static int failures = 0;

static void expect(int holds, const char* what) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "c_api: %s\n", what);
}

static void expect_told(char* failure, const char* words, const char* what) {
  expect(failure != NULL && strstr(failure, words) != NULL, what);
  if (failure != NULL) fprintf(stderr, "  said: %s\n", failure);
  hlocc_free(failure);
}

static void check_runs(const hlocc_model* model, const char* backend) {
  char* failure = NULL;
  hlocc_program* program = hlocc_program_make(model, backend, "s", &failure);
  expect(program != NULL && failure == NULL, "the model can be run");
  if (program == NULL) return;
  for (int round = 0; round < 3; ++round) {
    float x[6], t[6];
    int n = 40 + round, more = 0;
    unsigned char finite[6];
    const void* arguments[] = {x, &n};
    void* results[] = {t, &more, finite};
    for (int i = 0; i < 6; ++i) x[i] = (float)(i + 10 * round);
    expect(hlocc_program_run(program, arguments, results, &failure) == 0 && failure == NULL,
           "it runs");
    for (int i = 0; i < 6; ++i) {
      expect(t[i] == x[i % 2 * 3 + i / 2], "results are row-major");
      expect(finite[i] == 1, "truth values have a byte each");
    }
    expect(more == n + 1 && n == 40 + round, "arguments stay as they are");
  }
  hlocc_program_free(program);
}

int main(void) {
  char* failure = NULL;
  expect(hlocc_api_version() == HLOCC_API_VERSION, "header and library are of one version");
  expect(strncmp(hlocc_version(), "hlocc ", 6) == 0, "the version begins with the name");
  hlocc_model* model = hlocc_model_read(kModel, strlen(kModel), "a.hlo.txt", &failure);
  expect(model != NULL && failure == NULL, "a model is read");
  if (model == NULL) return 1;
  char* leaves = hlocc_model_leaves(model, &failure);
  expect(leaves != NULL && strstr(leaves, "\"shape\":[2,3]") != NULL, "its leaves have shapes");
  expect(leaves != NULL && strstr(leaves, "\"donated\":true") != NULL, "state is donated");
  hlocc_free(leaves);
  check_runs(model, NULL);
  check_runs(model, "interpreter");
  expect(hlocc_program_make(model, "no_such", NULL, &failure) == NULL, "no such backend");
  expect_told(failure, "no_such", "the backend is named");
  expect(hlocc_program_make(model, NULL, "7", &failure) == NULL, "no such level");
  expect_told(failure, "\"kind\":\"usage\"", "the level is a mistake of the call");
  hlocc_model_free(model);

  expect(hlocc_model_read("x", 1, "b.pb", &failure) == NULL, "this is no model");
  expect_told(failure, "\"file\":\"b.pb\"", "the failure has a place");
  expect(hlocc_model_read("x", 1, NULL, NULL) == NULL, "a failure need not be told");
  const char* sized = "HloModule m\nENTRY e { ROOT x = f32[<=4] parameter(0) }\n";
  model = hlocc_model_read(sized, strlen(sized), "c", &failure);
  expect(model != NULL, "a model with sizes that come with its arguments is read");
  expect(hlocc_program_make(model, NULL, NULL, &failure) == NULL, "and not run");
  expect_told(failure, "\"kind\":\"unsupported\"", "since hlocc_program_run has no sizes");
  hlocc_model_free(model);
  hlocc_model_free(NULL);
  hlocc_program_free(NULL);
  return failures == 0 ? 0 : 1;
}
