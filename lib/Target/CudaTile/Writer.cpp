// Writes files.
#include "FunctionWriter.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"

using namespace mlir;

namespace tilegpt::target::cudatile {

namespace {
class FileWriter {
public:
  FileWriter(cuda_tile::ModuleOp module, Version version)
      : module(module), pools(version) {}

  LogicalResult write(raw_ostream &output);

private:
  void writeFunctions();
  void writeGlobals();
  void writeLocations();
  void writeItems(Section section, const ItemTable &items, unsigned width);
  void append(Section section, unsigned alignment, const ByteWriter &payload);

  cuda_tile::ModuleOp module;
  WriterPools pools;
  ByteWriter file;
  std::vector<std::vector<uint64_t>> locations; ///< of each function
};
} // namespace

void FileWriter::append(Section section, unsigned alignment,
                        const ByteWriter &payload) {
  file.byte(alignment > 1 ? section | alignedSection : section);
  file.varint(payload.size());
  if (alignment > 1) {
    file.varint(alignment);
    file.align(alignment);
  }
  file.append(payload.str());
}

void FileWriter::writeItems(Section section, const ItemTable &items,
                            unsigned width) {
  ByteWriter payload;
  items.write(payload, width);
  append(section, width, payload);
}

void FileWriter::writeFunctions() {
  ByteWriter payload;
  auto entries = module.getOps<cuda_tile::EntryOp>();
  payload.varint(std::distance(entries.begin(), entries.end()));
  bool newest = pools.version >= Version{13, 5};
  for (cuda_tile::EntryOp entry : entries) {
    pools.setOp(entry);
    cuda_tile::OptimizationHintsAttr hints = entry.getOptimizationHintsAttr();
    bool isHinted = hints && !hints.getValue().empty();
    payload.varint(pools.add(entry.getSymName()));
    payload.varint(pools.add(Type(entry.getFunctionType())));
    payload.byte(KernelFunction | (isHinted && !newest ? HintedFunction : 0));
    std::vector<uint64_t> own = {pools.add(LocationAttr(entry.getLoc()))};
    FunctionWriter function(pools);
    ByteWriter body = function.write(entry.getBody().front());
    llvm::append_range(own, function.getLocations());
    // 0 means that all are unknown.
    bool known = llvm::any_of(own, [](uint64_t number) { return number != 0; });
    if (known)
      locations.push_back(std::move(own));
    payload.varint(known ? locations.size() : 0);
    if (!hints)
      hints = cuda_tile::OptimizationHintsAttr::get(
          module.getContext(), DictionaryAttr::get(module.getContext()));
    if (isHinted || newest)
      pools.writeTagged(payload, hints);
    if (newest) // attributes of arguments, of which there are none
      pools.writeTagged(payload, ArrayAttr::get(module.getContext(), {}));
    payload.varint(body.size());
    payload.append(body.str());
  }
  append(FunctionSection, 8, payload);
}

void FileWriter::writeGlobals() {
  ByteWriter payload;
  auto globals = module.getOps<cuda_tile::GlobalOp>();
  if (globals.empty())
    return;
  payload.varint(std::distance(globals.begin(), globals.end()));
  for (cuda_tile::GlobalOp global : globals) {
    pools.setOp(global);
    payload.varint(pools.add(global.getSymName()));
    payload.varint(pools.add(Type(global.getValue().getType())));
    payload.varint(pools.add(global.getValue()));
    payload.varint(global.getAlignment());
    bool isPrivate =
        global.getSymbolVisibility() == cuda_tile::SymbolVisibility::Private;
    if (pools.version >= Version{13, 3}) {
      payload.varint(isPrivate);
      payload.varint(global.getConstant());
      continue;
    }
    if (isPrivate)
      pools.require({13, 3}, "private");
    if (global.getConstant())
      pools.require({13, 3}, "constant");
  }
  append(GlobalSection, 1, payload);
}

void FileWriter::writeLocations() {
  if (pools.locations.empty())
    return;
  ByteWriter payload;
  payload.varint(locations.size());
  payload.align(4);
  size_t total = 0;
  for (const auto &own : locations) {
    payload.fixed(total, 4);
    total += own.size();
  }
  payload.varint(total);
  payload.align(8);
  for (const auto &own : locations)
    for (uint64_t number : own)
      payload.fixed(number, 8);
  pools.locations.write(payload, 4);
  append(DebugSection, 8, payload);
}

LogicalResult FileWriter::write(raw_ostream &output) {
  file.append(magic);
  file.byte(pools.version.major);
  file.byte(pools.version.minor);
  file.fixed(0, 2);
  for (Operation &op : module.getBody().front())
    if (!isa<cuda_tile::EntryOp, cuda_tile::GlobalOp>(op))
      return op.emitOpError("expected only entries and globals in bytecode");
  // Users of strings, types and constants are written before these pools.
  writeFunctions();
  writeGlobals();
  if (!pools.constants.empty())
    writeItems(ConstantSection, pools.constants, 8);
  writeLocations();
  if (std::optional<StringRef> producer = module.getProducer()) {
    pools.setOp(module);
    pools.require({13, 3}, "a producer");
    ByteWriter payload;
    payload.varint(pools.add(*producer));
    append(ProducerSection, 1, payload);
  }
  writeItems(TypeSection, pools.types, 4);
  writeItems(StringSection, pools.strings, 4);
  file.byte(EndSection);
  if (pools.hasFailed())
    return failure();
  output << file.str();
  return success();
}

LogicalResult writeBytecode(cuda_tile::ModuleOp module, Version version,
                            raw_ostream &output) {
  return FileWriter(module, version).write(output);
}

} // namespace tilegpt::target::cudatile
