// Reads dictionaries entry by entry and rejects unread entries, so that a
// misspelled entry is never treated as absent.
#include "TileGPT/Target/NVVM/LaunchAttributes.h"
#include "TileGPT/Target/LLVM/Postfix.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::target;
using bundle::DeviceFlag;

namespace {

/// A dictionary whose entries are consumed one by one.
class EntryReader {
public:
  EntryReader(LLVM::LLVMFuncOp kernel, StringRef attribute,
              DictionaryAttr entries)
      : kernel(kernel), attribute(attribute), entries(entries) {}

  /// The value of an integer entry, or `absent` if there is none.
  FailureOr<int64_t> takeInteger(StringRef name, int64_t absent, int64_t low,
                                 int64_t high) {
    Attribute value = take(name);
    if (!value)
      return absent;
    auto number = dyn_cast<IntegerAttr>(value);
    if (!number || !number.getType().isSignlessInteger(32) ||
        number.getInt() < low || number.getInt() > high)
      return report(name, "an i32 from " + Twine(low) + " to " + Twine(high),
                    value);
    return number.getInt();
  }

  /// The index of an integer entry in `values`, 0 if there is none.
  FailureOr<uint8_t> takeChoice(StringRef name, ArrayRef<int64_t> values) {
    Attribute value = take(name);
    if (!value)
      return 0;
    auto number = dyn_cast<IntegerAttr>(value);
    if (number)
      for (auto [position, allowed] : llvm::enumerate(values))
        if (number.getInt() == allowed)
          return uint8_t(position);
    std::string list;
    llvm::raw_string_ostream(list) << llvm::interleaved(values);
    return report(name, "one of " + list, value);
  }

  FailureOr<bool> takeFlag(StringRef name) {
    Attribute value = take(name);
    if (value && !isa<UnitAttr>(value))
      return report(name, "no value", value);
    return bool(value);
  }

  /// The attribute of a required entry.
  template <typename Kind>
  FailureOr<Kind> takeOnly(StringRef name, const Twine &expected) {
    Attribute value = take(name);
    if (auto kind = dyn_cast_or_null<Kind>(value))
      return kind;
    return report(name, expected, value);
  }

  /// Fails if an entry was not consumed.
  LogicalResult finish() {
    for (NamedAttribute entry : entries)
      if (!llvm::is_contained(taken, entry.getName().getValue()))
        return kernel.emitOpError("'")
               << attribute << "' has an unknown entry '"
               << entry.getName().getValue() << "'; known are "
               << llvm::join(taken, ", ");
    return success();
  }

  LogicalResult report(StringRef name, const Twine &expected, Attribute found) {
    auto diagnostic = kernel.emitOpError("'")
                      << attribute << "' expected '" << name << "' to be "
                      << expected << ", found ";
    if (found)
      diagnostic << found;
    else
      diagnostic << "nothing";
    return diagnostic;
  }

private:
  Attribute take(StringRef name) {
    taken.push_back(name);
    return entries.get(name);
  }

  LLVM::LLVMFuncOp kernel;
  StringRef attribute;
  DictionaryAttr entries;
  SmallVector<StringRef> taken;
};

} // namespace

/// Threads per block from `nvvm.reqntid`, 0 if absent.
static int64_t requiredThreads(LLVM::LLVMFuncOp kernel) {
  auto sizes = kernel->getAttrOfType<DenseI32ArrayAttr>("nvvm.reqntid");
  if (!sizes)
    return 0;
  int64_t threads = 1;
  for (int32_t size : sizes.asArrayRef())
    threads *= size;
  return threads;
}

static LogicalResult readLaunch(LLVM::LLVMFuncOp kernel,
                                const GpuTarget &target,
                                bundle::DeviceKernel &launch) {
  auto entries = DictionaryAttr::get(kernel.getContext());
  if (Attribute attribute = kernel->getAttr(launchAttr)) {
    entries = dyn_cast<DictionaryAttr>(attribute);
    if (!entries)
      return kernel.emitOpError("expected '")
             << launchAttr << "' to be a dictionary, found " << attribute;
  }
  EntryReader reader(kernel, launchAttr, entries);
  const int64_t required = requiredThreads(kernel);
  FailureOr<int64_t> threads = reader.takeInteger("threads", required, 1, 1024);
  FailureOr<int64_t> shared =
      reader.takeInteger("shared_bytes", 0, 0, target.sharedBytesPerBlock);
  FailureOr<int64_t> cluster =
      reader.takeInteger("cluster", 1, 1, target.hasTma ? 8 : 1);
  FailureOr<int64_t> blocks =
      reader.takeInteger("blocks_per_multiprocessor", 0, 1, 32);
  FailureOr<bool> persistent = reader.takeFlag("persistent");
  FailureOr<bool> dependent = reader.takeFlag("dependent_launch");
  if (failed(threads) || failed(shared) || failed(cluster) || failed(blocks) ||
      failed(persistent) || failed(dependent) || failed(reader.finish()))
    return failure();

  if (*threads == 0)
    return kernel.emitOpError("expected '")
           << launchAttr
           << "' or 'nvvm.reqntid' to give the threads of a block";
  if (required != 0 && *threads != required)
    return kernel.emitOpError("expected the threads of '")
           << launchAttr << "' (" << *threads
           << ") to be those of 'nvvm.reqntid' (" << required << ")";
  if (*blocks != 0 && !*persistent)
    return kernel.emitOpError("'")
           << launchAttr
           << "' has 'blocks_per_multiprocessor', which only a "
              "persistent kernel may have";
  if (*dependent && !target.hasTma)
    return kernel.emitOpError("'")
           << launchAttr << "' has 'dependent_launch', which " << target.name
           << " cannot do";

  launch.threads = uint32_t(*threads);
  launch.sharedBytes = uint32_t(*shared);
  launch.clusterSize = uint8_t(*cluster);
  if (*persistent) {
    launch.flags |= uint8_t(DeviceFlag::Persistent);
    launch.blocksPerMultiprocessor = uint8_t(std::max<int64_t>(*blocks, 1));
  }
  if (*dependent)
    launch.flags |= uint8_t(DeviceFlag::ProgrammaticDependentLaunch);
  return success();
}

static FailureOr<bundle::TensorMap> readTensorMap(LLVM::LLVMFuncOp kernel,
                                                  DictionaryAttr entries) {
  EntryReader reader(kernel, tensorMapsAttr, entries);
  FailureOr<int64_t> argument = reader.takeInteger("argument", -1, 0, 65535);
  FailureOr<TypeAttr> type =
      reader.takeOnly<TypeAttr>("type", "an element type");
  FailureOr<DenseI32ArrayAttr> box = reader.takeOnly<DenseI32ArrayAttr>(
      "box", "the sizes of a box, fastest axis first");
  FailureOr<uint8_t> swizzle = reader.takeChoice("swizzle", {0, 32, 64, 128});
  FailureOr<uint8_t> promotion =
      reader.takeChoice("l2_promotion", {0, 64, 128, 256});
  if (failed(argument) || failed(type) || failed(box) || failed(swizzle) ||
      failed(promotion) || failed(reader.finish()))
    return failure();

  bundle::TensorMap map;
  if (*argument < 0)
    return reader.report("argument", "the number of a view", Attribute());
  map.argument = uint16_t(*argument);
  std::string spelling;
  llvm::raw_string_ostream(spelling) << type->getValue();
  const std::optional<bundle::ElementType> element =
      bundle::parseElementType(spelling);
  if (!element)
    return reader.report("type", "an element type of bundles", *type);
  map.type = *element;

  const ArrayRef<int32_t> sizes = box->asArrayRef();
  // Limits of a descriptor: five axes, 256 elements along each.
  if (sizes.empty() || sizes.size() > bundle::maxTensorMapRank ||
      !llvm::all_of(sizes, [](int32_t n) { return n >= 1 && n <= 256; }))
    return reader.report("box", "1 to 5 sizes from 1 to 256", *box);
  map.rank = uint8_t(sizes.size());
  llvm::copy(sizes, map.box);
  map.swizzle = bundle::TensorSwizzle(*swizzle);
  map.l2Promotion = bundle::L2Promotion(*promotion);
  return map;
}

/// Reads one view and appends its expressions to those of the preceding views.
static LogicalResult readLaunchView(LLVM::LLVMFuncOp kernel,
                                    DictionaryAttr entries,
                                    LaunchAttributes &result) {
  EntryReader reader(kernel, launchViewsAttr, entries);
  FailureOr<int64_t> pointer = reader.takeInteger("pointer", -1, 0, 65535);
  FailureOr<AffineMapAttr> words = reader.takeOnly<AffineMapAttr>(
      "words", "a map from parameters to sizes and strides");
  if (failed(pointer) || failed(words) || failed(reader.finish()))
    return failure();
  if (*pointer < 0)
    return reader.report("pointer", "the number of a parameter", Attribute());
  const AffineMap map = words->getValue();
  const unsigned count = map.getNumResults();
  if (map.getNumDims() != 0 || count == 0 || count % 2 != 0 ||
      count > 2 * bundle::maxTensorMapRank)
    return reader.report("words",
                         "a map of symbols to 1 to 5 sizes and as many "
                         "strides",
                         *words);
  bundle::LaunchView &view = result.launchViews.emplace_back();
  view.pointer = uint16_t(*pointer);
  view.rank = uint16_t(count / 2);
  for (auto [number, word] : llvm::enumerate(map.getResults())) {
    const size_t first = result.launchWords.size();
    appendPostfix(
        word,
        [](unsigned symbol) {
          return bundle::Expression::scalar(uint16_t(symbol));
        },
        result.launchWords);
    view.words[number] = {uint32_t(first),
                          uint32_t(result.launchWords.size() - first)};
  }
  return success();
}

/// The dictionaries of an array attribute; none without the attribute.
static FailureOr<SmallVector<DictionaryAttr>>
readDictionaries(LLVM::LLVMFuncOp kernel, StringRef name) {
  Attribute attribute = kernel->getAttr(name);
  if (!attribute)
    return SmallVector<DictionaryAttr>();
  auto entries = dyn_cast<ArrayAttr>(attribute);
  if (!entries || !llvm::all_of(entries, llvm::IsaPred<DictionaryAttr>))
    return kernel.emitOpError("expected '")
           << name << "' to be an array of dictionaries, found " << attribute;
  return llvm::to_vector(entries.getAsRange<DictionaryAttr>());
}

FailureOr<LaunchAttributes>
target::readLaunchAttributes(LLVM::LLVMFuncOp kernel, const GpuTarget &target) {
  LaunchAttributes result;
  if (failed(readLaunch(kernel, target, result.launch)))
    return failure();
  auto maps = readDictionaries(kernel, tensorMapsAttr),
       views = readDictionaries(kernel, launchViewsAttr);
  if (failed(maps) || failed(views))
    return failure();
  if (!maps->empty() && !target.hasTma)
    return kernel.emitOpError("has '")
           << tensorMapsAttr << "', but " << target.name << " has no TMA";
  for (DictionaryAttr entries : *maps) {
    FailureOr<bundle::TensorMap> map = readTensorMap(kernel, entries);
    if (failed(map))
      return failure();
    result.tensorMaps.push_back(*map);
  }
  for (DictionaryAttr entries : *views)
    if (failed(readLaunchView(kernel, entries, result)))
      return failure();
  return result;
}
