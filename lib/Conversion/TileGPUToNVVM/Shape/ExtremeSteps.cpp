// The steps of a reduction to an extreme and its first index, on the scalars of
// one thread. Two comparisons and selections per element would be needed to
// carry both along; an extreme takes one instruction, and the search for it
// two.
#include "Shape/ExtremeSteps.h"
#include "Shape/FoldTree.h"
#include "Thread/WarpShuffle.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// An index as a sum of values and a constant.
struct IndexSum {
  SmallVector<Value> terms;
  int64_t constant = 0;

  void add(Value value) {
    APInt number;
    if (matchPattern(value, m_ConstantInt(&number))) {
      constant += number.getSExtValue();
    } else if (auto sum = value.getDefiningOp<arith::AddIOp>()) {
      add(sum.getLhs());
      add(sum.getRhs());
    } else if (auto cast = value.getDefiningOp<arith::IndexCastOp>()) {
      add(cast.getIn());
    } else {
      terms.push_back(value);
    }
  }
  explicit IndexSum(Value value) {
    add(value);
    llvm::sort(terms, [](Value lhs, Value rhs) {
      return lhs.getAsOpaquePointer() < rhs.getAsOpaquePointer();
    });
  }
};

/// An element, and the distance of its index from a common one.
struct Placed {
  Value element;
  int64_t distance;
};
} // namespace

Value ExtremeSteps::combinePacked(Value lhs, Value rhs) {
  auto make = [&]<typename Op>() -> Value {
    return Op::create(builder, loc, lhs, rhs);
  };
  if (kind.propagatesNaN())
    return kind.findsMaximum() ? make.operator()<LLVM::MaximumOp>()
                               : make.operator()<LLVM::MinimumOp>();
  return kind.findsMaximum() ? make.operator()<LLVM::MaxNumOp>()
                             : make.operator()<LLVM::MinNumOp>();
}

Value ExtremeSteps::extremeOf(ArrayRef<Accumulator> parts) {
  SmallVector<Value> values;
  for (const Accumulator &part : parts)
    values.push_back(part[0]);
  Type type = values.front().getType();
  if (type.isF16() || type.isBF16())
    values = foldPairs(builder, loc, values, [&](Value lhs, Value rhs) {
      return combinePacked(lhs, rhs);
    });
  return foldTree(values, [&](Value lhs, Value rhs) {
    return kind.combine(builder, loc, lhs, rhs);
  });
}

Value ExtremeSteps::least(Value lhs, Value rhs) {
  return arith::MinSIOp::create(builder, loc, lhs, rhs);
}

Value ExtremeSteps::none(Type type) {
  return arith::ConstantOp::create(
      builder, loc,
      builder.getIntegerAttr(
          type, APInt::getSignedMaxValue(type.getIntOrFloatBitWidth())));
}

Value ExtremeSteps::search(size_t elements, Value extreme, Search emit) {
  // One comparison per element if the extreme is a number.
  constexpr size_t fewElements = 4;
  if (!isa<FloatType>(extreme.getType()) || !kind.propagatesNaN() ||
      elements <= fewElements)
    return emit([&](Value x) { return kind.holds(builder, loc, x, extreme); });
  auto compare = [&](arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(builder, loc, predicate, x, y).getResult();
  };
  // Two branches of the same form would be merged behind their comparisons.
  Value index = emit(
      [&](Value x) { return compare(arith::CmpFPredicate::OEQ, x, extreme); });
  auto branch = scf::IfOp::create(
      builder, loc, compare(arith::CmpFPredicate::UNO, extreme, extreme),
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(builder, loc, emit([&](Value x) {
                               return compare(arith::CmpFPredicate::UNO, x, x);
                             }));
      },
      [&](OpBuilder &, Location) {
        scf::YieldOp::create(builder, loc, index);
      });
  return branch.getResult(0);
}

Value ExtremeSteps::indexOf(ArrayRef<Accumulator> parts, Value extreme) {
  // Most threads hold elements at known distances from each other: of these,
  // the last one that is found, from the end, has the smallest index.
  Value from = parts[parts.size() / 2][1];
  IndexSum common(from);
  SmallVector<Placed> placed;
  SmallVector<Accumulator> others;
  for (const Accumulator &part : parts)
    if (IndexSum index(part[1]); index.terms == common.terms)
      placed.push_back({part[0], index.constant - common.constant});
    else
      others.push_back(part);
  llvm::sort(placed, [](const Placed &lhs, const Placed &rhs) {
    return lhs.distance > rhs.distance;
  });
  auto constant = [&](int64_t distance) {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(from.getType(), distance));
  };
  Value nothing = none(from.getType());
  return search(parts.size(), extreme, [&](auto holds) {
    // The last one holds the extreme if no other does, unless others may.
    Value distance = constant(placed.front().distance);
    if (!others.empty())
      distance = arith::SelectOp::create(
          builder, loc, holds(placed.front().element), distance, nothing);
    for (const Placed &part : ArrayRef(placed).drop_front())
      distance = arith::SelectOp::create(builder, loc, holds(part.element),
                                         constant(part.distance), distance);
    Value first = arith::AddIOp::create(builder, loc, from, distance);
    if (!others.empty())
      first = arith::SelectOp::create(
          builder, loc,
          arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                distance, nothing),
          nothing, first);
    for (const Accumulator &part : others)
      first = least(first, arith::SelectOp::create(builder, loc, holds(part[0]),
                                                   part[1], nothing));
    return first;
  });
}

Accumulator ExtremeSteps::join(ArrayRef<Accumulator> parts) {
  if (parts.size() == 1)
    return parts.front();
  Value extreme = extremeOf(parts);
  return {extreme, indexOf(parts, extreme)};
}

Accumulator ExtremeSteps::joinLanes(const Accumulator &own,
                                    ArrayRef<int64_t> distances) {
  auto exchange = [&](Value value, int64_t distance) {
    return shuffleXor(builder, loc, value, distance);
  };
  Value extreme = own[0];
  for (int64_t distance : distances)
    extreme = kind.combine(builder, loc, extreme, exchange(extreme, distance));
  Value index = arith::SelectOp::create(
      builder, loc, kind.holds(builder, loc, own[0], extreme), own[1],
      none(own[1].getType()));
  for (int64_t distance : distances)
    index = least(index, exchange(index, distance));
  return {extreme, index};
}

} // namespace tilegpt::tilegpu
