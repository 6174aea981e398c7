// Bodies of functions.
#ifndef TILEGPT_LIB_TARGET_CUDATILE_FUNCTIONREADER_H
#define TILEGPT_LIB_TARGET_CUDATILE_FUNCTIONREADER_H

#include "OpTable.h"
#include "Pools.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::target::cudatile {

/// What bodies refer to.
struct ReaderPools {
  Version version;
  Strings strings;
  Types types;
  Constants constants;
  Locations locations;
};

/// Reads the ops of one function.
class FunctionReader {
public:
  FunctionReader(ReaderPools &pools, Locations::Cursor locations,
                 mlir::MLIRContext *context)
      : pools(pools), locations(locations), builder(context),
        attributes(pools.strings, pools.types, pools.constants) {}

  /// Reads ops to the end of `body` into a block, whose arguments are the first
  /// values.
  void read(ByteReader body, mlir::Block &block);

private:
  void readOp(ByteReader &reader, unsigned depth);
  void readResults(ByteReader &reader, const OpLayout &op,
                   mlir::OperationState &state);
  void readAttributes(ByteReader &reader, const OpLayout &op, uint64_t flags,
                      mlir::OperationState &state);
  mlir::Attribute readAttribute(ByteReader &reader, const AttrField &field,
                                mlir::OperationState &state);
  void readOperands(ByteReader &reader, const OpLayout &op, uint64_t flags,
                    mlir::OperationState &state);
  mlir::Value readValue(ByteReader &reader);
  void readRegion(ByteReader &reader, mlir::Region &region, unsigned depth);

  ReaderPools &pools;
  Locations::Cursor locations;
  mlir::OpBuilder builder;
  Attributes attributes;
  std::vector<mlir::Value> values; ///< by number; a block's end with it
};

} // namespace tilegpt::target::cudatile

#endif
