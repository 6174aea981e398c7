// Polynomials over sizes, block ids and loaded values.
#include "Normalize/IndexSums.h"
#include "TileGPT/Dialect/Tile/IR/LaunchBinding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace tilegpt::tile {

//===------------------------------------------------------------------------------===//
// IndexSum
//===------------------------------------------------------------------------------===//

void IndexSum::add(const std::vector<unsigned> &product, int64_t factor) {
  auto [it, isNew] = terms.try_emplace(product, 0);
  it->second += factor;
  if (it->second == 0)
    terms.erase(it);
}

IndexSum IndexSum::constant(int64_t number) {
  IndexSum sum;
  if (number != 0)
    sum.terms[{}] = number;
  return sum;
}

IndexSum IndexSum::atom(unsigned number) {
  IndexSum sum;
  sum.terms[{number}] = 1;
  return sum;
}

IndexSum IndexSum::operator+(const IndexSum &other) const {
  IndexSum sum = *this;
  for (const auto &[product, factor] : other.terms)
    sum.add(product, factor);
  return sum;
}

IndexSum IndexSum::operator-(const IndexSum &other) const {
  return *this + constant(-1) * other;
}

IndexSum IndexSum::operator*(const IndexSum &other) const {
  IndexSum sum;
  for (const auto &[lhs, lhsFactor] : terms)
    for (const auto &[rhs, rhsFactor] : other.terms) {
      std::vector<unsigned> product;
      std::merge(lhs.begin(), lhs.end(), rhs.begin(), rhs.end(),
                 std::back_inserter(product));
      sum.add(product, lhsFactor * rhsFactor);
    }
  return sum;
}

std::optional<IndexSum> IndexSum::dividedBy(const IndexSum &divisor) const {
  if (divisor.terms.size() != 1)
    return divisor.terms.empty() || *this != divisor
               ? std::nullopt
               : std::optional(constant(1));
  const auto &[by, byFactor] = *divisor.terms.begin();
  IndexSum quotient;
  for (const auto &[product, factor] : terms) {
    if (factor % byFactor != 0 ||
        !std::includes(product.begin(), product.end(), by.begin(), by.end()))
      return std::nullopt;
    std::vector<unsigned> rest;
    std::set_difference(product.begin(), product.end(), by.begin(), by.end(),
                        std::back_inserter(rest));
    quotient.add(rest, factor / byFactor);
  }
  return quotient;
}

std::optional<int64_t> IndexSum::getConstant() const {
  if (terms.empty())
    return 0;
  const auto &[product, factor] = *terms.begin();
  return terms.size() == 1 && product.empty() ? std::optional(factor)
                                              : std::nullopt;
}

std::string IndexSum::toString() const {
  std::string text;
  for (const auto &[product, factor] : terms) {
    text += (text.empty() ? "" : "+") + std::to_string(factor);
    for (unsigned atom : product)
      text += "*a" + std::to_string(atom);
  }
  return text.empty() ? "0" : text;
}

//===------------------------------------------------------------------------------===//
// IndexSums
//===------------------------------------------------------------------------------===//

IndexSums::IndexSums(KernelOp kernel, ValueRange operands, Sizes sizes)
    : kernel(kernel), operands(operands), sizes(sizes) {
  SmallVector<ConditionAttr> conditions = getRequirements(kernel);
  if (ArrayAttr where = kernel.getConditionsAttr())
    llvm::append_range(conditions, where.getAsRange<ConditionAttr>());
  using Size = std::pair<unsigned, int64_t>;
  auto equate = [&](Size lhs, Size rhs) {
    for (Size *size : {&lhs, &rhs})
      for (auto it = same.find(*size); it != same.end(); it = same.find(*size))
        *size = it->second;
    if (lhs != rhs)
      same[std::max(lhs, rhs)] = std::min(lhs, rhs);
  };
  for (ConditionAttr condition : conditions) {
    auto lhs = argumentSizeOf(condition.getLhs()),
         rhs = argumentSizeOf(condition.getRhs());
    if (condition.getComparison() == Comparison::EQ && lhs && rhs)
      equate(*lhs, *rhs);
  }
  // Sizes that are equal in the graph, unless conditions say so already.
  SmallVector<std::pair<SizeOrigin, Size>> known;
  for (auto [argument, operand] : llvm::enumerate(this->operands)) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    for (int64_t axis = 0; type && axis < type.getRank(); ++axis) {
      if (!type.isDynamicDim(axis))
        continue;
      const SizeOrigin origin = originOfSize(operand, axis);
      const Size size(argument, axis);
      auto *found = llvm::find_if(
          known, [&](const auto &other) { return other.first == origin; });
      if (found == known.end())
        known.push_back({origin, size});
      else
        equate(found->second, size);
    }
  }
}

IndexSum IndexSums::atom(const std::string &text) {
  return IndexSum::atom(atoms.try_emplace(text, atoms.size()).first->second);
}

/// The size of an axis of a tensor or view.
static int64_t sizeIn(Value operand, int64_t axis) {
  if (auto view = dyn_cast<ViewType>(operand.getType()))
    return view.getShape()[axis];
  return cast<RankedTensorType>(operand.getType()).getDimSize(axis);
}

IndexSum IndexSums::ofSize(unsigned argument, int64_t axis) {
  std::pair<unsigned, int64_t> size(argument, axis);
  for (auto it = same.end();; size = it->second) {
    int64_t known = sizes == Sizes::Launch
                        ? sizeIn(operands[size.first], size.second)
                        : ShapedType::kDynamic;
    if (!ShapedType::isDynamic(known))
      return IndexSum::constant(known);
    it = same.find(size);
    if (it == same.end())
      break;
  }
  return atom("dim " + std::to_string(size.first) + " " +
              std::to_string(size.second));
}

IndexSum IndexSums::ofViewSize(Value view, int64_t axis) {
  if (auto argument = dyn_cast<BlockArgument>(view))
    return ofSize(argument.getArgNumber(), axis);
  if (auto window = view.getDefiningOp<SubviewOp>())
    return of(getMixedValues(window.getStaticSizes(), window.getSizes(),
                             window.getContext())[axis]);
  if (auto made = view.getDefiningOp<ViewAtOp>())
    return of(getMixedValues(made.getStaticSizes(), made.getSizes(),
                             made.getContext())[axis]);
  if (auto entry = view.getDefiningOp<SelectOp>())
    return ofViewSize(entry.getSource(),
                      axis + int64_t(entry.getIndices().size()));
  return atom("size " + std::to_string(axis) + " of " + textOf(view));
}

IndexSum IndexSums::ofSource(Attribute source) {
  if (auto name = dyn_cast<StringAttr>(source))
    return ofParam(name);
  auto place = cast<DenseI64ArrayAttr>(source);
  if (place.size() == 2)
    return ofSize(unsigned(place[0]), place[1]);
  return of(Value(kernel.getArguments()[place[0]]));
}

IndexSum IndexSums::ofParam(StringAttr name) {
  ParamAttr param = kernel.lookupParam(name);
  if (auto expr =
          param ? dyn_cast<ExprAttr>(param.getDefaultValue()) : ExprAttr())
    return of(expr);
  return atom("param " + name.str());
}

IndexSum IndexSums::of(ExprAttr expr) {
  return ofExpr(expr.getMap().getResult(0), expr.getSources());
}

IndexSum IndexSums::ofExpr(AffineExpr expr, ArrayAttr sources) {
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return IndexSum::constant(number.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return ofSource(sources[symbol.getPosition()]);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  IndexSum lhs = ofExpr(binary.getLHS(), sources),
           rhs = ofExpr(binary.getRHS(), sources);
  switch (binary.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  default:
    return quotient(lhs, rhs, binary.getKind());
  }
}

/// Divisors are sizes and parameters, which are positive.
IndexSum IndexSums::quotient(const IndexSum &lhs, const IndexSum &rhs,
                             AffineExprKind kind) {
  if (std::optional<IndexSum> exact = lhs.dividedBy(rhs))
    return kind == AffineExprKind::Mod ? IndexSum() : *exact;
  std::optional<int64_t> number = lhs.getConstant(), by = rhs.getConstant();
  if (number && by && *by > 0)
    return IndexSum::constant(kind == AffineExprKind::Mod
                                  ? llvm::mod(*number, *by)
                              : kind == AffineExprKind::CeilDiv
                                  ? llvm::divideCeilSigned(*number, *by)
                                  : llvm::divideFloorSigned(*number, *by));
  if (number == 1 && kind == AffineExprKind::CeilDiv)
    return IndexSum::constant(1);
  return atom("quotient " + std::to_string(int(kind)) + " " + lhs.toString() +
              " " + rhs.toString());
}

IndexSum IndexSums::of(OpFoldResult value) {
  if (std::optional<int64_t> number = getConstantIntValue(value))
    return IndexSum::constant(*number);
  return of(cast<Value>(value));
}

IndexSum IndexSums::of(Value value) {
  if (auto known = replaced.find(value); known != replaced.end())
    return known->second;
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return IndexSum::constant(number.getSExtValue());
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() == kernel.getEntryBlock() &&
        matchPattern(operands[argument.getArgNumber()], m_ConstantInt(&number)))
      return IndexSum::constant(number.getSExtValue());
    // What an induction variable is a multiple of is divided exactly.
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    if (loop && argument == loop.getInductionVar())
      if (std::optional<int64_t> from = of(loop.getLowerBound()).getConstant(),
          by = of(loop.getStep()).getConstant();
          from && by)
        return IndexSum::constant(*from) +
               IndexSum::constant(*by) * atom(textOf(value));
    return atom(textOf(value));
  }
  return ofOp(value.getDefiningOp(), value);
}

IndexSum IndexSums::ofOp(Operation *op, Value result) {
  auto operand = [&](unsigned number) { return of(op->getOperand(number)); };
  auto larger = [&](bool ofMost) {
    IndexSum lhs = operand(0), rhs = operand(1);
    if (std::optional<int64_t> more = (lhs - rhs).getConstant())
      return (*more >= 0) == ofMost ? lhs : rhs;
    return atom(textOf(result));
  };
  return llvm::TypeSwitch<Operation *, IndexSum>(op)
      .Case<DimOp>(
          [&](DimOp dim) { return ofViewSize(dim.getView(), dim.getAxis()); })
      .Case<NumTilesOp>([&](NumTilesOp count) {
        Attribute size = count.getSizes()[0];
        auto name = dyn_cast<StringAttr>(size);
        return quotient(
            ofViewSize(count.getView(), count.getAxis()),
            name ? ofParam(name)
                 : IndexSum::constant(cast<IntegerAttr>(size).getInt()),
            AffineExprKind::CeilDiv);
      })
      .Case<ParamOp>(
          [&](ParamOp param) { return ofParam(param.getNameAttr()); })
      .Case<arith::AddIOp>([&](auto) { return operand(0) + operand(1); })
      .Case<arith::SubIOp>([&](auto) { return operand(0) - operand(1); })
      .Case<arith::MulIOp>([&](auto) { return operand(0) * operand(1); })
      .Case<arith::IndexCastOp, arith::IndexCastUIOp, arith::ExtSIOp,
            arith::ExtUIOp>([&](auto) { return operand(0); })
      .Case<arith::DivUIOp, arith::DivSIOp>([&](auto) {
        return quotient(operand(0), operand(1), AffineExprKind::FloorDiv);
      })
      .Case<arith::MaxSIOp, arith::MaxUIOp>([&](auto) { return larger(true); })
      .Case<arith::MinSIOp, arith::MinUIOp>([&](auto) { return larger(false); })
      .Default([&](Operation *) { return atom(textOf(result)); });
}

std::string IndexSums::textOf(Value value) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto argument = dyn_cast<BlockArgument>(value);
  if (argument && argument.getOwner() == kernel.getEntryBlock()) {
    stream << "argument " << argument.getArgNumber();
    return text;
  }
  Operation *op = value.getDefiningOp();
  auto load = dyn_cast_or_null<LoadOp>(op);
  auto loaded =
      load ? dyn_cast<BlockArgument>(load.getView()) : BlockArgument();
  bool isRepeatable = op && op->getNumRegions() == 0 &&
                      (isMemoryEffectFree(op) ||
                       (loaded && !kernel.isOut(loaded.getArgNumber())));
  if (!isRepeatable) {
    stream << "value " << value.getAsOpaquePointer();
    return text;
  }
  stream << op->getName() << op->getAttrDictionary() << ' ' << value.getType()
         << '(';
  for (Value operand : op->getOperands())
    if (operand.getType().isIntOrIndex())
      stream << of(operand).toString() << ", ";
    else
      stream << textOf(operand) << ", ";
  stream << ')';
  return text;
}

} // namespace tilegpt::tile
