// Encodes types, attributes and locations.
#include "WriterPools.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilegpt::cuda_tile;

namespace tilegpt::target::cudatile {

void WriterPools::fail(const Twine &message) {
  if (!failed)
    current->emitOpError(message);
  failed = true;
}

bool WriterPools::require(Version since, const Twine &what) {
  if (version >= since)
    return true;
  fail("expected bytecode of version " + since.str() + " or later for " + what +
       ", found version " + version.str());
  return false;
}

static std::string print(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

//===----------------------------------------------------------------------===//
// Types and constants
//===----------------------------------------------------------------------===//

uint64_t WriterPools::add(Type type) {
  if (auto found = known.find(type); found != known.end())
    return found->second;
  ByteWriter writer;
  writeType(writer, type);
  return known[type] = types.add(writer.str());
}

/// Since 13.4; bit 0 announces a class at the end of the type.
void WriterPools::writePointerFlags(ByteWriter &writer,
                                    PointerClassAttr pointerClass) {
  if (pointerClass)
    require(sinceOf(pointerClass.getValue()),
            "pointers of class " +
                stringifyEnum(pointerClass.getValue()).str());
  if (version >= Version{13, 4})
    writer.varint(pointerClass ? 1 : 0);
}
static void writePointerClass(ByteWriter &writer,
                              PointerClassAttr pointerClass) {
  if (pointerClass)
    writer.byte(uint8_t(pointerClass.getValue()));
}

/// The flags, tile, tensor and axes of a view, with the padding value at the
/// end.
template <typename T>
static void writeView(ByteWriter &writer, T view, uint64_t tag, bool flagsFirst,
                      uint64_t tensor) {
  PaddingValueAttr padding = view.getPaddingValue();
  writer.varint(tag);
  if (flagsFirst)
    writer.varint(padding ? 1 : 0);
  writer.numbers(view.getTileShape().asArrayRef());
  if constexpr (std::is_same_v<T, StridedViewType>)
    writer.numbers(view.getTraversalStrides().asArrayRef());
  writer.varint(tensor);
  if constexpr (std::is_same_v<T, GatherScatterViewType>)
    writer.varint(view.getSparseDim());
  else
    writer.numbers(view.getDimMap());
  if (!flagsFirst)
    writer.varint(padding ? 1 : 0);
  if (padding)
    writer.byte(uint8_t(padding.getValue()));
}

void WriterPools::writeType(ByteWriter &writer, Type type) {
  for (const NumberType &number : numberTypes())
    if (number.get(type.getContext()) == type) {
      require(number.since, print(type));
      return writer.varint(number.tag);
    }
  llvm::TypeSwitch<Type>(type)
      .Case([&](TokenType) { writer.varint(TokenTag); })
      .Case([&](PointerType pointer) {
        writer.varint(PointerTag);
        writePointerFlags(writer, pointer.getPointerClass());
        writer.varint(add(pointer.getPointeeType()));
        writePointerClass(writer, pointer.getPointerClass());
      })
      .Case([&](TileType tile) {
        writer.varint(TileTag);
        writer.varint(add(tile.getElementType()));
        writer.numbers(tile.getShape());
      })
      .Case([&](TensorViewType tensor) {
        writer.varint(TensorViewTag);
        writePointerFlags(writer, tensor.getPointerClass());
        writer.varint(add(tensor.getElementType()));
        writer.numbers(tensor.getShape());
        writer.numbers(tensor.getStrides());
        writePointerClass(writer, tensor.getPointerClass());
      })
      .Case([&](PartitionViewType view) {
        writeView(writer, view, PartitionViewTag, version >= Version{13, 3},
                  add(view.getTensorView()));
      })
      .Case([&](StridedViewType view) {
        require({13, 3}, "strided_view");
        writeView(writer, view, StridedViewTag, true,
                  add(view.getTensorView()));
      })
      .Case([&](GatherScatterViewType view) {
        require({13, 3}, "gather_scatter_view");
        writeView(writer, view, GatherScatterViewTag, true,
                  add(view.getTensorView()));
      })
      .Case([&](FunctionType function) {
        writer.varint(FunctionTag);
        for (TypeRange list : {TypeRange(function.getInputs()),
                               TypeRange(function.getResults())}) {
          writer.varint(list.size());
          for (Type each : list)
            writer.varint(add(each));
        }
      })
      .Default([&](Type) {
        fail("expected a type of CUDA Tile IR, found " + print(type));
      });
}

/// The elements of a constant. Equal ones are a single one, of i1 a byte of
/// ones or zeros; since 13.4 all elements of i1 are there, eight per byte.
static SmallVector<char> bytesOf(DenseElementsAttr constant, Version version) {
  if (!constant.getElementType().isInteger(1))
    return SmallVector<char>(constant.getRawData());
  if (constant.isSplat() && version < Version{13, 4})
    return {constant.getSplatValue<bool>() ? char(0xff) : char(0)};
  SmallVector<char> bytes(llvm::divideCeil(constant.getNumElements(), 8));
  for (auto [i, bit] : llvm::enumerate(constant.getValues<bool>()))
    bytes[i / 8] |= char(bit << (i % 8));
  return bytes;
}

uint64_t WriterPools::add(DenseElementsAttr constant) {
  SmallVector<char> bytes = bytesOf(constant, version);
  ByteWriter writer;
  writer.varint(bytes.size());
  writer.append(StringRef(bytes.data(), bytes.size()));
  return constants.add(writer.str());
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

void WriterPools::writeDictionary(ByteWriter &writer,
                                  DictionaryAttr dictionary) {
  writer.varint(dictionary.size());
  for (NamedAttribute item : dictionary) {
    writer.varint(add(item.getName().getValue()));
    writeTagged(writer, item.getValue());
  }
}

/// Two presence bits, then the numbers that are present.
static void writePair(ByteWriter &writer, std::optional<int64_t> first,
                      std::optional<int64_t> second) {
  writer.byte(uint8_t(first.has_value() | second.has_value() << 1));
  for (std::optional<int64_t> number : {first, second})
    if (number)
      writer.zigzag(*number);
}

void WriterPools::writeTagged(ByteWriter &writer, Attribute attribute) {
  llvm::TypeSwitch<Attribute>(attribute)
      // MLIR represents a bool as an integer of i1.
      .Case([&](BoolAttr value) {
        writer.varint(BoolTag);
        writer.byte(value.getValue());
      })
      .Case([&](IntegerAttr value) {
        APInt bits = value.getValue();
        if (bits.getBitWidth() > 64)
          return fail("expected integers of at most 64 bits as attributes");
        writer.varint(IntegerTag);
        writer.varint(add(value.getType()));
        writer.varint(bits.getZExtValue());
      })
      .Case([&](FloatAttr value) {
        APInt bits = value.getValue().bitcastToAPInt();
        writer.varint(FloatTag);
        writer.varint(add(value.getType()));
        if (bits.getBitWidth() <= 8)
          writer.byte(uint8_t(bits.getZExtValue()));
        else
          writer.zigzag(int64_t(bits.getZExtValue()));
      })
      .Case([&](TypeAttr value) {
        writer.varint(TypeAttrTag);
        writer.varint(add(value.getValue()));
      })
      .Case([&](StringAttr value) {
        writer.varint(StringTag);
        writer.varint(add(value.getValue()));
      })
      .Case([&](ArrayAttr items) {
        writer.varint(ArrayTag);
        writer.varint(items.size());
        for (Attribute item : items)
          writeTagged(writer, item);
      })
      .Case([&](DictionaryAttr value) {
        writer.varint(DictionaryTag);
        writeDictionary(writer, value);
      })
      .Case([&](DenseElementsAttr value) {
        writer.varint(DenseTag);
        writer.varint(add(Type(value.getType())));
        writer.varint(add(value));
      })
      .Case([&](DivByAttr value) {
        writer.varint(DivByTag);
        writer.varint(value.getDivisor());
        writePair(writer, value.getEvery(), value.getAlong());
      })
      .Case([&](SameElementsAttr value) {
        writer.varint(SameElementsTag);
        writer.numbers(value.getValues().asArrayRef());
      })
      .Case([&](OptimizationHintsAttr value) {
        writer.varint(HintsTag);
        writeDictionary(writer, value.getValue());
      })
      .Case([&](BoundedAttr value) {
        writer.varint(BoundedTag);
        writePair(writer, value.getLb(), value.getUb());
      })
      .Default([&](Attribute other) {
        std::string text;
        llvm::raw_string_ostream(text) << other;
        fail("expected an attribute that bytecode has, found " + text);
      });
}

//===----------------------------------------------------------------------===//
// Locations
//===----------------------------------------------------------------------===//

uint64_t WriterPools::addDebug(Attribute attribute) {
  ByteWriter item;
  llvm::TypeSwitch<Attribute>(attribute)
      .Case([&](DIFileAttr file) {
        item.varint(FileTag);
        item.varint(add(file.getName().getValue()));
        item.varint(add(file.getDirectory().getValue()));
      })
      .Case([&](DICompileUnitAttr unit) {
        item.varint(CompileUnitTag);
        item.varint(addDebug(unit.getFile()));
      })
      .Case([&](DILexicalBlockAttr block) {
        item.varint(LexicalBlockTag);
        item.varint(addDebug(block.getScope()));
        item.varint(addDebug(block.getFile()));
        item.varint(block.getLine());
        item.varint(block.getColumn());
      })
      .Case([&](DISubprogramAttr subprogram) {
        item.varint(SubprogramTag);
        item.varint(addDebug(subprogram.getFile()));
        item.varint(subprogram.getLine());
        item.varint(add(subprogram.getName().getValue()));
        item.varint(add(subprogram.getLinkageName().getValue()));
        item.varint(addDebug(subprogram.getCompileUnit()));
        item.varint(subprogram.getScopeLine());
        if (version >= Version{13, 5})
          item.varint(0);
      })
      .Case([&](DILocAttr loc) {
        item.varint(LocationTag);
        item.varint(addDebug(loc.getScope()));
        item.varint(add(loc.getSourceLoc().getFilename().getValue()));
        item.varint(loc.getSourceLoc().getLine());
        item.varint(loc.getSourceLoc().getColumn());
      })
      .Case([&](CallSiteLoc site) {
        item.varint(CallSiteTag);
        item.varint(addDebug(Attribute(LocationAttr(site.getCallee()))));
        item.varint(addDebug(Attribute(LocationAttr(site.getCaller()))));
      });
  return locations.add(item.str()) + 1;
}

/// Whether all parts of a location have scopes.
static bool isScoped(LocationAttr loc) {
  if (auto site = dyn_cast<CallSiteLoc>(loc))
    return isScoped(site.getCallee()) && isScoped(site.getCaller());
  return isa<DILocAttr>(loc);
}

uint64_t WriterPools::add(LocationAttr loc) {
  return isScoped(loc) ? addDebug(loc) : 0;
}

} // namespace tilegpt::target::cudatile
