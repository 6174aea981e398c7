# Debian's LLVM/MLIR 22, as one target `tilegpt_mlir`: either its two shared libraries or the static archives.
# Never mix the two in one process: each has its own TypeIDs.
find_package(MLIR 22.1 REQUIRED CONFIG)
find_package(LLD REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
# mlir-tblgen looks for .td files in the directory's include paths.
include_directories(SYSTEM ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND ${LLVM_DEFINITIONS})

add_library(tilegpt_mlir INTERFACE)
target_include_directories(tilegpt_mlir SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
target_compile_definitions(tilegpt_mlir INTERFACE ${LLVM_DEFINITIONS_LIST})

if(TILEGPT_STATIC_LLVM)
  include(TileGPTStaticLLVM)
else()
  target_link_libraries(tilegpt_mlir INTERFACE MLIR LLVM)
endif()

# Precompiled headers. Parsing MLIR's headers dominates our compile time, in particular those of the LLVM and NVVM dialects,
# so MLIR's are precompiled once and the headers of each component on top of them.
#
# tilegpt_mlir_pch       MLIR's own headers, with the LLVM dialect, and what many of our headers include of the C++ library
# tilegpt_tile_pch       … and the ops of tile, for the compiler half
# tilegpt_gpu_pch        … and the ops of tile_gpu and NVVM, for components that create them
# tilegpt_cuda_tile_pch  the headers of tilegpt_tile_pch and the ops of cuda_tile
#
# The first contains none of our own headers: ccache compares a precompiled header by its content, which records only the
# size of the header it is built on.
set(mlir_headers
  <mlir/IR/Builders.h>
  <mlir/IR/BuiltinAttributes.h>
  <mlir/IR/BuiltinOps.h>
  <mlir/IR/BuiltinTypes.h>
  <mlir/IR/DialectImplementation.h>
  <mlir/IR/IRMapping.h>
  <mlir/IR/Matchers.h>
  <mlir/IR/OpDefinition.h>
  <mlir/IR/OpImplementation.h>
  <mlir/IR/PatternMatch.h>
  <mlir/IR/Remarks.h>
  <mlir/IR/SymbolTable.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/Parser/Parser.h>
  <mlir/Pass/Pass.h>
  <mlir/Pass/PassManager.h>
  <mlir/Transforms/DialectConversion.h>
  <llvm/ADT/TypeSwitch.h>
  <llvm/Support/FileSystem.h>
  <llvm/Support/FormatVariadic.h>
  <filesystem> <span> <variant> <tl/expected.hpp>)
set(tile_headers ${mlir_headers}
  <TileGPT/Dialect/Tile/IR/TileOps.h>)
set(gpu_headers ${tile_headers}
  <mlir/Dialect/LLVMIR/NVVMDialect.h>
  <TileGPT/Dialect/TileGPU/IR/TileGPUOps.h>)
set(cuda_tile_headers ${tile_headers}
  <TileGPT/Dialect/CudaTile/IR/CudaTileOps.h>)
tilegpt_add_pch(tilegpt_mlir_pch ${mlir_headers} LINK_LIBS tilegpt_mlir)
tilegpt_use_compiler_options(tilegpt_mlir_pch)
foreach(pch tile gpu cuda_tile)
  tilegpt_add_pch(tilegpt_${pch}_pch ${${pch}_headers} BASE tilegpt_mlir_pch LINK_LIBS tilegpt_mlir)
  tilegpt_use_compiler_options(tilegpt_${pch}_pch)
  add_dependencies(tilegpt_${pch}_pch TileGPTTileIncGen)
endforeach()
add_dependencies(tilegpt_gpu_pch TileGPTTileGPUIncGen)
add_dependencies(tilegpt_cuda_tile_pch TileGPTCudaTileIncGen)
