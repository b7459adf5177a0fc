# The tests. A test is one file tests/<layer>/test_<what>.c with cmocka (or .sh, or .py with
# unittest) and needs no line here; nor does a fuzz target tests/fuzz/fuzz_<what>.c, a plug-in
# tests/<layer>/plugin_<what>.c, or a program that a test runs, tests/<layer>/sample_<what>.c.
if(NOT CMOCKA_FOUND OR NOT JSONC_FOUND)
  message(STATUS "cmocka or json-c not found: no tests are built")
  return()
endif()
enable_testing()
set(test_list) # for scripts/run-tests: seconds allowed, name, command
function(opmark_test seconds name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${seconds} ENVIRONMENT
    "OM_BUILD_DIR=${CMAKE_BINARY_DIR};OM_SOURCE_DIR=${CMAKE_SOURCE_DIR}")
  string(REPLACE ";" " " command "${ARGN}")
  set(test_list "${test_list}${seconds} ${name} ${command}\n" PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE helper_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/helpers/*.c)
file(GLOB_RECURSE plugin_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/plugin_*.c
     ${CMAKE_SOURCE_DIR}/examples/plugin_*.c)
file(GLOB example_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/call_*.c)
file(GLOB_RECURSE test_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/test_*.c)
file(GLOB_RECURSE script_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/test_*.sh
     ${CMAKE_SOURCE_DIR}/tests/test_*.py)
file(GLOB_RECURSE sample_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/sample_*.c)
file(GLOB_RECURSE fuzz_files CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tests/fuzz/fuzz_*.c)

if(OPMARK_FUZZ) # that build is for the fuzz targets alone
  foreach(list plugin example test script sample)
    set(${list}_files)
  endforeach()
endif()

foreach(file ${plugin_files})
  get_filename_component(name ${file} NAME_WE)
  add_library(${name} MODULE ${file})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include)
  set_target_properties(${name} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endforeach()

# The examples link what other programs link: the shared library.
foreach(file ${example_files})
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include)
  target_link_libraries(${name} PRIVATE opmark_shared)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endforeach()

add_library(opmark_test_helpers OBJECT ${helper_files})
target_link_libraries(opmark_test_helpers PUBLIC opmark_tool opmark_objects PkgConfig::CMOCKA PkgConfig::JSONC)
target_include_directories(opmark_test_helpers PUBLIC ${CMAKE_SOURCE_DIR}/tests)
target_compile_definitions(opmark_test_helpers PUBLIC
  OM_SOURCE_DIR="${CMAKE_SOURCE_DIR}" OM_BUILD_DIR="${CMAKE_BINARY_DIR}")

foreach(file ${test_files})
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file})
  target_link_libraries(${name} PRIVATE opmark_test_helpers opmark_tool opmark_objects)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests
                                           ENABLE_EXPORTS ON)
  add_dependencies(${name} opmark)
  get_filename_component(layer ${file} DIRECTORY)
  file(RELATIVE_PATH layer ${CMAKE_SOURCE_DIR}/tests ${layer})
  opmark_test(300 ${layer}/${name} ${CMAKE_BINARY_DIR}/tests/${name})
endforeach()

foreach(file ${sample_files})
  get_filename_component(name ${file} NAME_WE)
  add_executable(${name} ${file})
  target_link_libraries(${name} PRIVATE opmark_test_helpers opmark_tool opmark_objects)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endforeach()

foreach(file ${script_files})
  file(RELATIVE_PATH name ${CMAKE_SOURCE_DIR}/tests ${file})
  if(file MATCHES "\\.py$")
    opmark_test(300 ${name} python3 ${CMAKE_SOURCE_DIR}/scripts/run-unittest ${file})
  else()
    opmark_test(300 ${name} sh ${file})
  endif()
endforeach()

# A fuzz target defines LLVMFuzzerTestOneInput. Without libFuzzer it is linked with replay.c, which
# feeds it the files of its corpus tests/fuzz/corpus/<what>/, and counts as a test.
foreach(file ${fuzz_files})
  get_filename_component(name ${file} NAME_WE)
  string(REPLACE "fuzz_" "" what ${name})
  if(OPMARK_FUZZ)
    add_executable(${name} ${file})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    add_executable(${name} ${file} ${CMAKE_SOURCE_DIR}/tests/fuzz/replay.c)
    opmark_test(300 fuzz/${name} ${CMAKE_BINARY_DIR}/tests/${name} ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus/${what})
  endif()
  target_link_libraries(${name} PRIVATE opmark_tool opmark_objects)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
endforeach()

file(GENERATE OUTPUT ${CMAKE_BINARY_DIR}/tests/list.txt CONTENT "${test_list}")
