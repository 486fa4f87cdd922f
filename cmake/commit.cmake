# cmake -DSOURCE=... -DFILE=... -P commit.cmake: writes to FILE the commit that the sources are of, as `hlocc --version` says it.
# FILE is touched only if it changes. A tree that is no checkout (a tarball, or one inside another repository) has none.
set(commit "")
find_program(GIT git)
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${GIT} describe --always --exclude * --abbrev=12 --dirty=+ WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
set(text "// Made by cmake/commit.cmake.\n#define HLOCC_COMMIT \"${commit}\"\n")
set(before "")
if(EXISTS ${FILE})
  file(READ ${FILE} before)
endif()
if(NOT before STREQUAL text)
  file(WRITE ${FILE} "${text}")
endif()
