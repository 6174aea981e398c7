// Reads function bodies.
#ifndef TILEGPT_LIB_TARGET_CUDATILE_FUNCTIONREADER_H
#define TILEGPT_LIB_TARGET_CUDATILE_FUNCTIONREADER_H

#include "OpTable.h"
#include "Pools.h"
#include "mlir/IR/Builders.h"

namespace tilegpt::target::cudatile {

/// The names of an op and its attributes in a context, and the cases of those
/// that are enumerations, cached.
struct OpNames {
  OpNames(const OpLayout &op, mlir::MLIRContext *context);

  mlir::OperationName op;
  llvm::SmallVector<mlir::StringAttr, 3> flags, attributes;
  /// By attribute and number; null where there is no case.
  llvm::SmallVector<std::vector<mlir::Attribute>, 3> cases;
};

/// The pools that function bodies refer to.
struct ReaderPools {
  const OpNames &namesOf(const OpLayout &op, mlir::MLIRContext *context);

  Version version;
  Strings strings;
  Types types;
  Constants constants;
  Locations locations;

private:
  std::vector<std::unique_ptr<OpNames>> names; ///< by place in allOps()
};

/// Reads the ops of one function.
class FunctionReader {
public:
  FunctionReader(ReaderPools &pools, Locations::Cursor locations,
                 mlir::MLIRContext *context)
      : pools(pools), locations(locations), builder(context),
        segmentSizes(builder.getStringAttr("operandSegmentSizes")),
        attributes(pools.strings, pools.types, pools.constants) {}

  /// Reads ops to the end of `body` into a block, whose arguments are the first
  /// values.
  void read(ByteReader body, mlir::Block &block);

private:
  void readOp(ByteReader &reader, unsigned depth);
  /// The state of an op before it is created.
  struct Parts {
    llvm::SmallVector<mlir::Type, 2> types;
    llvm::SmallVector<mlir::Value> operands;
    llvm::SmallVector<std::pair<mlir::StringAttr, mlir::Attribute>> attributes;
  };
  void readResults(ByteReader &reader, const OpLayout &op, Parts &parts);
  void readAttributes(ByteReader &reader, const OpLayout &op,
                      const OpNames &names, uint64_t flags, Parts &parts);
  /// Reads attribute `index` of an op.
  mlir::Attribute readAttribute(ByteReader &reader, const OpLayout &op,
                                const OpNames &names, size_t index,
                                const Parts &parts);
  void readOperands(ByteReader &reader, const OpLayout &op, uint64_t flags,
                    Parts &parts);
  mlir::Value readValue(ByteReader &reader);
  void readRegion(ByteReader &reader, mlir::Region &region, unsigned depth);

  ReaderPools &pools;
  Locations::Cursor locations;
  mlir::OpBuilder builder;
  mlir::StringAttr segmentSizes; ///< the name of the attribute
  Attributes attributes;
  std::vector<mlir::Value> values; ///< by number; a block's end with it
};

} // namespace tilegpt::target::cudatile

#endif
