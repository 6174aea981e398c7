# Precompiled headers, each built once and shared by many targets.
#
# tilegpt_runtime_pch  the C++ library, for the runtime half
# tilegpt_test_pch     … and GoogleTest, for tests without MLIR
#
# For the compiler half see TileGPTMLIR.cmake.

# Adds a target that builds a precompiled header: tilegpt_add_pch(NAME HEADER… [BASE TARGET] [LINK_LIBS LIBRARY…]). BASE is
# another such target: Clang reuses its precompiled headers and parses only the others.
function(tilegpt_add_pch name)
  cmake_parse_arguments(ARG "" "BASE" "LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp)
  target_link_libraries(${name} PUBLIC tilegpt_options ${ARG_LINK_LIBS})
  target_precompile_headers(${name} PRIVATE ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PUBLIC $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
  if(ARG_BASE AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    # CMake writes the source of a precompiled header to this folder.
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles)
    set(base ${folder}/${ARG_BASE}.dir/cmake_pch.hxx.pch)
    set_source_files_properties(${folder}/${name}.dir/cmake_pch.hxx.cxx PROPERTIES
      COMPILE_OPTIONS "-Xclang;-include-pch;-Xclang;${base}"
      OBJECT_DEPENDS ${base})
    add_dependencies(${name} ${ARG_BASE})
  endif()
endfunction()

set(runtime_headers
  <algorithm> <array> <bit> <cerrno> <charconv> <chrono> <cmath> <cstdint> <cstdio> <cstdlib> <cstring> <filesystem>
  <functional> <limits> <map> <memory> <optional> <span> <string> <string_view> <thread> <unordered_map> <utility>
  <variant> <vector> <tl/expected.hpp>)
tilegpt_add_pch(tilegpt_runtime_pch ${runtime_headers})
if(TILEGPT_BUILD_TESTS)
  find_package(GTest REQUIRED)
  tilegpt_add_pch(tilegpt_test_pch ${runtime_headers} <gmock/gmock.h> LINK_LIBS GTest::gmock)
endif()
