// Writes function bodies according to the table of ops.
#include "FunctionWriter.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"

using namespace mlir;

namespace tilegpt::target::cudatile {

ByteWriter FunctionWriter::write(Block &block) {
  define(block.getArguments());
  for (Operation &op : block)
    writeOp(op);
  return std::move(writer);
}

void FunctionWriter::define(ValueRange values) {
  for (Value value : values)
    numbers[value] = next++;
}

void FunctionWriter::writeOp(Operation &op) {
  pools.setOp(&op);
  const OpLayout *layout = findOp(op.getName().getStringRef());
  if (!layout)
    return pools.fail("expected an op that bytecode has");
  if (!pools.require(layout->since, "this op"))
    return;
  locations.push_back(pools.add(LocationAttr(op.getLoc())));
  writer.varint(layout->code);
  writeResults(op, *layout);
  writeFlags(op, *layout);
  for (const AttrField &field : layout->attributes)
    writeAttribute(op, field);
  writeOperands(op, *layout);
  if (layout->regions > 0) {
    writer.varint(op.getNumRegions());
    for (Region &region : op.getRegions())
      writeRegion(region);
  }
  pools.setOp(&op);
  if (layout->resultsSince <= pools.version)
    define(op.getResults());
}

void FunctionWriter::writeResults(Operation &op, const OpLayout &layout) {
  size_t count = op.getNumResults();
  if (layout.resultsSince > pools.version) {
    if (!op.use_empty())
      pools.require(layout.resultsSince, "its result");
    count = 0;
  }
  if (layout.countsResults)
    writer.varint(count);
  for (Value result : op.getResults().take_front(count))
    writer.varint(pools.add(result.getType()));
}

/// The number of operands in group `index` of a grouped op.
static size_t getGroupSize(Operation &op, size_t index) {
  auto sizes = op.getAttrOfType<DenseI32ArrayAttr>("operandSegmentSizes");
  return sizes.asArrayRef()[index];
}

void FunctionWriter::writeFlags(Operation &op, const OpLayout &layout) {
  uint64_t bits = 0;
  for (auto [bit, flag] : llvm::enumerate(layout.flags)) {
    bool isSet = flag.of == Flag::Operand &&
                         layout.operands == OpLayout::Operands::Grouped
                     ? getGroupSize(op, flag.index) > 0
                     : op.getAttr(flag.name) != nullptr;
    if (isSet && pools.require(flag.since, flag.name))
      bits |= uint64_t(1) << bit;
  }
  if (layout.hasFlags(pools.version))
    writer.varint(bits);
}

void FunctionWriter::writeAttribute(Operation &op, const AttrField &field) {
  Attribute value = op.getAttr(field.name);
  if (field.optional && !value)
    return;
  bool isYounger = field.since > pools.version;
  switch (field.kind) {
  case AttrKind::Enum: {
    uint64_t number = field.codec->number(value);
    if (field.codec->name == "Rounding")
      pools.require(sinceOfRounding(op.getName().getStringRef(), number,
                                    op.getResult(0).getType()),
                    "rounding " + stringifyEnum(cuda_tile::Rounding(number)));
    if (!isYounger)
      return writer.varint(number);
    if (number != field.fallback)
      pools.require(field.since, field.name);
    return;
  }
  case AttrKind::Int32:
  case AttrKind::Int64:
    return writer.varint(cast<IntegerAttr>(value).getValue().getZExtValue());
  case AttrKind::Bool:
    return writer.byte(cast<BoolAttr>(value).getValue());
  case AttrKind::String:
    return writer.varint(pools.add(cast<StringAttr>(value).getValue()));
  case AttrKind::Symbol:
    return writer.varint(pools.add(cast<FlatSymbolRefAttr>(value).getValue()));
  case AttrKind::Ints32:
    return writer.numbers(cast<DenseI32ArrayAttr>(value).asArrayRef());
  case AttrKind::Bools: {
    // An absent list equals false for every axis.
    ArrayRef<bool> bools;
    if (value)
      bools = cast<DenseBoolArrayAttr>(value).asArrayRef();
    if (isYounger) {
      if (llvm::is_contained(bools, true))
        pools.require(field.since, field.name);
      return;
    }
    auto view = llvm::find_if(op.getOperandTypes(), [](Type type) {
      return isa<cuda_tile::TileView>(type);
    });
    size_t rank = cast<cuda_tile::TileView>(*view).getTile().size();
    writer.varint(rank);
    for (size_t axis = 0; axis < rank; ++axis)
      writer.byte(axis < bools.size() && bools[axis]);
    return;
  }
  case AttrKind::Array: {
    auto items = cast<ArrayAttr>(value);
    writer.varint(items.size());
    for (Attribute item : items)
      pools.writeTagged(writer, item);
    return;
  }
  case AttrKind::Hints:
    return pools.writeDictionary(
        writer, cast<cuda_tile::OptimizationHintsAttr>(value).getValue());
  case AttrKind::Dense:
    return writer.varint(pools.add(cast<DenseElementsAttr>(value)));
  case AttrKind::Predicate:
    return pools.writeTagged(writer, value);
  }
}

void FunctionWriter::writeOperands(Operation &op, const OpLayout &layout) {
  OperandRange operands = op.getOperands();
  auto writeNext = [&](size_t count) {
    for (Value operand : operands.take_front(count))
      writer.varint(numbers.lookup(operand));
    operands = operands.drop_front(count);
  };
  if (layout.operands == OpLayout::Operands::Counted)
    writer.varint(operands.size());
  if (layout.operands != OpLayout::Operands::Grouped)
    return writeNext(operands.size());
  for (auto [index, field] : llvm::enumerate(layout.fields)) {
    size_t count = getGroupSize(op, index);
    if (field.arity == OperandField::Many)
      writer.varint(count);
    writeNext(count);
  }
}

void FunctionWriter::writeRegion(Region &region) {
  writer.varint(region.empty() ? 0 : 1);
  if (region.empty())
    return;
  Block &block = region.front();
  uint64_t outside = next;
  writer.varint(block.getNumArguments());
  for (Type type : block.getArgumentTypes())
    writer.varint(pools.add(type));
  define(block.getArguments());
  writer.varint(block.getOperations().size());
  for (Operation &op : block)
    writeOp(op);
  next = outside;
}

} // namespace tilegpt::target::cudatile
