// Files: header, sections, functions and globals.
#include "FunctionReader.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace tilegpt::target::cudatile {

bool isBytecode(StringRef bytes) { return bytes.starts_with(magic); }

namespace {
class FileReader {
public:
  FileReader(Source &source)
      : source(source), file(source, 0, source.getBytes().size()) {}

  /// Null after an error.
  OwningOpRef<cuda_tile::ModuleOp> read();

private:
  void readHeader();
  void readSections();
  ByteReader open(Section section);
  void readPools();
  StringAttr readName(ByteReader &reader);
  void readGlobals(OpBuilder &builder);
  void readFunctions(OpBuilder &builder);
  void readFunction(ByteReader &reader, OpBuilder &builder);

  Source &source;
  ByteReader file;
  ReaderPools pools;
  std::optional<ByteReader> sections[ProducerSection + 1];
};
} // namespace

void FileReader::readHeader() {
  if (file.take(magic.size()) != magic)
    return source.fail(0, "expected bytecode of CUDA Tile IR");
  pools.version = {file.byte(), file.byte()};
  uint64_t tag = file.fixed(2);
  if (!llvm::is_contained(Version::all(), pools.version))
    return file.fail("expected version " + Version::all().front().str() +
                     " to " + Version::all().back().str() + ", found " +
                     pools.version.str());
  if (tag != 0)
    file.fail("expected a file without preview features, found tag " +
              Twine(tag));
}

void FileReader::readSections() {
  while (!source.hasFailed()) {
    uint8_t head = file.byte();
    if (source.hasFailed())
      return;
    unsigned id = head & ~alignedSection;
    if (id == EndSection) {
      if (!file.atEnd())
        file.fail("expected nothing after the end of the file");
      return;
    }
    if (id > ProducerSection)
      return file.fail("expected a section up to " +
                       Twine(unsigned(ProducerSection)) + ", found " +
                       Twine(id));
    if (sections[id])
      return file.fail("expected section " + Twine(id) + " once");
    uint64_t size = file.varint();
    if (head & alignedSection) {
      uint64_t alignment = file.index("an alignment", 4097);
      if (!llvm::isPowerOf2_64(alignment))
        return file.fail("expected an alignment that is a power of two");
      file.align(alignment);
    }
    if (size > file.getRemaining())
      return file.fail("expected a section of " + Twine(size) +
                       " bytes, found " + Twine(file.getRemaining()));
    sections[id] = file.part(size);
  }
}

/// A section; empty if absent.
ByteReader FileReader::open(Section section) {
  return sections[section].value_or(ByteReader(source, 0, 0));
}

void FileReader::readPools() {
  for (Section needed : {StringSection, FunctionSection})
    if (!sections[needed])
      return source.fail(0, "expected section " + Twine(unsigned(needed)));
  pools.strings = Strings(Items(open(StringSection), 4));
  if (sections[TypeSection])
    pools.types = Types(Items(open(TypeSection), 4), pools.version);
  if (sections[ConstantSection])
    pools.constants = Constants(Items(open(ConstantSection), 8));
  if (sections[DebugSection])
    pools.locations =
        Locations(open(DebugSection), pools.strings, pools.version);
}

/// The name of a function or global, which text has to be able to write.
StringAttr FileReader::readName(ByteReader &reader) {
  StringAttr name = pools.strings.read(reader);
  if (name.empty())
    reader.fail("expected a name that is not empty");
  return name;
}

void FileReader::readGlobals(OpBuilder &builder) {
  if (!sections[GlobalSection])
    return;
  ByteReader reader = open(GlobalSection);
  MLIRContext *context = builder.getContext();
  for (size_t left = reader.count("globals", 4); left > 0; --left) {
    StringAttr name = readName(reader);
    auto type = pools.types.read<cuda_tile::TileType>(reader, "a tile");
    DenseIntOrFPElementsAttr value = pools.constants.read(reader, type);
    uint64_t alignment = reader.varint();
    bool isConstant = false;
    auto visibility = cuda_tile::SymbolVisibility::Public;
    if (pools.version >= Version{13, 3}) {
      visibility =
          cuda_tile::SymbolVisibility(reader.index("public or private", 2));
      isConstant = reader.index("0 or 1", 2) == 1;
    }
    if (source.hasFailed())
      return;
    cuda_tile::GlobalOp::create(
        builder, source.getLoc(), name, value,
        builder.getI64IntegerAttr(int64_t(alignment)),
        isConstant ? builder.getUnitAttr() : UnitAttr(),
        cuda_tile::SymbolVisibilityAttr::get(context, visibility));
  }
}

void FileReader::readFunctions(OpBuilder &builder) {
  ByteReader reader = open(FunctionSection);
  for (size_t left = reader.count("functions", 5); left > 0; --left) {
    readFunction(reader, builder);
    if (source.hasFailed())
      return;
  }
}

void FileReader::readFunction(ByteReader &reader, OpBuilder &builder) {
  StringAttr name = readName(reader);
  auto type = pools.types.read<FunctionType>(reader, "a function type");
  uint8_t flags = reader.byte();
  Locations::Cursor locations = pools.locations.of(reader);
  bool newest = pools.version >= Version{13, 5};
  if (!source.hasFailed() && (flags & ~HintedFunction) != KernelFunction)
    return reader.fail("expected a public kernel, found flags " + Twine(flags));
  Attributes attributes(pools.strings, pools.types, pools.constants);
  cuda_tile::OptimizationHintsAttr hints;
  if (newest || (flags & HintedFunction)) {
    Attribute found = attributes.readTagged(reader);
    hints = dyn_cast_or_null<cuda_tile::OptimizationHintsAttr>(found);
    if (!hints)
      return reader.fail("expected hints of a kernel");
    if (hints.getValue().empty())
      hints = {};
  }
  if (newest) {
    auto arguments = dyn_cast_or_null<ArrayAttr>(attributes.readTagged(reader));
    if (!arguments || !arguments.empty())
      return reader.fail("expected no attributes of arguments");
  }
  ByteReader body = reader.part(reader.varint());
  if (source.hasFailed())
    return;
  Location loc = locations.next(builder.getContext());
  auto entry = cuda_tile::EntryOp::create(
      builder, loc, name, TypeAttr::get(type), ArrayAttr(), ArrayAttr(), hints);
  Block &block = entry.getBody().emplaceBlock();
  for (Type input : type.getInputs())
    block.addArgument(input, loc);
  FunctionReader(pools, locations, builder.getContext()).read(body, block);
}

OwningOpRef<cuda_tile::ModuleOp> FileReader::read() {
  readHeader();
  readSections();
  if (!source.hasFailed())
    readPools();
  if (source.hasFailed())
    return {};
  OpBuilder builder(source.getContext());
  OwningOpRef<cuda_tile::ModuleOp> module = cuda_tile::ModuleOp::create(
      builder, source.getLoc(), builder.getStringAttr("kernels"), StringAttr());
  builder.setInsertionPointToStart(&module->getBody().emplaceBlock());
  if (sections[ProducerSection]) {
    ByteReader producer = open(ProducerSection);
    module->setProducerAttr(pools.strings.read(producer));
  }
  readGlobals(builder);
  readFunctions(builder);
  if (source.hasFailed() || failed(mlir::verify(*module)))
    return {};
  return module;
}

OwningOpRef<cuda_tile::ModuleOp> readBytecode(StringRef bytes, StringRef name,
                                              MLIRContext *context) {
  context->loadDialect<cuda_tile::CudaTileDialect>();
  Source source(bytes, name, context);
  return FileReader(source).read();
}

} // namespace tilegpt::target::cudatile
