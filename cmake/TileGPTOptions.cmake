# Compiler and linker options every target of the project shares: warnings, sanitizers, static release.
add_library(tilegpt_options INTERFACE)
target_include_directories(tilegpt_options INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
target_compile_options(tilegpt_options INTERFACE
  -Wall -Wextra -Wno-unused-parameter -fno-semantic-interposition
  -ffunction-sections -fdata-sections)
# The build id names a compiler in the keys of the kernel cache.
target_link_options(tilegpt_options INTERFACE -Wl,--gc-sections -Wl,--build-id)

if(TILEGPT_WERROR)
  target_compile_options(tilegpt_options INTERFACE -Werror)
endif()

if(TILEGPT_SANITIZE)
  target_compile_options(tilegpt_options INTERFACE
    -fsanitize=${TILEGPT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  # vptr needs the type information of LLVM's own objects, which are not instrumented.
  target_compile_options(tilegpt_options INTERFACE -fno-sanitize=vptr)
  target_link_options(tilegpt_options INTERFACE -fsanitize=${TILEGPT_SANITIZE})
endif()

# Fuzzers steer by the coverage of the libraries they test, not of the target alone.
if(TILEGPT_BUILD_FUZZERS)
  target_compile_options(tilegpt_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(tilegpt_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Debian's LLVM and MLIR are not instrumented: marks that only one side sets (their arenas, containers that both sides
# touch) would be reported as errors. What the allocator and the stack know is checked everywhere.
set(TILEGPT_SANITIZER_ENVIRONMENT "ASAN_OPTIONS=allow_user_poisoning=0:detect_container_overflow=0")

if(TILEGPT_STATIC_LLVM)
  target_link_options(tilegpt_options INTERFACE
    -static-libstdc++ -static-libgcc -Wl,--icf=all)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_link_options(tilegpt_options INTERFACE -Wl,--strip-all)
  endif()
endif()

# One precompiled header serves libraries and executables, so both are compiled alike.
set(CMAKE_CXX_COMPILE_OPTIONS_PIE -fPIC)
