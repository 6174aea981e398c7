// Constants shared by reader and writer, besides the table of ops.
#ifndef TILEGPT_LIB_TARGET_CUDATILE_FORMAT_H
#define TILEGPT_LIB_TARGET_CUDATILE_FORMAT_H

#include "TileGPT/Target/CudaTile/Version.h"
#include "mlir/IR/Types.h"

namespace tilegpt::cuda_tile {
enum class PointerClass : uint32_t;
}

namespace tilegpt::target::cudatile {

inline constexpr llvm::StringLiteral magic =
    llvm::StringLiteral::withInnerNUL("\x7fTileIR\0");

enum Section : uint8_t {
  EndSection = 0,
  StringSection = 1,
  FunctionSection = 2,
  DebugSection = 3,
  ConstantSection = 4,
  TypeSection = 5,
  GlobalSection = 6,
  ProducerSection = 7,
};
/// A section with an alignment field.
inline constexpr uint8_t alignedSection = 0x80;

/// The padding byte. Readers skip it without a check.
inline constexpr uint8_t filler = 0xCB;

enum FunctionFlag : uint8_t {
  PrivateFunction = 1,
  KernelFunction = 2,
  HintedFunction = 4, ///< up to 13.4; later every kernel has hints
};

enum TypeTag : uint64_t {
  PointerTag = 12,
  TileTag = 13,
  TensorViewTag = 14,
  PartitionViewTag = 15,
  FunctionTag = 16,
  TokenTag = 17,
  GatherScatterViewTag = 20,
  StridedViewTag = 21,
};

enum AttrTag : uint64_t {
  IntegerTag = 1,
  FloatTag = 2,
  BoolTag = 3,
  TypeAttrTag = 4,
  StringTag = 5,
  ArrayTag = 6,
  DenseTag = 7,
  DivByTag = 8,
  SameElementsTag = 9,
  DictionaryTag = 10,
  HintsTag = 11,
  BoundedTag = 12,
};

enum DebugTag : uint64_t {
  CompileUnitTag = 1,
  FileTag = 2,
  LexicalBlockTag = 3,
  LocationTag = 4,
  SubprogramTag = 5,
  CallSiteTag = 6,
};

/// Maximum nesting of regions, types and attributes, a guard against malicious
/// input.
inline constexpr unsigned deepest = 64;
/// Locations may nest deeper: one level per inlined call.
inline constexpr unsigned deepestLocation = 1100;
/// Maximum axes of a type.
inline constexpr unsigned mostAxes = 64;
/// Maximum bytes of the strings of a file, and parts of its locations, counted
/// at each use: a string or location may be referenced many times.
inline constexpr uint64_t mostStringBytes = uint64_t(64) << 20;
inline constexpr uint64_t mostLocationParts = uint64_t(64) << 20;

/// The version since which an op accepts a rounding mode, if that is later than
/// both the op and the mode: conversions to a float type other than f8E8M0FNU
/// with a mode other than nearest even.
Version sinceOfRounding(llvm::StringRef op, uint64_t rounding,
                        mlir::Type result);

/// The version that introduced a class of pointers.
Version sinceOf(cuda_tile::PointerClass pointerClass);

/// Number types by tag, with the version that introduced them.
struct NumberType {
  uint64_t tag;
  Version since;
  mlir::Type (*get)(mlir::MLIRContext *);
};
llvm::ArrayRef<NumberType> numberTypes();

} // namespace tilegpt::target::cudatile

#endif
