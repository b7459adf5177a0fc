# cuda.cmake: the two CUDA objects, loaded at run time; nothing else of the build needs a toolkit.
#
# OPMARK_CUDA=AUTO builds them where nvcc is found, ON insists, OFF leaves them out.
set(OPMARK_CUDA AUTO CACHE STRING "build libopmark-cuda.so and opmark-measure-cuda.so: AUTO, ON, OFF")
set_property(CACHE OPMARK_CUDA PROPERTY STRINGS AUTO ON OFF)

set(OPMARK_CUDA_FOUND FALSE)
if((OPMARK_SANITIZE OR OPMARK_FUZZ) AND NOT OPMARK_CUDA STREQUAL "ON")
  message(STATUS "CUDA: left out of a sanitizer build")
elseif(NOT OPMARK_CUDA STREQUAL "OFF")
  find_program(OPMARK_NVCC nvcc HINTS ENV CUDACXX ENV CUDA_PATH PATHS /usr/local/cuda/bin PATH_SUFFIXES bin)
  if(OPMARK_NVCC)
    set(OPMARK_CUDA_FOUND TRUE)
  elseif(OPMARK_CUDA STREQUAL "ON")
    message(FATAL_ERROR "OPMARK_CUDA=ON, but nvcc was not found")
  else()
    message(STATUS "CUDA: nvcc not found, the CUDA objects are not built")
  endif()
endif()

if(OPMARK_CUDA_FOUND)
  if(NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER ${OPMARK_NVCC})
  endif()
  set(CMAKE_CUDA_STANDARD 17)
  # sm_90a alone: wgmma and its relatives exist in no PTX that a later chip could take.
  set(CMAKE_CUDA_ARCHITECTURES 90a-real)
  set(CMAKE_CUDA_FLAGS_RELEASE "-O3")
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)

  # The few files of the library that both objects need, with everything but the entry hidden.
  file(GLOB cuda_common CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/src/base/error.c ${CMAKE_SOURCE_DIR}/src/base/text.c
    ${CMAKE_SOURCE_DIR}/src/core/dtype.c)

  function(opmark_cuda_object name)
    add_library(${name} MODULE ${ARGN})
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
    target_include_directories(${name} SYSTEM PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    target_link_libraries(${name} PRIVATE CUDA::cudart_static)
    target_compile_options(${name} PRIVATE
      $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-fvisibility=hidden -lineinfo -Xptxas=-warn-spills>)
    set_target_properties(${name} PROPERTIES
      C_VISIBILITY_PRESET hidden CUDA_VISIBILITY_PRESET hidden
      CUDA_RUNTIME_LIBRARY Static POSITION_INDEPENDENT_CODE ON
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
    target_link_options(${name} PRIVATE -Wl,--no-undefined -Wl,--exclude-libs,ALL -Wl,-Bsymbolic -static-libgcc -static-libstdc++)
  endfunction()

  file(GLOB cuda_device_sources CONFIGURE_DEPENDS
    ${CMAKE_SOURCE_DIR}/src/core/cuda/*.c ${CMAKE_SOURCE_DIR}/src/core/cuda/*.cu
    ${CMAKE_SOURCE_DIR}/src/kernels/cuda/*.c ${CMAKE_SOURCE_DIR}/src/kernels/cuda/*.cu)
  opmark_cuda_object(opmark-cuda ${cuda_common} ${cuda_device_sources})
  # For tests: waits that never end trap, and OPMARK_GEMM_FORM names the form of a product.
  option(OPMARK_CUDA_DEBUG "build the kernels with watchdogs and forms to be forced" OFF)
  if(OPMARK_CUDA_DEBUG)
    target_compile_definitions(opmark-cuda PRIVATE OM_HOPPER_WATCHDOG OM_GEMM_FORCE)
  endif()

  file(GLOB cuda_measure_sources CONFIGURE_DEPENDS
    ${CMAKE_SOURCE_DIR}/src/bench/cuda/*.c ${CMAKE_SOURCE_DIR}/src/bench/cuda/*.cu
    ${CMAKE_SOURCE_DIR}/src/providers/cuda/*.c ${CMAKE_SOURCE_DIR}/src/providers/cuda/*.cu)
  if(cuda_measure_sources)
    opmark_cuda_object(opmark-measure-cuda ${cuda_common} ${CMAKE_SOURCE_DIR}/src/base/pairs.c
      ${CMAKE_SOURCE_DIR}/src/base/relatives.c
      ${CMAKE_SOURCE_DIR}/src/core/cuda/cuda_status.c ${CMAKE_SOURCE_DIR}/src/core/cuda/fill_cuda.cu
      ${CMAKE_SOURCE_DIR}/src/bench/intervals.c
      ${cuda_measure_sources})
    set_target_properties(opmark-measure-cuda PROPERTIES PREFIX "")
  endif()
  # Providers for the tests that misbehave on the device, one way each.
  if(CMOCKA_FOUND)
    set(fault_number 0)
    foreach(fault illegal hang idle)
      math(EXPR fault_number "${fault_number} + 1")
      opmark_cuda_object(plugin_gpu_${fault} ${CMAKE_SOURCE_DIR}/tests/gpu/plugin_gpu_faults.cu)
      target_compile_definitions(plugin_gpu_${fault} PRIVATE FAULT=${fault_number})
      set_target_properties(plugin_gpu_${fault} PROPERTIES PREFIX "" LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    endforeach()
  endif()

  install(TARGETS opmark-cuda opmark-measure-cuda LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  list(APPEND parts cuda)
else()
  list(APPEND missing cuda)
endif()
