// Decomposes tiles of floats into scaled terms.
#include "TileGPT/Dialect/Tile/Analysis/LinearForm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;

namespace tilegpt::tilegpu {

Value throughBroadcast(Value tile) {
  while (tile)
    if (auto broadcast = tile.getDefiningOp<tile::BroadcastOp>())
      tile = broadcast.getSource();
    else if (auto expand = tile.getDefiningOp<tile::ExpandDimsOp>())
      tile = expand.getSource();
    else
      break;
  return tile;
}

/// The element of a uniform tile; null for others.
static OpFoldResult scalarOf(Value tile) {
  if (!isa<RankedTensorType>(tile.getType()))
    return tile;
  if (auto splat = tile.getDefiningOp<tile::SplatOp>()) {
    Attribute constant;
    if (matchPattern(splat.getValue(), m_Constant(&constant)))
      return constant;
    return splat.getValue();
  }
  SplatElementsAttr constant;
  if (matchPattern(tile, m_Constant(&constant)))
    return constant.getSplatValue<Attribute>();
  return {};
}

static bool isOne(OpFoldResult scalar) {
  auto number = dyn_cast_or_null<FloatAttr>(dyn_cast<Attribute>(scalar));
  return number && number.getValue().isExactlyValue(1.0);
}

/// The scalars whose product a scalar is, without ones.
static void appendFactors(OpFoldResult scalar,
                          SmallVectorImpl<OpFoldResult> &factors) {
  if (auto value = dyn_cast<Value>(scalar)) {
    if (auto product = value.getDefiningOp<arith::MulFOp>()) {
      appendFactors(product.getLhs(), factors);
      appendFactors(product.getRhs(), factors);
      return;
    }
    Attribute constant;
    if (matchPattern(value, m_Constant(&constant)))
      scalar = constant;
  }
  if (!isOne(scalar))
    factors.push_back(scalar);
}

bool isPositiveScalar(OpFoldResult scalar) {
  if (auto attribute = dyn_cast<Attribute>(scalar)) {
    auto number = dyn_cast<FloatAttr>(attribute);
    return number && number.getValue().isFinite() &&
           !number.getValue().isZero() && !number.getValue().isNegative();
  }
  Operation *op = cast<Value>(scalar).getDefiningOp();
  if (isa_and_nonnull<math::RsqrtOp, math::SqrtOp>(op))
    return true;
  if (auto quotient = dyn_cast_or_null<arith::DivFOp>(op)) {
    SmallVector<OpFoldResult> parts;
    appendFactors(quotient.getLhs(), parts);
    appendFactors(quotient.getRhs(), parts);
    return llvm::all_of(parts, isPositiveScalar);
  }
  return false;
}

/// The non-constant scalars, and the product of the constants.
static std::pair<SmallVector<Value>, double>
splitFactors(ArrayRef<OpFoldResult> factors) {
  std::pair<SmallVector<Value>, double> parts({}, 1.0);
  for (OpFoldResult factor : factors)
    if (auto value = dyn_cast<Value>(factor))
      parts.first.push_back(value);
    else
      parts.second *=
          cast<FloatAttr>(cast<Attribute>(factor)).getValueAsDouble();
  return parts;
}

bool LinearTerm::hasFactorOf(const LinearTerm &other) const {
  constexpr double rounding = 0x1p-23;
  auto [scalars, number] = splitFactors(factors);
  auto [others, otherNumber] = splitFactors(other.factors);
  return scalars == others &&
         std::abs(number - otherNumber) <= rounding * std::abs(otherNumber);
}

static void sortFactors(SmallVectorImpl<OpFoldResult> &factors) {
  llvm::sort(factors, [](OpFoldResult a, OpFoldResult b) {
    return a.getOpaqueValue() < b.getOpaqueValue();
  });
}

LinearTerm LinearTerm::times(ArrayRef<OpFoldResult> others) const {
  LinearTerm product = *this;
  llvm::append_range(product.factors, others);
  sortFactors(product.factors);
  return product;
}

bool LinearTerm::isPositive() const {
  return !isNegative && llvm::all_of(factors, isPositiveScalar);
}

Value scalarFactor(OpBuilder &builder, LoopLikeOpInterface loop,
                   const LinearTerm &term, double number) {
  Location loc = loop.getLoc();
  Value scalar;
  for (OpFoldResult factor : term.factors) {
    if (auto value = dyn_cast<Value>(factor)) {
      if (!loop.isDefinedOutsideOfLoop(value))
        return {};
      scalar =
          scalar
              ? arith::MulFOp::create(builder, loc, scalar, value).getResult()
              : value;
    } else {
      number *= cast<FloatAttr>(cast<Attribute>(factor)).getValueAsDouble();
    }
  }
  if (term.isNegative)
    number = -number;
  if (scalar && number == 1.0)
    return scalar;
  Value constant =
      arith::ConstantOp::create(builder, loc, builder.getF32FloatAttr(number));
  return scalar
             ? arith::MulFOp::create(builder, loc, scalar, constant).getResult()
             : constant;
}

namespace {
class LinearDecomposition {
public:
  LinearDecomposition(ValueRange atoms, bool throughBroadcasts,
                      SmallVectorImpl<LinearTerm> &terms)
      : atoms(atoms), throughBroadcasts(throughBroadcasts), terms(terms) {}

  void add(Value tile, bool isNegative, ArrayRef<OpFoldResult> factors) {
    Operation *op =
        llvm::is_contained(atoms, tile) ? nullptr : tile.getDefiningOp();
    if (auto sum = dyn_cast_or_null<arith::AddFOp>(op)) {
      add(sum.getLhs(), isNegative, factors);
      add(sum.getRhs(), isNegative, factors);
    } else if (auto difference = dyn_cast_or_null<arith::SubFOp>(op)) {
      add(difference.getLhs(), isNegative, factors);
      add(difference.getRhs(), !isNegative, factors);
    } else if (auto negation = dyn_cast_or_null<arith::NegFOp>(op)) {
      add(negation.getOperand(), !isNegative, factors);
    } else if (throughBroadcasts &&
               isa_and_nonnull<tile::BroadcastOp, tile::ExpandDimsOp>(op)) {
      add(op->getOperand(0), isNegative, factors);
    } else if (auto product = dyn_cast_or_null<arith::MulFOp>(op);
               product && addProduct(product.getLhs(), product.getRhs(),
                                     isNegative, factors)) {
      return;
    } else if (auto fma = dyn_cast_or_null<math::FmaOp>(op);
               fma && addProduct(fma.getA(), fma.getB(), isNegative, factors)) {
      add(fma.getC(), isNegative, factors);
    } else {
      terms.push_back({tile, isNegative, SmallVector<OpFoldResult>(factors)});
      sortFactors(terms.back().factors);
    }
  }

private:
  bool addProduct(Value lhs, Value rhs, bool isNegative,
                  ArrayRef<OpFoldResult> factors) {
    for (auto [tile, other] : {std::pair(lhs, rhs), std::pair(rhs, lhs)}) {
      OpFoldResult scalar = scalarOf(throughBroadcast(other));
      if (!scalar || (isa<Value>(scalar) &&
                      isa<RankedTensorType>(cast<Value>(scalar).getType())))
        continue;
      SmallVector<OpFoldResult> all(factors);
      appendFactors(scalar, all);
      add(tile, isNegative, all);
      return true;
    }
    return false;
  }

  ValueRange atoms;
  bool throughBroadcasts;
  SmallVectorImpl<LinearTerm> &terms;
};
} // namespace

SmallVector<LinearTerm> linearForm(Value tile, ValueRange atoms,
                                   bool throughBroadcasts) {
  SmallVector<LinearTerm> terms;
  LinearDecomposition(atoms, throughBroadcasts, terms)
      .add(tile, /*isNegative=*/false, {});
  return terms;
}

} // namespace tilegpt::tilegpu
