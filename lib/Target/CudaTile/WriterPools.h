// What functions refer to by number, as it is collected.
#ifndef TILEGPT_LIB_TARGET_CUDATILE_WRITERPOOLS_H
#define TILEGPT_LIB_TARGET_CUDATILE_WRITERPOOLS_H

#include "ByteWriter.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"
#include "mlir/IR/Diagnostics.h"

namespace tilegpt::target::cudatile {

/// Strings, types, constants and locations, each once. What a version does not
/// have is an error at the op that `fail` speaks of.
class WriterPools {
public:
  explicit WriterPools(Version version) : version(version) {}

  const Version version;
  ItemTable strings, types, constants, locations;

  /// The op that is written: where errors are.
  void setOp(mlir::Operation *op) { current = op; }
  void fail(const llvm::Twine &message);
  bool hasFailed() const { return failed; }
  /// Whether files of this version have what is of version `since`; else an
  /// error.
  bool require(Version since, const llvm::Twine &what);

  uint64_t add(llvm::StringRef string) { return strings.add(string.str()); }
  uint64_t add(mlir::Type type);
  uint64_t add(mlir::DenseElementsAttr constant);
  /// 0 for a location that is in no scope, else 1 + its position.
  uint64_t add(mlir::LocationAttr loc);

  void writeTagged(ByteWriter &writer, mlir::Attribute attribute);
  /// A count, then names and attributes.
  void writeDictionary(ByteWriter &writer, mlir::DictionaryAttr dictionary);

private:
  void writeType(ByteWriter &writer, mlir::Type type);
  void writePointerFlags(ByteWriter &writer);
  uint64_t addDebug(mlir::Attribute attribute);

  mlir::Operation *current = nullptr;
  bool failed = false;
};

} // namespace tilegpt::target::cudatile

#endif
