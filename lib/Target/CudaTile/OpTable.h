// The bytecode layout of each op: one table, used by reader and writer.
#ifndef TILEGPT_LIB_TARGET_CUDATILE_OPTABLE_H
#define TILEGPT_LIB_TARGET_CUDATILE_OPTABLE_H

#include "TileGPT/Target/CudaTile/Version.h"
#include "mlir/IR/Attributes.h"
#include "llvm/ADT/SmallVector.h"

namespace tilegpt::target::cudatile {

/// The encoding of an attribute. It has no tag; the op determines it.
enum class AttrKind {
  Enum,      ///< varint
  Int32,     ///< varint of the bits
  Int64,     ///< varint of the bits
  Bool,      ///< a byte
  String,    ///< index of a string
  Symbol,    ///< index of a string
  Ints32,    ///< list of 4-byte numbers
  Bools,     ///< count, a byte each
  Array,     ///< count, tagged attributes
  Hints,     ///< count, names and tagged attributes
  Dense,     ///< index of a constant of the result's type
  Predicate, ///< tagged
};

/// The conversion between an enumeration attribute and its number.
struct EnumCodec {
  /// No enumeration has more cases.
  static constexpr uint64_t most = 16;
  llvm::StringLiteral name;
  /// Null for a number that is not a case.
  mlir::Attribute (*make)(mlir::MLIRContext *, uint64_t);
  uint64_t (*number)(mlir::Attribute);
};

struct AttrField {
  llvm::StringRef name;
  AttrKind kind;
  const EnumCodec *codec = nullptr; ///< of an Enum
  bool optional = false;            ///< a flag marks its presence
  Version since;                    ///< in older files it has its default
  std::optional<uint64_t> fallback; ///< the number of that default
};

/// A flag bit: the presence of an attribute or operand, or a unit attribute.
struct Flag {
  enum Of { Attribute, Operand, Unit };
  llvm::StringRef name;
  Of of;
  unsigned index = 0; ///< of the attribute or operand
  Version since;
};

struct OperandField {
  enum Arity { One, Maybe, Many };
  llvm::StringRef name;
  Arity arity;
};

/// One op.
struct OpLayout {
  enum class Operands {
    Plain,   ///< one after the other
    Counted, ///< how many there are, then all
    Grouped, ///< a count for each list; optional ones by flag
  };
  unsigned code;
  std::string name; ///< of MLIR: `cuda_tile.addf`
  Version since;
  bool countsResults;              ///< the number of results is in the file
  std::optional<unsigned> results; ///< the number there must be
  Version resultsSince;            ///< in older files there are none
  llvm::SmallVector<Flag, 2> flags;
  llvm::SmallVector<AttrField, 3> attributes;
  Operands operands;
  llvm::SmallVector<OperandField, 4> fields;
  unsigned regions;

  /// Whether files of a version have flags for this op.
  bool hasFlags(Version version) const;
  /// The minimum number of operands.
  unsigned leastOperands() const;
};

/// All ops that may appear in function bodies, by code.
llvm::ArrayRef<OpLayout> allOps();
/// Lookup by code or by name; null if there is none.
const OpLayout *findOp(uint64_t code);
const OpLayout *findOp(llvm::StringRef name);

} // namespace tilegpt::target::cudatile

#endif
