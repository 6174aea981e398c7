// Pools of items that functions refer to by number: strings, types, attributes,
// constants and locations.
#ifndef TILEGPT_LIB_TARGET_CUDATILE_POOLS_H
#define TILEGPT_LIB_TARGET_CUDATILE_POOLS_H

#include "ByteReader.h"
#include "Format.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"

namespace tilegpt::target::cudatile {

/// Items of a section: a count, offsets, bytes. Each item ends where the next
/// begins.
class Items {
public:
  Items() = default;
  /// Reads the offsets of `width` bytes.
  Items(ByteReader section, unsigned width);

  size_t size() const { return begins.empty() ? 0 : begins.size() - 1; }
  ByteReader operator[](size_t index) const;

private:
  Source *source = nullptr;
  std::vector<size_t> begins; ///< and the end of the last
};

/// Strings by number.
class Strings {
public:
  Strings() = default;
  explicit Strings(Items items)
      : items(std::move(items)), known(this->items.size()) {}
  /// Reads a number and returns the string.
  mlir::StringAttr read(ByteReader &reader);

private:
  Items items;
  // Caches the attribute, so that each string is hashed once.
  std::vector<mlir::StringAttr> known;
  uint64_t bytes = 0; ///< read so far
};

/// Types by number, resolved on demand: they may contain forward references.
class Types {
public:
  Types() = default;
  Types(Items items, Version version)
      : version(version), items(std::move(items)), states(this->items.size()) {}
  /// Reads a number and returns the type, or null after an error.
  mlir::Type read(ByteReader &reader);
  /// The same, for a specific type.
  template <typename T>
  T read(ByteReader &reader, llvm::StringRef kind) {
    mlir::Type type = read(reader);
    if (type && !mlir::isa<T>(type))
      reader.fail("expected " + kind + " here");
    return mlir::dyn_cast_or_null<T>(type);
  }

private:
  struct State {
    mlir::Type type;
    bool busy = false;
  };
  mlir::Type resolve(ByteReader item);
  template <typename T>
  T readView(ByteReader &item, uint64_t tag);

  Version version;
  Items items;
  std::vector<State> states;
  unsigned depth = 0;
};

/// Raw elements by number. The op determines their type.
class Constants {
public:
  Constants() = default;
  explicit Constants(Items items) : items(std::move(items)) {}
  /// Reads a number and returns the elements as a tile.
  mlir::DenseIntOrFPElementsAttr read(ByteReader &reader,
                                      cuda_tile::TileType type);

private:
  Items items;
  llvm::DenseMap<std::pair<uint64_t, mlir::Type>,
                 mlir::DenseIntOrFPElementsAttr>
      known;
};

/// Tagged attributes.
class Attributes {
public:
  Attributes(Strings &strings, Types &types, Constants &constants)
      : strings(strings), types(types), constants(constants) {}
  mlir::Attribute readTagged(ByteReader &reader, unsigned depth = 0);
  /// A count, then names and attributes.
  mlir::DictionaryAttr readDictionary(ByteReader &reader, unsigned depth = 0);
  mlir::ArrayAttr readArray(ByteReader &reader, unsigned depth = 0);

private:
  Strings &strings;
  Types &types;
  Constants &constants;
};

/// Locations by function.
class Locations {
public:
  Locations() = default;
  Locations(ByteReader section, Strings &strings, Version version);

  /// The locations of function `number`, in order: its own, then one per op.
  class Cursor {
  public:
    Cursor() = default;
    Cursor(Locations *owner, size_t at, size_t end)
        : owner(owner), at(at), end(end) {}
    /// Unknown past the last one.
    mlir::Location next(mlir::MLIRContext *context);

  private:
    Locations *owner = nullptr;
    size_t at = 0, end = 0;
  };
  /// Reads the number of a function: 0 is none.
  uint64_t readNumber(ByteReader &reader) const;
  Cursor of(uint64_t number);

private:
  struct State {
    mlir::Attribute attribute;
    uint64_t parts = 0; ///< written without sharing
    bool busy = false;
  };
  /// Adds the parts of the location to `parts`.
  mlir::Attribute get(uint64_t number, unsigned depth);
  mlir::Attribute resolve(ByteReader item, unsigned depth);
  template <typename T>
  T read(ByteReader &reader, llvm::StringRef kind, unsigned depth);

  Source *source = nullptr;
  Strings *strings = nullptr;
  Version version;
  std::vector<size_t> begins; ///< of each function in `numbers`
  std::vector<uint64_t> numbers;
  Items items;
  std::vector<State> states;
  uint64_t parts = 0; ///< of the locations read so far
};

} // namespace tilegpt::target::cudatile

#endif
