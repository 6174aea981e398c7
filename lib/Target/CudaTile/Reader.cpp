// Files: header, sections, functions and globals.
#include "FunctionReader.h"
#include "TileGPT/Dialect/CudaTile/IR/CudaTileOps.h"
#include "TileGPT/Target/CudaTile/Bytecode.h"
#include "mlir/IR/Threading.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

namespace tilegpt::target::cudatile {

bool isBytecode(StringRef bytes) { return bytes.starts_with(magic); }

namespace {
/// A function whose head is read.
struct UnreadFunction {
  cuda_tile::EntryOp entry;
  ByteReader body;
  uint64_t locations; ///< its number
};

class FileReader {
public:
  FileReader(Source &source)
      : source(source), file(source, 0, source.getBytes().size()) {}

  /// Null after an error.
  OwningOpRef<cuda_tile::ModuleOp> read();

private:
  void readHeader();
  void readSections();
  /// A section; empty if absent.
  ByteReader open(Section section, Source &source);
  ByteReader open(Section section) { return open(section, source); }
  void readPools(Source &source, ReaderPools &pools);
  StringAttr readName(ByteReader &reader);
  void readGlobals(OpBuilder &builder);
  LogicalResult readFunctions(OpBuilder &builder);
  void readHead(ByteReader &reader, OpBuilder &builder,
                std::vector<UnreadFunction> &functions);
  LogicalResult readBodies(ArrayRef<UnreadFunction> functions);

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

ByteReader FileReader::open(Section section, Source &source) {
  const std::optional<ByteReader> &found = sections[section];
  return found ? found->in(source) : ByteReader(source, 0, 0);
}

void FileReader::readPools(Source &source, ReaderPools &pools) {
  for (Section needed : {StringSection, FunctionSection})
    if (!sections[needed])
      return source.fail(0, "expected section " + Twine(unsigned(needed)));
  pools.strings = Strings(Items(open(StringSection, source), 4));
  if (sections[TypeSection])
    pools.types = Types(Items(open(TypeSection, source), 4), pools.version);
  if (sections[ConstantSection])
    pools.constants = Constants(Items(open(ConstantSection, source), 8));
  if (sections[DebugSection])
    pools.locations =
        Locations(open(DebugSection, source), pools.strings, pools.version);
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
    cuda_tile::GlobalOp::create(builder, source.getLoc(), name, value,
                                alignment, isConstant, visibility);
  }
}

void FileReader::readHead(ByteReader &reader, OpBuilder &builder,
                          std::vector<UnreadFunction> &functions) {
  StringAttr name = readName(reader);
  auto type = pools.types.read<FunctionType>(reader, "a function type");
  uint8_t flags = reader.byte();
  uint64_t locations = pools.locations.readNumber(reader);
  bool newest = pools.version >= Version{13, 5};
  if (!source.hasFailed() && (flags & ~HintedFunction) != KernelFunction)
    return reader.fail("expected a public kernel, found flags " +
                       Twine(unsigned(flags)));
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
  Location loc = pools.locations.of(locations).next(builder.getContext());
  auto entry = cuda_tile::EntryOp::create(builder, loc, name, type, ArrayAttr(),
                                          ArrayAttr(), hints);
  Block &block = entry.getBody().emplaceBlock();
  for (Type input : type.getInputs())
    block.addArgument(input, loc);
  functions.push_back({entry, body, locations});
}

/// Reads and verifies bodies up to the first error.
static LogicalResult readAll(ArrayRef<UnreadFunction> functions, Source &source,
                             ReaderPools &pools) {
  for (UnreadFunction function : functions) {
    MLIRContext *context = function.entry.getContext();
    Locations::Cursor locations = pools.locations.of(function.locations);
    locations.next(context); // of the function itself
    FunctionReader(pools, locations, context)
        .read(function.body.in(source), function.entry.getBody().front());
    if (source.hasFailed() || failed(mlir::verify(function.entry)))
      return failure();
  }
  return success();
}

/// Divides functions into neighbours that are read by one thread.
static std::vector<ArrayRef<UnreadFunction>>
divide(ArrayRef<UnreadFunction> functions, unsigned threads) {
  constexpr size_t least = 1 << 15; // bytes; reading the pools again costs time
  size_t total = 0, bytes = 0;
  for (const UnreadFunction &function : functions)
    total += function.body.getRemaining();
  const size_t share = std::max(least, total / threads);
  std::vector<ArrayRef<UnreadFunction>> parts;
  const UnreadFunction *begin = functions.begin();
  for (const UnreadFunction &function : functions) {
    bytes += function.body.getRemaining();
    if (bytes < share && &function != &functions.back())
      continue;
    parts.emplace_back(begin, &function + 1);
    begin = &function + 1;
    bytes = 0;
  }
  return parts;
}

LogicalResult FileReader::readBodies(ArrayRef<UnreadFunction> functions) {
  MLIRContext *context = source.getContext();
  const unsigned threads =
      context->isMultithreadingEnabled() ? context->getNumThreads() : 1;
  const auto parts = divide(functions, threads);
  if (parts.size() == 1)
    return readAll(functions, source, pools);
  // Pools cache what they have read, so each part has its own.
  return failableParallelForEach(context, parts,
                                 [&](ArrayRef<UnreadFunction> part) {
                                   Source ownSource = source;
                                   ReaderPools ownPools;
                                   ownPools.version = pools.version;
                                   readPools(ownSource, ownPools);
                                   return readAll(part, ownSource, ownPools);
                                 });
}

LogicalResult FileReader::readFunctions(OpBuilder &builder) {
  ByteReader reader = open(FunctionSection);
  std::vector<UnreadFunction> functions;
  for (size_t left = reader.count("functions", 5);
       left > 0 && !source.hasFailed(); --left)
    readHead(reader, builder, functions);
  return failure(source.hasFailed() || failed(readBodies(functions)));
}

OwningOpRef<cuda_tile::ModuleOp> FileReader::read() {
  readHeader();
  readSections();
  if (!source.hasFailed())
    readPools(source, pools);
  if (source.hasFailed())
    return {};
  OpBuilder builder(source.getContext());
  OwningOpRef<cuda_tile::ModuleOp> module = cuda_tile::ModuleOp::create(
      builder, source.getLoc(), "kernels", StringAttr());
  builder.setInsertionPointToStart(&module->getBody().emplaceBlock());
  if (sections[ProducerSection]) {
    ByteReader producer = open(ProducerSection);
    module->setProducerAttr(pools.strings.read(producer));
  }
  readGlobals(builder);
  if (source.hasFailed())
    return {};
  for (auto global : module->getOps<cuda_tile::GlobalOp>())
    if (failed(mlir::verify(global)))
      return {};
  // What is left to verify are the module's own rules: those about symbols.
  if (failed(readFunctions(builder)) ||
      failed(mlir::verify(*module, /*verifyRecursively=*/false)))
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
