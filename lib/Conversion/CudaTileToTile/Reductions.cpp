// Converts reductions and scans: named ones if the region is a single op with a
// name, region ones otherwise. Regions of `cuda_tile` take accumulator and
// element per source, those of `tile` all accumulators, then all elements.
#include "Patterns.h"

using namespace mlir;

namespace tilegpt::cuda_tile {

using Build = ImplicitLocOpBuilder;
using tile::NaNPolicy;
using tile::ReduceKind;

namespace {
/// A named reduction.
struct Named {
  ReduceKind kind;
  NaNPolicy nan = NaNPolicy::Propagate;
};
} // namespace

template <typename Op>
static NaNPolicy policyOf(Op op) {
  return op.getPropagateNan() ? NaNPolicy::Propagate : NaNPolicy::Ignore;
}

/// The name of an op that combines two numbers.
static std::optional<Named> nameOf(Operation *op) {
  using Result = std::optional<Named>;
  auto isPlain = [](auto sum) {
    return sum.getRoundingMode() == Rounding::NearestEven &&
           !sum.getFlushToZero();
  };
  auto bySign = [](auto choice, ReduceKind isSigned, ReduceKind isUnsigned) {
    return Named{choice.getSignedness() == Signedness::Signed ? isSigned
                                                              : isUnsigned};
  };
  auto extreme = [](auto choice, ReduceKind kind) {
    return choice.getFlushToZero() ? Result() : Named{kind, policyOf(choice)};
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case([&](AddFOp sum) {
        return isPlain(sum) ? Result(Named{ReduceKind::Add}) : Result();
      })
      .Case([&](MulFOp product) {
        return isPlain(product) ? Result(Named{ReduceKind::Mul}) : Result();
      })
      .Case([&](MaxFOp max) { return extreme(max, ReduceKind::Max); })
      .Case([&](MinFOp min) { return extreme(min, ReduceKind::Min); })
      .Case([](AddIOp) { return Named{ReduceKind::Add}; })
      .Case([](MulIOp) { return Named{ReduceKind::Mul}; })
      .Case([&](MaxIOp max) {
        return bySign(max, ReduceKind::Max, ReduceKind::UMax);
      })
      .Case([&](MinIOp min) {
        return bySign(min, ReduceKind::Min, ReduceKind::UMin);
      })
      .Case([](AndIOp) { return Named{ReduceKind::And}; })
      .Case([](OrIOp) { return Named{ReduceKind::Or}; })
      .Case([](XOrIOp) { return Named{ReduceKind::Xor}; })
      .Default(Result());
}

/// The equivalent kind for i1: a set flag is -1 signed, and 1 unsigned.
static ReduceKind kindOfFlags(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Add:
    return ReduceKind::Xor;
  case ReduceKind::Mul:
  case ReduceKind::Max:
  case ReduceKind::UMin:
    return ReduceKind::And;
  case ReduceKind::Min:
  case ReduceKind::UMax:
    return ReduceKind::Or;
  default:
    return kind;
  }
}

/// The identities, as numbers of the operands' types.
template <typename Op>
static ArrayAttr identitiesOf(Op op) {
  SmallVector<Attribute> identities;
  for (auto [operand, identity] :
       llvm::zip_equal(op.getOperands(), op.getIdentities())) {
    const Type type = cast<TileType>(operand.getType()).getElementType();
    const auto number = dyn_cast<FloatAttr>(identity);
    if (!number || number.getType() == type) {
      identities.push_back(identity);
      continue;
    }
    APFloat value = number.getValue();
    bool isInexact = false;
    value.convert(cast<FloatType>(type).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &isInexact);
    identities.push_back(FloatAttr::get(type, value));
  }
  return ArrayAttr::get(op.getContext(), identities);
}

/// Whether an identity is neutral: only then may a named op drop it. The
/// largest number stands for infinity in types without one.
static bool isNeutral(ReduceKind kind, Attribute identity) {
  if (auto number = dyn_cast<FloatAttr>(identity)) {
    const APFloat value = number.getValue();
    switch (kind) {
    case ReduceKind::Add:
      return value.isZero();
    case ReduceKind::Mul:
      return value.isExactlyValue(1.0);
    case ReduceKind::Max:
      return (value.isInfinity() || value.isLargest()) && value.isNegative();
    case ReduceKind::Min:
      return (value.isInfinity() || value.isLargest()) && !value.isNegative();
    default:
      return false;
    }
  }
  const APInt value = cast<IntegerAttr>(identity).getValue();
  switch (kind) {
  case ReduceKind::Add:
  case ReduceKind::Or:
  case ReduceKind::Xor:
  case ReduceKind::UMax:
    return value.isZero();
  case ReduceKind::Mul:
    return value.isOne();
  case ReduceKind::Max:
    return value.isMinSignedValue();
  case ReduceKind::Min:
    return value.isMaxSignedValue();
  case ReduceKind::UMin:
  case ReduceKind::And:
    return value.isAllOnes();
  default:
    return false;
  }
}

/// The name of a single-operand region's reduction, if it has one.
template <typename Op>
static std::optional<Named> nameOfBody(Op op) {
  Block &body = op.getBody().front();
  if (op.getOperands().size() != 1 || !llvm::hasNItems(body, 2))
    return std::nullopt;
  Operation &combine = body.front();
  Value soFar = body.getArgument(0), element = body.getArgument(1);
  const bool isOfBoth = combine.getNumOperands() == 2 &&
                        llvm::is_contained(combine.getOperands(), element) &&
                        llvm::is_contained(combine.getOperands(), soFar);
  if (!isOfBoth || body.getTerminator()->getOperands() != combine.getResults())
    return std::nullopt;
  std::optional<Named> name = nameOf(&combine);
  if (name && cast<TileType>(element.getType()).getElementType().isInteger(1))
    name->kind = kindOfFlags(name->kind);
  if (name && isNeutral(name->kind, identitiesOf(op)[0]))
    return name;
  return std::nullopt;
}

/// Moves the region of an op to its replacement, accumulators first.
template <typename Op, typename Target>
static LogicalResult moveBody(Op op, Target target, const TypeConverter &types,
                              ConversionPatternRewriter &rewriter) {
  Region &body = op.getBody();
  const unsigned sources = op.getOperands().size();
  TypeConverter::SignatureConversion signature(2 * sources);
  for (unsigned place : {0U, 1U})
    for (unsigned source = 0; source < sources; ++source) {
      const unsigned number = 2 * source + place;
      signature.addInputs(
          number, types.convertType(body.getArgument(number).getType()));
    }
  rewriter.inlineRegionBefore(body, target.getCombiner(),
                              target.getCombiner().end());
  rewriter.applySignatureConversion(&target.getCombiner().front(), signature,
                                    &types);
  return success();
}

template <typename Op, typename Make>
static LogicalResult convert(Op op, OperandsOf<Op> operands,
                             ConversionPatternRewriter &rewriter,
                             const TileTypes &types, Make make) {
  Build b(op.getLoc(), rewriter);
  SmallVector<Value> sources;
  SmallVector<Type> results;
  for (ValueRange source : operands.getOperands())
    sources.push_back(source.front());
  for (Value result : op.getResults()) {
    auto tile = cast<TileType>(result.getType());
    results.push_back(RankedTensorType::get(
        tile.getShape(), convertElement(tile.getElementType())));
  }
  const std::optional<Named> name = nameOfBody(op);
  auto target = make(b, results, sources, name);
  if (!name && failed(moveBody(op, target, types, rewriter)))
    return failure();
  b.setInsertionPointAfter(target);
  SmallVector<Value> values;
  for (Value result : target.getResults())
    values.push_back(fromTile(b, result));
  rewriter.replaceOp(op, values);
  return success();
}

static tile::ReduceKindAttr kindAttr(Build &b, std::optional<Named> name) {
  return name ? tile::ReduceKindAttr::get(b.getContext(), name->kind)
              : tile::ReduceKindAttr();
}

void populateReductionPatterns(const TileTypes &types,
                               RewritePatternSet &patterns) {
  addPattern<ReduceOp>(
      types, patterns,
      [&types](ReduceOp op, OperandsOf<ReduceOp> operands,
               ConversionPatternRewriter &rewriter) {
        return convert(
            op, operands, rewriter, types,
            [&](Build &b, TypeRange results, ValueRange sources,
                std::optional<Named> name) {
              return tile::ReduceOp::create(
                  b, results, sources, uint64_t(op.getDim()), kindAttr(b, name),
                  name ? ArrayAttr() : identitiesOf(op), /*keepdims=*/false,
                  name ? name->nan : NaNPolicy::Propagate);
            });
      });
  addPattern<ScanOp>(types, patterns,
                     [&types](ScanOp op, OperandsOf<ScanOp> operands,
                              ConversionPatternRewriter &rewriter) {
                       return convert(
                           op, operands, rewriter, types,
                           [&](Build &b, TypeRange results, ValueRange sources,
                               std::optional<Named> name) {
                             return tile::ScanOp::create(
                                 b, results, sources, uint64_t(op.getDim()),
                                 kindAttr(b, name),
                                 name ? ArrayAttr() : identitiesOf(op),
                                 /*exclusive=*/false, op.getReverse(),
                                 name ? name->nan : NaNPolicy::Propagate);
                           });
                     });
  addPattern<YieldOp>(types, patterns,
                      [](YieldOp op, OperandsOf<YieldOp> operands,
                         ConversionPatternRewriter &rewriter) {
                        SmallVector<Value> values;
                        for (ValueRange value : operands.getOperands())
                          values.push_back(value.front());
                        rewriter.replaceOpWithNewOp<tile::YieldOp>(op, values);
                        return success();
                      });
}

} // namespace tilegpt::cuda_tile
