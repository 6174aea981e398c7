// Reads function bodies according to the table of ops.
#include "FunctionReader.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"

using namespace mlir;

namespace tilegpt::target::cudatile {

OpNames::OpNames(const OpLayout &layout, MLIRContext *context)
    : op(layout.name, context) {
  for (const Flag &flag : layout.flags)
    flags.push_back(StringAttr::get(context, flag.name));
  for (const AttrField &field : layout.attributes) {
    attributes.push_back(StringAttr::get(context, field.name));
    std::vector<Attribute> &known = cases.emplace_back();
    for (uint64_t i = 0; field.codec && i < EnumCodec::most; ++i)
      known.push_back(field.codec->make(context, i));
  }
}

const OpNames &ReaderPools::namesOf(const OpLayout &op, MLIRContext *context) {
  ArrayRef<OpLayout> ops = allOps();
  names.resize(ops.size());
  std::unique_ptr<OpNames> &known = names[&op - ops.data()];
  if (!known)
    known = std::make_unique<OpNames>(op, context);
  return *known;
}

void FunctionReader::read(ByteReader body, Block &block) {
  values.assign(block.args_begin(), block.args_end());
  builder.setInsertionPointToEnd(&block);
  while (!body.atEnd())
    readOp(body, 0);
}

Value FunctionReader::readValue(ByteReader &reader) {
  uint64_t number = reader.index("the number of a value", values.size());
  return reader.getSource().hasFailed() ? Value() : values[number];
}

void FunctionReader::readOp(ByteReader &reader, unsigned depth) {
  uint64_t code = reader.varint();
  const OpLayout *op = findOp(code);
  if (!op)
    return reader.fail("expected an op up to version " +
                       Version::all().back().str() + ", found number " +
                       Twine(code));
  if (op->since > pools.version)
    return reader.fail("expected an op of version " + pools.version.str() +
                       ", found '" + op->name + "' of version " +
                       op->since.str());
  MLIRContext *context = builder.getContext();
  const Location loc = locations.next(context);
  const OpNames &names = pools.namesOf(*op, context);
  Parts parts;
  readResults(reader, *op, parts);
  uint64_t flags = 0;
  if (op->hasFlags(pools.version)) {
    unsigned bits = llvm::count_if(op->flags, [&](const Flag &flag) {
      return flag.since <= pools.version;
    });
    flags = reader.index("flags", uint64_t(1) << bits);
  }
  readAttributes(reader, *op, names, flags, parts);
  readOperands(reader, *op, flags, parts);
  if (op->regions > 0) {
    if (depth + 1 >= deepest)
      return reader.fail("expected regions nested less deeply");
    if (reader.varint() != op->regions)
      return reader.fail("expected " + Twine(op->regions) + " regions of '" +
                         op->name + "'");
  }
  if (reader.getSource().hasFailed())
    return;
  // Attributes are set one by one: a dictionary would be uniqued for every
  // intermediate combination.
  Operation *created = Operation::create(
      loc, names.op, parts.types, parts.operands, DictionaryAttr::get(context),
      /*properties=*/nullptr, /*successors=*/BlockRange(), op->regions);
  builder.insert(created);
  for (auto [name, attribute] : parts.attributes)
    created->setInherentAttr(name, attribute);
  for (Region &region : created->getRegions())
    readRegion(reader, region, depth + 1);
  // Results that a version lacks have no value numbers either.
  if (op->resultsSince <= pools.version)
    values.insert(values.end(), created->result_begin(), created->result_end());
}

void FunctionReader::readResults(ByteReader &reader, const OpLayout &op,
                                 Parts &parts) {
  bool isYounger = op.resultsSince > pools.version;
  size_t count = op.countsResults ? reader.count("results") : *op.results;
  if (reader.getSource().hasFailed())
    return;
  if (op.results && count != (isYounger ? 0 : *op.results))
    return reader.fail("expected " + Twine(isYounger ? 0 : *op.results) +
                       " results of '" + op.name + "', found " + Twine(count));
  if (isYounger) // which are tokens
    parts.types.append(*op.results,
                       cuda_tile::TokenType::get(builder.getContext()));
  for (size_t i = 0; i < count; ++i)
    if (Type type = pools.types.read(reader))
      parts.types.push_back(type);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

void FunctionReader::readAttributes(ByteReader &reader, const OpLayout &op,
                                    const OpNames &names, uint64_t flags,
                                    Parts &parts) {
  uint32_t present = 0; // by index
  for (auto [bit, flag] : llvm::enumerate(op.flags)) {
    if (!(flags >> bit & 1))
      continue;
    if (flag.of == Flag::Unit)
      parts.attributes.emplace_back(names.flags[bit], builder.getUnitAttr());
    else if (flag.of == Flag::Attribute)
      present |= uint32_t(1) << flag.index;
  }
  for (auto [index, field] : llvm::enumerate(op.attributes)) {
    if (field.optional && !(present >> index & 1))
      continue;
    Attribute attribute;
    if (field.since <= pools.version)
      attribute = readAttribute(reader, op, names, index, parts);
    else if (field.fallback)
      attribute = field.codec->make(builder.getContext(), *field.fallback);
    if (reader.getSource().hasFailed())
      return;
    if (attribute)
      parts.attributes.emplace_back(names.attributes[index], attribute);
  }
}

/// Null for a list of only false, which is the default.
static Attribute readBools(ByteReader &reader, Builder &builder) {
  SmallVector<bool> bools(reader.count("truth values"));
  for (bool &value : bools)
    value = reader.byte() != 0;
  if (!llvm::is_contained(bools, true))
    return {};
  return builder.getDenseBoolArrayAttr(bools);
}

Attribute FunctionReader::readAttribute(ByteReader &reader, const OpLayout &op,
                                        const OpNames &names, size_t index,
                                        const Parts &parts) {
  MLIRContext *context = builder.getContext();
  const AttrField &field = op.attributes[index];
  switch (field.kind) {
  case AttrKind::Enum: {
    uint64_t number = reader.varint();
    ArrayRef<Attribute> cases = names.cases[index];
    Attribute value = number < cases.size() ? cases[number] : Attribute();
    if (!value) {
      reader.fail("expected a case of " + field.name + ", found " +
                  Twine(number));
      return {};
    }
    Version since;
    if (field.codec->name == "Rounding")
      since = sinceOfRounding(
          op.name, number, parts.types.empty() ? Type() : parts.types.front());
    if (since > pools.version)
      reader.fail("expected a rounding of '" + op.name + "' of version " +
                  pools.version.str() + ", found one of version " +
                  since.str());
    return value;
  }
  case AttrKind::Int32:
    return builder.getI32IntegerAttr(
        int32_t(reader.index("a number of 32 bits", uint64_t(1) << 32)));
  case AttrKind::Int64:
    return builder.getI64IntegerAttr(int64_t(reader.varint()));
  case AttrKind::Bool:
    return builder.getBoolAttr(reader.byte() != 0);
  case AttrKind::String:
    return pools.strings.read(reader);
  case AttrKind::Symbol:
    return FlatSymbolRefAttr::get(pools.strings.read(reader));
  case AttrKind::Ints32: {
    SmallVector<int32_t> numbers(reader.count("numbers", 4));
    for (int32_t &number : numbers)
      number = int32_t(reader.fixed(4));
    return builder.getDenseI32ArrayAttr(numbers);
  }
  case AttrKind::Bools:
    return readBools(reader, builder);
  case AttrKind::Array:
    return attributes.readArray(reader);
  case AttrKind::Hints: {
    DictionaryAttr hints = attributes.readDictionary(reader);
    if (reader.getSource().hasFailed())
      return {};
    Attribute checked = cuda_tile::OptimizationHintsAttr::getChecked(
        [&] { return mlir::emitError(reader.getSource().getLoc()); }, context,
        hints);
    if (!checked)
      reader.fail("expected hints by target");
    return checked;
  }
  case AttrKind::Dense: {
    auto type = parts.types.empty()
                    ? cuda_tile::TileType()
                    : dyn_cast<cuda_tile::TileType>(parts.types.front());
    if (!type)
      reader.fail("expected a constant that is a tile");
    return pools.constants.read(reader, type);
  }
  case AttrKind::Predicate:
    return attributes.readTagged(reader);
  }
  llvm_unreachable("all kinds of attributes are read");
}

//===----------------------------------------------------------------------===//
// Operands and regions
//===----------------------------------------------------------------------===//

void FunctionReader::readOperands(ByteReader &reader, const OpLayout &op,
                                  uint64_t flags, Parts &parts) {
  size_t least = op.leastOperands(), total = op.fields.size();
  if (op.operands == OpLayout::Operands::Counted) {
    total = reader.count("operands");
    bool many = llvm::any_of(op.fields, [](const OperandField &field) {
      return field.arity == OperandField::Many;
    });
    if (!reader.getSource().hasFailed() &&
        (total < least || (!many && total > op.fields.size())))
      return reader.fail("expected " + Twine(least) + " operands of '" +
                         op.name + "', found " + Twine(total));
  }
  if (op.operands != OpLayout::Operands::Grouped) {
    for (size_t i = 0; i < total && !reader.getSource().hasFailed(); ++i)
      parts.operands.push_back(readValue(reader));
    return;
  }
  SmallVector<int32_t> sizes;
  for (auto [index, field] : llvm::enumerate(op.fields)) {
    size_t size = 1;
    if (field.arity == OperandField::Many) {
      size = reader.count("operands");
    } else if (field.arity == OperandField::Maybe) {
      const Flag *flag = llvm::find_if(op.flags, [&](const Flag &it) {
        return it.of == Flag::Operand && it.index == index;
      });
      size = flags >> (flag - op.flags.begin()) & 1;
    }
    sizes.push_back(int32_t(size));
    for (size_t i = 0; i < size && !reader.getSource().hasFailed(); ++i)
      parts.operands.push_back(readValue(reader));
  }
  parts.attributes.emplace_back(segmentSizes,
                                builder.getDenseI32ArrayAttr(sizes));
}

void FunctionReader::readRegion(ByteReader &reader, Region &region,
                                unsigned depth) {
  if (reader.index("blocks, one or none,", 2) == 0)
    return;
  MLIRContext *context = builder.getContext();
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&region);
  size_t outside = values.size();
  for (size_t left = reader.count("arguments"); left > 0; --left) {
    Type type = pools.types.read(reader);
    if (!type)
      return;
    values.push_back(block->addArgument(type, UnknownLoc::get(context)));
  }
  for (size_t left = reader.count("ops"); left > 0; --left) {
    readOp(reader, depth);
    if (reader.getSource().hasFailed())
      break;
  }
  values.resize(outside);
}

} // namespace tilegpt::target::cudatile
