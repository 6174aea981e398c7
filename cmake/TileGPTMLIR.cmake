# Debian's LLVM/MLIR 22, as one target `tilegpt_mlir`, either its two shared libraries or the static archives.
# The two must never be mixed in one process: each would bring its own TypeIDs.
find_package(MLIR 22.1 REQUIRED CONFIG)
find_package(LLD REQUIRED CONFIG)
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
# mlir-tblgen looks for .td files where the directory's includes point.
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

# Two precompiled headers. Reading MLIR's headers is most of what it takes to compile one of our files, above all those of
# the LLVM and NVVM dialects. Our own ops are in them as well: hardly a file does without, and none can be compiled before
# their tables are generated anyway.
#
# tilegpt_mlir_pch  for the compiler half
# tilegpt_gpu_pch   for rooms that write tile_gpu, LLVM or NVVM ops besides
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
  <mlir/IR/SymbolTable.h>
  <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/Func/IR/FuncOps.h>
  <mlir/Dialect/Linalg/IR/Linalg.h>
  <mlir/Dialect/Math/IR/Math.h>
  <mlir/Dialect/MemRef/IR/MemRef.h>
  <mlir/Dialect/SCF/IR/SCF.h>
  <mlir/Dialect/Tensor/IR/Tensor.h>
  <mlir/Dialect/Vector/IR/VectorOps.h>
  <mlir/Pass/Pass.h>
  <mlir/Pass/PassManager.h>
  <mlir/Transforms/DialectConversion.h>
  <llvm/ADT/TypeSwitch.h>
  <llvm/Support/FormatVariadic.h>
  <TileGPT/Dialect/Tile/IR/TileOps.h>)
set(gpu_headers ${mlir_headers}
  <mlir/Dialect/LLVMIR/LLVMDialect.h>
  <mlir/Dialect/LLVMIR/NVVMDialect.h>
  <TileGPT/Dialect/TileGPU/IR/TileGPUOps.h>)
foreach(pch mlir gpu)
  tilegpt_add_pch(tilegpt_${pch}_pch ${${pch}_headers} LINK_LIBS tilegpt_mlir)
endforeach()
add_dependencies(tilegpt_mlir_pch TileGPTTileIncGen)
add_dependencies(tilegpt_gpu_pch TileGPTTileIncGen TileGPTTileGPUIncGen)
