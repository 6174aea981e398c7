// Turns views of pointers into arguments if the launch can compute their sizes
// and strides, so that TMA can have descriptors of them.
#include "TileGPT/Dialect/Tile/Analysis/IndexFacts.h"
#include "TileGPT/Dialect/Tile/Analysis/PointerUses.h"
#include "TileGPT/Dialect/Tile/IR/KernelAttributes.h"
#include "TileGPT/Dialect/Tile/IR/LaunchView.h"
#include "TileGPT/Dialect/Tile/IR/Specialized.h"
#include "TileGPT/Dialect/Tile/IR/TileOps.h"
#include "TileGPT/Dialect/TileGPU/IR/Explain.h"
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h"
#include "TileGPT/Target/NVVM/FindTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tilegpt::tilegpu {
#define GEN_PASS_DEF_LIFTVIEWS
#include "TileGPT/Dialect/TileGPU/Transforms/Passes.h.inc"
} // namespace tilegpt::tilegpu

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::tilegpu;

namespace {
/// Integers as affine expressions whose symbols are the arguments of a kernel.
class LaunchExpressions {
public:
  explicit LaunchExpressions(IndexFacts &facts) : facts(facts) {}

  /// A value, read as signed, as an expression; null if the launch cannot
  /// compute it.
  AffineExpr of(Value value) {
    APInt constant;
    if (matchPattern(value, m_ConstantInt(&constant)))
      return getAffineConstantExpr(constant.getSExtValue(), value.getContext());
    if (auto argument = dyn_cast<BlockArgument>(value))
      return isa<tile::KernelOp>(argument.getOwner()->getParentOp())
                 ? getAffineSymbolExpr(argument.getArgNumber(),
                                       value.getContext())
                 : AffineExpr();
    Operation *op = value.getDefiningOp();
    return llvm::TypeSwitch<Operation *, AffineExpr>(op)
        .Case<tile::AssumeOp, arith::IndexCastOp, arith::ExtSIOp>(
            [&](auto cast) { return of(cast->getOperand(0)); })
        .Case<arith::IndexCastUIOp, arith::ExtUIOp>(
            [&](auto cast) { return unsignedOf(cast.getIn()); })
        .Case([&](arith::AddIOp add) {
          return join(add, [](AffineExpr a, AffineExpr b) { return a + b; });
        })
        .Case([&](arith::SubIOp sub) {
          return join(sub, [](AffineExpr a, AffineExpr b) { return a - b; });
        })
        .Case([&](arith::MulIOp mul) {
          return join(mul, [](AffineExpr a, AffineExpr b) { return a * b; });
        })
        .Case([&](arith::CeilDivUIOp div) {
          return divide(
              div, [](AffineExpr a, AffineExpr b) { return a.ceilDiv(b); });
        })
        .Case([&](arith::DivUIOp div) {
          return divide(
              div, [](AffineExpr a, AffineExpr b) { return a.floorDiv(b); });
        })
        .Default(AffineExpr());
  }

  /// The same, read as unsigned.
  AffineExpr unsignedOf(Value value) {
    AffineExpr known = of(value);
    const unsigned width = value.getType().isIndex()
                               ? IndexType::kInternalStorageBitWidth
                               : value.getType().getIntOrFloatBitWidth();
    constexpr unsigned wide = 64;
    if (!known || width >= wide || facts.of(value).range.lo >= 0)
      return known;
    return known % (int64_t(1) << width);
  }

private:
  template <typename Op, typename Combine>
  AffineExpr join(Op op, Combine combine) {
    AffineExpr lhs = of(op.getLhs()), rhs = of(op.getRhs());
    return lhs && rhs ? wrap(combine(lhs, rhs), op.getType()) : AffineExpr();
  }

  /// Divides positive numbers; the launch would fail on others.
  template <typename Op, typename Combine>
  AffineExpr divide(Op op, Combine combine) {
    AffineExpr lhs = unsignedOf(op.getLhs()), rhs = unsignedOf(op.getRhs());
    return lhs && rhs && facts.of(op.getRhs()).range.lo > 0 ? combine(lhs, rhs)
                                                            : AffineExpr();
  }

  /// Wraps a number to a type of fewer than 64 bits.
  static AffineExpr wrap(AffineExpr number, Type type) {
    constexpr unsigned wide = 64;
    if (type.isIndex() || type.getIntOrFloatBitWidth() >= wide)
      return number;
    const int64_t half = int64_t(1) << (type.getIntOrFloatBitWidth() - 1);
    return (number + half) % (2 * half) - half;
  }

  IndexFacts &facts;
};

struct LiftViews : tilegpu::impl::LiftViewsBase<LiftViews> {
  using LiftViewsBase::LiftViewsBase;

  void runOnOperation() override {
    tile::KernelOp kernel = getOperation();
    if (failed(tile::verifySpecialized(kernel)))
      return signalPassFailure();
    const target::GpuTarget *known = target::findTarget(kernel, target);
    if (!known)
      return signalPassFailure();
    if (!known->hasTma || !kernel.isRaw() || !kernel.getLaunchViews().empty())
      return;
    bool multiplies = false;
    kernel.walk([&](tile::DotOp) { multiplies = true; });
    if (!multiplies)
      return;
    SmallVector<tile::ViewAtOp> read, written;
    kernel.walk([&](tile::ViewAtOp op) {
      std::string reason;
      if (!canLift(op, reason)) {
        explainMissed(op, "lift") << reason;
        return;
      }
      (isWritten(op.getResult()) ? written : read).push_back(op);
    });
    lift(kernel, read, written);
  }

private:
  /// The argument that a pointer is, seen through assumptions.
  static BlockArgument argumentOf(Value pointer) {
    while (auto promise = pointer.getDefiningOp<tile::AssumeOp>())
      pointer = promise.getValue();
    return dyn_cast<BlockArgument>(pointer);
  }

  static bool canLift(tile::ViewAtOp op, std::string &reason) {
    IndexFacts facts;
    constexpr int64_t unitBytes = 16, maxRank = 5;
    tile::ViewType type = op.getType();
    auto no = [&](StringRef why) {
      reason = why.str();
      return false;
    };
    if (type.getRank() < 2 || type.getRank() > maxRank ||
        !type.getElementType().isIntOrFloat())
      return no("a 1-D view has no TMA descriptor");
    BlockArgument pointer = argumentOf(op.getBase());
    if (!pointer)
      return no("the base of a view is not an argument of the launch");
    if (!facts.ofPointer(pointer).root && !isReadBeforeWrites(pointer))
      return no(
          "the memory of a view may be written through an aliasing pointer");
    if (isWritten(pointer) && !isOnlyStored(pointer, op))
      return no("memory that is written through a pointer is also read through "
                "it, or accessed through two views");
    ViewFacts view = facts.ofView(op.getResult());
    if (view.alignment % unitBytes != 0)
      return no("a pointer is not known to be a multiple of 16 bytes; add "
                "assume div_by<16>");
    const int64_t bytes = memoryBytes(type.getElementType());
    if (type.getKnownStrides().back() != 1)
      return no("the last axis of a view is not known to have a stride of 1");
    for (const IntegerFacts &stride : ArrayRef(view.strides).drop_back())
      if (multiplyDivisors(stride.divisor, bytes) % unitBytes != 0)
        return no("strides of a view are not known to be multiples of 16 "
                  "bytes; add assume div_by");
    if (!wordsOf(op, facts))
      return no("sizes or strides of a view are not arithmetic on arguments "
                "that the launch can evaluate");
    return true;
  }

  /// Whether a pointer is only used for stores through one view.
  static bool isOnlyStored(BlockArgument pointer, tile::ViewAtOp view) {
    bool isOnly = true;
    forEachAlias(pointer, [&](Value alias) {
      for (Operation *user : alias.getUsers())
        isOnly &=
            user == view || isa<tile::StoreOp, tile::SubviewOp, tile::SelectOp,
                                tile::TransposeOp, tile::DimOp,
                                tile::NumTilesOp, tile::AssumeOp>(user);
    });
    return isOnly;
  }

  /// Sizes and strides as the launch computes them; null if it cannot.
  static AffineMap wordsOf(tile::ViewAtOp op, IndexFacts &facts) {
    LaunchExpressions expressions(facts);
    MLIRContext *context = op.getContext();
    SmallVector<AffineExpr> words;
    auto add = [&](OpFoldResult number) {
      auto value = dyn_cast<Value>(number);
      words.push_back(
          value ? expressions.of(value)
                : getAffineConstantExpr(*getConstantIntValue(number), context));
    };
    Builder builder(context);
    for (OpFoldResult size :
         getMixedValues(op.getStaticSizes(), op.getSizes(), builder))
      add(size);
    const size_t rank = words.size();
    if (op.getStaticStrides()) {
      for (OpFoldResult stride :
           getMixedValues(*op.getStaticStrides(), op.getStrides(), builder))
        add(stride);
    } else {
      words.resize(2 * rank);
      AffineExpr product = getAffineConstantExpr(1, context);
      for (size_t axis = rank; axis-- > 0;) {
        words[rank + axis] = product;
        product = product && words[axis] ? product * words[axis] : AffineExpr();
      }
    }
    if (!llvm::all_of(words, [](AffineExpr word) { return bool(word); }))
      return {};
    auto kernel = op->getParentOfType<tile::KernelOp>();
    return AffineMap::get(0, kernel.getArguments().size(), words, context);
  }

  void lift(tile::KernelOp kernel, ArrayRef<tile::ViewAtOp> read,
            ArrayRef<tile::ViewAtOp> written) {
    SmallVector<Attribute> views;
    SmallVector<std::pair<tile::ViewAtOp, DictionaryAttr>> lifted;
    IndexFacts facts;
    for (ArrayRef<tile::ViewAtOp> ops : {read, written})
      for (tile::ViewAtOp op : ops) {
        ViewFacts view = facts.ofView(op.getResult());
        auto divisors = [](ArrayRef<IntegerFacts> numbers) {
          return llvm::map_to_vector(
              numbers, [](const IntegerFacts &of) { return of.divisor; });
        };
        tile::LaunchView launch{argumentOf(op.getBase()).getArgNumber(),
                                view.alignment, divisors(view.sizes),
                                divisors(view.strides), wordsOf(op, facts)};
        lifted.emplace_back(op, launch.toAttribute(&getContext()));
      }
    for (auto [op, attribute] : lifted) {
      Value argument =
          kernel.getEntryBlock()->addArgument(op.getType(), op.getLoc());
      op.getResult().replaceAllUsesWith(argument);
      op->erase();
      views.push_back(attribute);
      ++numLifted;
    }
    if (views.empty())
      return;
    kernel->setAttr(tile::launchViewsAttr,
                    ArrayAttr::get(&getContext(), views));
    kernel.setNumOuts(written.size());
  }
};
} // namespace
