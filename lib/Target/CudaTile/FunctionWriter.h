// Writes function bodies.
#ifndef TILEGPT_LIB_TARGET_CUDATILE_FUNCTIONWRITER_H
#define TILEGPT_LIB_TARGET_CUDATILE_FUNCTIONWRITER_H

#include "OpTable.h"
#include "WriterPools.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace tilegpt::target::cudatile {

/// Writes the ops of one function.
class FunctionWriter {
public:
  explicit FunctionWriter(WriterPools &pools) : pools(pools) {}

  /// Writes the ops of a block, whose arguments are the first values.
  ByteWriter write(mlir::Block &block);
  /// The location number of each op, outer before inner.
  llvm::ArrayRef<uint64_t> getLocations() const { return locations; }

private:
  void writeOp(mlir::Operation &op);
  void writeResults(mlir::Operation &op, const OpLayout &layout);
  void writeFlags(mlir::Operation &op, const OpLayout &layout);
  void writeAttribute(mlir::Operation &op, const AttrField &field);
  void writeOperands(mlir::Operation &op, const OpLayout &layout);
  void writeRegion(mlir::Region &region);
  void define(mlir::ValueRange results);

  WriterPools &pools;
  ByteWriter writer;
  llvm::DenseMap<mlir::Value, uint64_t> numbers;
  uint64_t next = 0; ///< the number of the next value
  std::vector<uint64_t> locations;
};

} // namespace tilegpt::target::cudatile

#endif
