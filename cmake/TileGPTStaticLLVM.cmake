# Links LLVM, MLIR and lld statically, so that a tool is a single file that only needs a C library.
#
# Debian builds the archives beside the shared libraries, but every imported target links `LLVM` or `MLIR`, the shared
# ones. Both in one process would duplicate every TypeID, so these two names are removed from all targets first.
get_property(imported DIRECTORY PROPERTY IMPORTED_TARGETS)
foreach(library ${imported})
  get_target_property(dependencies ${library} INTERFACE_LINK_LIBRARIES)
  if(dependencies)
    list(FILTER dependencies EXCLUDE REGEX "^(\\$<LINK_ONLY:)?(LLVM|MLIR)>?$")
    set_target_properties(${library} PROPERTIES INTERFACE_LINK_LIBRARIES "${dependencies}")
  endif()
endforeach()
get_property(archives GLOBAL PROPERTY MLIR_ALL_LIBS)
# Excluded: tests, C bindings, and libraries that only exist as shared ones.
list(FILTER archives EXCLUDE REGEX "Test|CAPI|JitRunner|ExecutionEngine|Runtime$|^mlir_|^MLIR$")

# LLVM and lld only need zlib and zstd to compress debug sections; their archives avoid two more shared libraries.
# Only Clang's analyzer needs Z3.
find_library(TILEGPT_ZLIB_ARCHIVE libz.a REQUIRED)
find_library(TILEGPT_ZSTD_ARCHIVE libzstd.a REQUIRED)
set_target_properties(LLVMSupport PROPERTIES
  INTERFACE_LINK_LIBRARIES "LLVMDemangle;${TILEGPT_ZLIB_ARCHIVE};${TILEGPT_ZSTD_ARCHIVE};rt;dl;m")

set(backends X86 NVPTX)
llvm_map_components_to_libnames(components
  ${backends} passes bitreader bitwriter linker irreader lto dtlto option debuginfodwarf)
# The order does not matter to lld, and --gc-sections drops unreachable code.
target_link_libraries(tilegpt_mlir INTERFACE ${archives} ${components})

# lld's driver registers every backend, and its LTO refers to Polly. We only link X86 objects, so stubs replace the rest
# and keep 100 MB out of the tools.
set(absent "// Generated: what lld asks for and a static tool does not carry.\n")
file(STRINGS ${LLVM_INCLUDE_DIR}/llvm/Config/Targets.def entries REGEX "^LLVM_TARGET\\(")
foreach(entry ${entries})
  string(REGEX REPLACE "^LLVM_TARGET\\((.*)\\)" "\\1" backend ${entry})
  if(NOT backend IN_LIST backends)
    foreach(part TargetInfo Target TargetMC AsmPrinter AsmParser)
      string(APPEND absent "extern \"C\" void LLVMInitialize${backend}${part}() {}\n")
    endforeach()
  endif()
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/AbsentBackends.cpp CONTENT "${absent}" @ONLY)
add_library(tilegpt_absent_llvm STATIC
  ${PROJECT_BINARY_DIR}/AbsentBackends.cpp ${PROJECT_SOURCE_DIR}/cmake/AbsentPolly.cpp)
target_include_directories(tilegpt_absent_llvm SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
set_target_properties(LLVMExtensions lldELF PROPERTIES INTERFACE_LINK_LIBRARIES "lldCommon;tilegpt_absent_llvm")
