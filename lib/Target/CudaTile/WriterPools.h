// Collects the items that functions refer to by number.
#ifndef TILEGPT_LIB_TARGET_CUDATILE_WRITERPOOLS_H
#define TILEGPT_LIB_TARGET_CUDATILE_WRITERPOOLS_H

#include "ByteWriter.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"
#include "mlir/IR/Diagnostics.h"

namespace tilegpt::target::cudatile {

/// Unique strings, types, constants and locations. An item that a version lacks
/// is an error at the current op (`fail`).
class WriterPools {
public:
  explicit WriterPools(Version version) : version(version) {}

  const Version version;
  ItemTable strings, types, constants, locations;

  /// The op being written, at which errors are reported.
  void setOp(mlir::Operation *op) { current = op; }
  void fail(const llvm::Twine &message);
  bool hasFailed() const { return failed; }
  /// Succeeds if files of this version support features since version `since`;
  /// otherwise emits an error.
  bool require(Version since, const llvm::Twine &what);

  uint64_t add(llvm::StringRef string) { return strings.add(string.str()); }
  uint64_t add(mlir::Type type);
  uint64_t add(mlir::DenseElementsAttr constant);
  /// 0 for a location without a scope, otherwise 1 + its position.
  uint64_t add(mlir::LocationAttr loc);

  void writeTagged(ByteWriter &writer, mlir::Attribute attribute);
  /// A count, then names and attributes.
  void writeDictionary(ByteWriter &writer, mlir::DictionaryAttr dictionary);

private:
  void writeType(ByteWriter &writer, mlir::Type type);
  void writePointerFlags(ByteWriter &writer,
                         cuda_tile::PointerClassAttr pointerClass);
  uint64_t addDebug(mlir::Attribute attribute);

  llvm::DenseMap<mlir::Type, uint64_t> known;

  mlir::Operation *current = nullptr;
  bool failed = false;
};

} // namespace tilegpt::target::cudatile

#endif
