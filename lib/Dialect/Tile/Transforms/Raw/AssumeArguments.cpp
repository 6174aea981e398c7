// Adds assumptions about the arguments of raw kernels: those observed at a
// launch, and those given by a flag.
#include "TileGPT/Dialect/Tile/Transforms/Raw/AssumeArguments.h"
#include "ArgumentUses.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/Tile/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tile {
#define GEN_PASS_DEF_ASSUMEARGUMENTSPASS
#include "TileGPT/Dialect/Tile/Transforms/Passes.h.inc"

std::vector<WantedFacts> wantedFacts(KernelOp kernel) {
  const int64_t elements = accessBytes / narrowestBytes(kernel);
  std::vector<WantedFacts> wanted;
  for (BlockArgument argument : kernel.getArguments()) {
    WantedFacts &facts = wanted.emplace_back();
    const bool isPointer = isa<PtrType>(argument.getType());
    if (!isPointer && !isInteger(argument.getType()))
      continue;
    facts.divisor = isPointer ? accessBytes : elements;
    if (promisedDivisor(argument) >= facts.divisor)
      facts.divisor = 1;
    if (isPointer)
      continue;
    if (!argument.getType().isIndex())
      facts.bits = argument.getType().getIntOrFloatBitWidth();
    facts.isOne = !argument.use_empty();
    forEachArgumentUse(argument, [&](OpOperand &use) {
      facts.isOne &= !sizeAxis(use).has_value();
    });
  }
  return wanted;
}

void assumeArguments(KernelOp kernel, ArrayRef<ArgumentFacts> facts) {
  OpBuilder b = OpBuilder::atBlockBegin(kernel.getEntryBlock());
  SmallVector<Attribute> assumed;
  for (auto [argument, known] : llvm::zip_equal(kernel.getArguments(), facts)) {
    if (known == ArgumentFacts())
      continue;
    SmallVector<NamedAttribute> entry = {b.getNamedAttr(
        "argument", b.getI64IntegerAttr(argument.getArgNumber()))};
    Value value;
    if (known.value) {
      entry.push_back(
          b.getNamedAttr("value", b.getI64IntegerAttr(*known.value)));
      value = arith::ConstantOp::create(
          b, argument.getLoc(),
          b.getIntegerAttr(argument.getType(), *known.value));
      argument.replaceAllUsesWith(value);
    } else {
      entry.push_back(
          b.getNamedAttr("div_by", b.getI64IntegerAttr(known.divisor)));
      value = AssumeOp::create(b, argument.getLoc(), argument,
                               b.getI64IntegerAttr(known.divisor),
                               /*bounded=*/DenseI64ArrayAttr());
      argument.replaceAllUsesExcept(value, value.getDefiningOp());
    }
    assumed.push_back(b.getDictionaryAttr(entry));
  }
  if (!assumed.empty())
    kernel->setAttr(assumedArgumentsAttr, b.getArrayAttr(assumed));
}

SmallVector<std::pair<unsigned, ArgumentFacts>> assumedFacts(KernelOp kernel) {
  SmallVector<std::pair<unsigned, ArgumentFacts>> facts;
  auto assumed = kernel->getAttrOfType<ArrayAttr>(assumedArgumentsAttr);
  if (!assumed)
    return facts;
  for (auto entry : assumed.getAsRange<DictionaryAttr>()) {
    ArgumentFacts known;
    if (auto value = entry.getAs<IntegerAttr>("value"))
      known.value = value.getInt();
    if (auto divisor = entry.getAs<IntegerAttr>("div_by"))
      known.divisor = divisor.getInt();
    auto argument = entry.getAs<IntegerAttr>("argument");
    facts.emplace_back(unsigned(argument.getInt()), known);
  }
  return facts;
}

namespace {
struct AssumeArguments : impl::AssumeArgumentsPassBase<AssumeArguments> {
  using AssumeArgumentsPassBase::AssumeArgumentsPassBase;

  void runOnOperation() override {
    getOperation().walk([&](KernelOp kernel) {
      if (kernel.isRaw())
        kernels.emplace_back(
            kernel, SmallVector<ArgumentFacts>(kernel.getArguments().size()));
    });
    for (StringRef entry : facts)
      if (failed(read(entry)))
        return signalPassFailure();
    for (auto &[kernel, known] : kernels)
      assumeArguments(kernel, known);
  }

private:
  LogicalResult fail(StringRef entry, const Twine &message) {
    return getOperation().emitError() << "assume=" << entry << ": " << message;
  }

  /// Records what an entry says about each kernel.
  LogicalResult read(StringRef entry) {
    auto malformed = [&] {
      return fail(entry, "expected a divisor that is a power of two, as in 16, "
                         "the number of an argument with one, as in 3:8, or "
                         "with its value, as in 5=1");
    };
    if (kernels.empty())
      return fail(
          entry,
          "assumptions apply to kernels with 'grid launch', and there is none");
    if (int64_t divisor; !entry.getAsInteger(10, divisor)) {
      if (!isDivisor(divisor))
        return malformed();
      for (auto &[kernel, known] : kernels)
        for (auto [fact, more] :
             llvm::zip_equal(known, factsOfAll(kernel, divisor)))
          fact.divisor = std::max(fact.divisor, more.divisor);
      return success();
    }
    const bool isValue = entry.contains('=');
    auto [argument, number] = entry.split(isValue ? '=' : ':');
    unsigned index;
    ArgumentFacts known;
    int64_t value;
    if (argument.getAsInteger(10, index) || number.getAsInteger(10, value) ||
        (!isValue && !isDivisor(value)))
      return malformed();
    if (isValue)
      known.value = value;
    else
      known.divisor = value;
    if (kernels.size() != 1)
      return fail(entry, "expected one kernel with 'grid launch', found " +
                             Twine(kernels.size()));
    if (failed(check(kernels.front().first, entry, index, known)))
      return failure();
    ArgumentFacts &fact = kernels.front().second[index];
    fact.divisor = std::max(fact.divisor, known.divisor);
    if (known.value)
      fact.value = known.value;
    return success();
  }

  static bool isDivisor(int64_t number) {
    return number > 0 && llvm::isPowerOf2_64(number);
  }

  LogicalResult check(KernelOp kernel, StringRef entry, unsigned index,
                      const ArgumentFacts &known) {
    const size_t count = kernel.getArguments().size();
    if (index >= count)
      return fail(entry, "'" + kernel.getSymName() + "' has " + Twine(count) +
                             " arguments, numbered from 0; --list of "
                             "tilegpt-run shows them");
    BlockArgument argument = kernel.getArguments()[index];
    Type type = argument.getType();
    const bool fits =
        known.value ? isInteger(type) : isInteger(type) || isa<PtrType>(type);
    if (!fits) {
      std::string found;
      llvm::raw_string_ostream(found) << type;
      return fail(entry,
                  "argument " + Twine(index) + " of '" + kernel.getSymName() +
                      "' is " + found + "; expected " +
                      (known.value ? "an integer" : "an integer or a pointer"));
    }
    return checkPromises(entry, argument, known);
  }

  /// Checks that a value is allowed by the kernel, and fits the type.
  LogicalResult checkPromises(StringRef entry, BlockArgument argument,
                              const ArgumentFacts &known) {
    if (!known.value)
      return success();
    const int64_t value = *known.value;
    Type type = argument.getType();
    if (type.isInteger() &&
        !llvm::isIntN(type.getIntOrFloatBitWidth(), value)) {
      std::string found;
      llvm::raw_string_ostream(found) << type;
      return fail(entry, "the value does not fit " + found);
    }
    if (value % promisedDivisor(argument) != 0)
      return fail(entry, "the kernel assumes a multiple of " +
                             Twine(promisedDivisor(argument)));
    LogicalResult result = success();
    forEachArgumentUse(argument, [&](OpOperand &use) {
      auto promise = dyn_cast<AssumeOp>(use.getOwner());
      if (!promise || !promise.getBounded() || failed(result))
        return;
      ArrayRef<int64_t> bounds = *promise.getBounded();
      if (value < bounds[0] || value > bounds[1])
        result = fail(entry, "the kernel assumes a value from " +
                                 Twine(bounds[0]) + " to " + Twine(bounds[1]));
    });
    return result;
  }

  /// Facts about all pointers, and all strides except those of contiguous
  /// elements.
  static SmallVector<ArgumentFacts> factsOfAll(KernelOp kernel,
                                               int64_t divisor) {
    return llvm::map_to_vector(
        kernel.getArguments(), [&](BlockArgument argument) -> ArgumentFacts {
          if (isa<PtrType>(argument.getType()))
            return {divisor, {}};
          int64_t bytes = 0;
          bool isLast = false;
          forEachArgumentUse(argument, [&](OpOperand &use) {
            if (std::optional<int64_t> axis = strideAxis(use)) {
              ViewType view = cast<ViewAtOp>(use.getOwner()).getType();
              isLast |= *axis + 1 == view.getRank();
              int64_t width = memoryBytes(view.getElementType());
              bytes = bytes == 0 ? width : std::min(bytes, width);
            }
          });
          if (bytes == 0 || isLast)
            return {};
          return {std::max<int64_t>(1, divisor / bytes), {}};
        });
  }

  SmallVector<std::pair<KernelOp, SmallVector<ArgumentFacts>>> kernels;
};
} // namespace

} // namespace tilegpt::tile
