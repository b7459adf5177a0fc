cmake_policy(VERSION 3.22)
# Writes build_info.h; run at every build, it touches the file only when something changed.
execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse --short=12 HEAD
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(commit "unknown")
else()
  execute_process(COMMAND git -C ${SOURCE_DIR} status --porcelain --untracked-files=no
                  OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(changes)
    string(APPEND commit "-dirty")
  endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT [[
#define OM_BUILD_COMMIT   "@commit@"
#define OM_BUILD_COMPILER "@COMPILER@"
#define OM_BUILD_TYPE     "@TYPE@"
#define OM_BUILD_PARTS    "@PARTS@"
#define OM_BUILD_MISSING  "@MISSING@"
#define OM_BUILD_LIBDIR   "@LIBDIR@"
]] @ONLY)
