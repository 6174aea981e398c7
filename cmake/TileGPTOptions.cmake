# Compiler and linker options shared by all targets of the project: warnings, sanitizers, static release.
add_library(tilegpt_options INTERFACE)
target_include_directories(tilegpt_options INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
target_compile_options(tilegpt_options INTERFACE
  -Wall -Wextra -Wno-unused-parameter -fno-semantic-interposition
  -ffunction-sections -fdata-sections)
# The build id identifies the compiler in the keys of the kernel cache.
target_link_options(tilegpt_options INTERFACE -Wl,--gc-sections -Wl,--build-id)

if(TILEGPT_WERROR)
  target_compile_options(tilegpt_options INTERFACE -Werror)
endif()

if(TILEGPT_SANITIZE)
  target_compile_options(tilegpt_options INTERFACE
    -fsanitize=${TILEGPT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # vptr needs type information of LLVM's own objects, which are not instrumented.
  target_compile_options(tilegpt_options INTERFACE -fno-sanitize=vptr)
  target_link_options(tilegpt_options INTERFACE -fsanitize=${TILEGPT_SANITIZE})
endif()

# Fuzzers are guided by the coverage of the libraries under test, not just of the target.
if(TILEGPT_BUILD_FUZZERS)
  target_compile_options(tilegpt_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(tilegpt_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Debian's LLVM and MLIR are not instrumented: annotations that only one side maintains (arenas, shared containers) would
# be reported as errors. Heap and stack checks are enabled everywhere.
set(TILEGPT_SANITIZER_ENVIRONMENT "ASAN_OPTIONS=allow_user_poisoning=0:detect_container_overflow=0")

if(TILEGPT_STATIC_LLVM)
  target_link_options(tilegpt_options INTERFACE
    -static-libstdc++ -static-libgcc -Wl,--icf=all)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_link_options(tilegpt_options INTERFACE -Wl,--strip-all)
  endif()
endif()

# Compiles code whose time is spent elsewhere faster: it has no loops worth vectorizing or unrolling, and inlines less than -O2
# and -O3 do (docs/Architecture.md has what that saves).
function(tilegpt_optimize_less name)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    target_compile_options(${name} PRIVATE
      -fno-vectorize -fno-slp-vectorize -fno-unroll-loops "SHELL:-mllvm -inline-threshold=100")
  endif()
endfunction()

# Options of the compiler half, which are LLVM's: no exceptions, and -O2, because its time is spent in LLVM and MLIR. Code that
# catches exceptions is compiled like the runtime half.
function(tilegpt_use_compiler_options name)
  target_compile_options(${name} PRIVATE -fno-exceptions $<$<CONFIG:Release>:-O2>)
  tilegpt_optimize_less(${name})
endfunction()

# Libraries and executables share precompiled headers, so they need the same flags.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)
