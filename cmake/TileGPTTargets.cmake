# The kinds of targets in the tree. All take SOURCES… and LINK_LIBS …; paths are relative to the caller.

# A library of either half, with its sources compiled in batches.
function(tilegpt_add_library name)
  tilegpt_batch_sources(compiled ${name} ${ARGN})
  add_library(${name} STATIC ${compiled})
  target_include_directories(${name} PRIVATE $<$<BOOL:${TILEGPT_BATCHES}>:${PROJECT_SOURCE_DIR}>)
endfunction()

# A library of the runtime half: links neither MLIR nor LLVM (test/unit/Runtime/LinkageTest checks all of them).
function(tilegpt_add_runtime_library name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  tilegpt_add_library(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC tilegpt_options ${ARG_LINK_LIBS})
  target_precompile_headers(${name} REUSE_FROM tilegpt_runtime_pch)
  set_property(GLOBAL APPEND PROPERTY TILEGPT_RUNTIME_LIBRARIES ${name})
endfunction()

# Compiles a target with a precompiled header of the compiler half (TileGPTMLIR.cmake) and the options of that half.
function(tilegpt_use_pch name is_gpu is_cuda_tile)
  if(is_gpu)
    set(pch tilegpt_gpu_pch)
  elseif(is_cuda_tile)
    set(pch tilegpt_cuda_tile_pch)
  else()
    set(pch tilegpt_tile_pch)
  endif()
  target_precompile_headers(${name} REUSE_FROM ${pch})
  tilegpt_use_compiler_options(${name})
endfunction()

# A library of the compiler half. The headers of MLIR and of the tile ops are precompiled; with GPU also those of the tile_gpu
# and NVVM ops, with CUDA_TILE those of the cuda_tile ops.
function(tilegpt_add_mlir_library name)
  cmake_parse_arguments(ARG "GPU;CUDA_TILE" "" "LINK_LIBS;DEPENDS" ${ARGN})
  tilegpt_add_library(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC tilegpt_options tilegpt_mlir ${ARG_LINK_LIBS})
  tilegpt_use_pch(${name} "${ARG_GPU}" "${ARG_CUDA_TILE}")
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
endfunction()

# Tells a test target the source folder (test/unit/SourceFolder.h).
function(tilegpt_use_source_folder name)
  target_compile_definitions(${name} PRIVATE TILEGPT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/test/unit)
endfunction()

# A GoogleTest binary, one per component, run by CTest and by the test script. Precompiled headers: with MLIR, GPU or
# CUDA_TILE those of a library of the compiler half, otherwise those of tests that need no MLIR. A binary that takes long
# states its CPU time in SECONDS, so that CTest starts it early, and SHARDS: the number of processes its cases are split
# into, which cores then share.
function(tilegpt_add_unit_test name)
  cmake_parse_arguments(ARG "MLIR;GPU;CUDA_TILE" "SECONDS;SHARDS" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE tilegpt_options ${ARG_LINK_LIBS} GTest::gmock_main)
  tilegpt_use_source_folder(${name})
  if(ARG_MLIR OR ARG_GPU OR ARG_CUDA_TILE)
    target_link_libraries(${name} PRIVATE tilegpt_mlir)
    tilegpt_use_pch(${name} "${ARG_GPU}" "${ARG_CUDA_TILE}")
  else()
    target_precompile_headers(${name} REUSE_FROM tilegpt_test_pch)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unit)
  tilegpt_add_shards(${name} "${ARG_SHARDS}" "${ARG_SECONDS}")
  add_dependencies(tilegpt_tests ${name})
endfunction()

# The tests of CTest that run a GoogleTest binary, NAME or NAME.0, NAME.1, …; each writes a report.
function(tilegpt_add_shards name shards seconds)
  if(NOT shards)
    set(shards 1)
  endif()
  if(NOT seconds)
    set(seconds 0)
  endif()
  math(EXPR cost "${seconds} / ${shards}")
  math(EXPR last "${shards} - 1")
  foreach(shard RANGE ${last})
    set(test ${name})
    set(environment "")
    if(shards GREATER 1)
      set(test ${name}.${shard})
      set(environment GTEST_TOTAL_SHARDS=${shards} GTEST_SHARD_INDEX=${shard})
    endif()
    list(APPEND environment GTEST_OUTPUT=xml:${PROJECT_BINARY_DIR}/test-results/unit/${test}.xml)
    if(TILEGPT_SANITIZE AND TILEGPT_BUILD_COMPILER)
      list(APPEND environment ${TILEGPT_SANITIZER_ENVIRONMENT})
    endif()
    add_test(NAME ${test} COMMAND ${name})
    set_tests_properties(${test} PROPERTIES ENVIRONMENT "${environment}" COST ${cost})
  endforeach()
endfunction()
