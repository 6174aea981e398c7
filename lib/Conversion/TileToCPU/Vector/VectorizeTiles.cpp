// Lowers each linalg op on buffers to vector loops along one contiguous axis,
// to squares that are transposed in registers, or to scalar loops.
// VectorPlan.cpp selects the axis and width before anything is emitted.
#include "TileGPT/Conversion/TileToCPU/Passes.h"
#include "Vector/RowExtreme.h"
#include "Vector/ShortRuns.h"
#include "Vector/TransposeCopy.h"
#include "Vector/TransposeInputs.h"
#include "Vector/VectorBody.h"
#include "Vector/VectorPlan.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

namespace tilegpt::cpu {
#define GEN_PASS_DEF_VECTORIZETILES
#include "TileGPT/Conversion/TileToCPU/Passes.h.inc"
} // namespace tilegpt::cpu

using namespace mlir;
using namespace tilegpt::cpu;

namespace {
/// The indices of the current iteration, one per dimension.
using Position = SmallVector<Value>;

/// Emits the loops of one op.
class VectorLoops {
public:
  VectorLoops(OpBuilder &builder, const VectorPlan &loops)
      : builder(builder), op(loops.op), loc(op.getLoc()), loops(loops),
        zero(arith::ConstantIndexOp::create(builder, loc, 0)),
        position(loops.sizes.size(), zero) {}

  void emit() {
    SmallVector<int64_t> outer, inner;
    for (auto [dim, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
      if (static_cast<int64_t>(dim) != loops.vectorDim)
        (iterator == utils::IteratorType::parallel ? outer : inner)
            .push_back(dim);
    forEach(outer, [&] {
      if (loops.reducesLanes && loops.combiners.size() == 1 &&
          RowExtreme::handles(loops.combiners.front()))
        emitExtremeOfRow(inner);
      else if (loops.reducesLanes)
        emitRow(inner);
      else
        emitLanes(inner);
    });
  }

private:
  /// Runs `body` inside a loop over each of `dims`.
  void forEach(ArrayRef<int64_t> dims, function_ref<void()> body) {
    if (dims.empty())
      return body();
    int64_t dim = dims.front();
    if (getConstantIntValue(loops.sizes[dim]) == 1)
      return forEach(dims.drop_front(), body);
    auto loop = scf::ForOp::create(builder, loc, zero, size(dim), index(1));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    position[dim] = loop.getInductionVar();
    forEach(dims.drop_front(), body);
    position[dim] = zero;
  }

  /// As forEach, but carries values through the loops.
  SmallVector<Value> carry(ArrayRef<int64_t> dims, ValueRange inits,
                           function_ref<SmallVector<Value>(ValueRange)> body) {
    if (dims.empty())
      return body(inits);
    int64_t dim = dims.front();
    if (getConstantIntValue(loops.sizes[dim]) == 1)
      return carry(dims.drop_front(), inits, body);
    return carryRange(dim, zero, size(dim), 1, inits, [&](ValueRange values) {
      return carry(dims.drop_front(), values, body);
    });
  }

  SmallVector<Value>
  carryRange(int64_t dim, Value from, Value to, int64_t step, ValueRange inits,
             function_ref<SmallVector<Value>(ValueRange)> body) {
    auto loop = scf::ForOp::create(builder, loc, from, to, index(step), inits);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    position[dim] = loop.getInductionVar();
    SmallVector<Value> results = body(loop.getRegionIterArgs());
    if (!inits.empty())
      scf::YieldOp::create(builder, loc, results);
    position[dim] = zero;
    return loop.getResults();
  }

  Value index(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  Value size(int64_t dim) {
    return getValueOrCreateConstantIndexOp(builder, loc, loops.sizes[dim]);
  }

  /// Runs `body` along the vector axis: for blocks of `most` whole vectors, for
  /// the whole vectors after them, and under a mask for the tail.
  void alongVectors(int64_t most,
                    function_ref<void(int64_t vectors, Value mask)> body) {
    const int64_t dim = loops.vectorDim, lanes = loops.lanes,
                  block = most * lanes;
    const auto blocks = [&](Value from, Value to, int64_t vectors) {
      carryRange(dim, from, to, vectors * lanes, {}, [&](ValueRange) {
        body(vectors, Value());
        return SmallVector<Value>();
      });
    };
    std::optional<int64_t> known = getConstantIntValue(loops.sizes[dim]);
    if (known) {
      const int64_t blocked = *known / block * block,
                    whole = *known / lanes * lanes;
      if (blocked)
        blocks(zero, index(blocked), most);
      if (blocked != whole) {
        position[dim] = index(blocked);
        body((whole - blocked) / lanes, Value());
      }
      if (whole != *known) {
        position[dim] = index(whole);
        body(1,
             vector::ConstantMaskOp::create(builder, loc, maskType(),
                                            ArrayRef<int64_t>(*known - whole)));
      }
    } else {
      Value length = size(dim);
      Value rest = arith::RemUIOp::create(builder, loc, length, index(lanes));
      Value whole = arith::SubIOp::create(builder, loc, length, rest);
      Value blocked = zero;
      if (most > 1) {
        Value after =
            arith::RemUIOp::create(builder, loc, length, index(block));
        blocked = arith::SubIOp::create(builder, loc, length, after);
        blocks(zero, blocked, most);
      }
      blocks(blocked, whole, 1);
      Value some = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                         rest, zero);
      auto tail = scf::IfOp::create(builder, loc, some);
      OpBuilder::InsertionGuard guard(builder);
      builder.setInsertionPointToStart(tail.thenBlock());
      position[dim] = whole;
      body(1, vector::CreateMaskOp::create(builder, loc, maskType(), rest));
    }
    position[dim] = zero;
  }

  /// How many adjacent vectors share the loops over reduced axes: each
  /// iteration reads a run of memory instead of one vector, and their sums hide
  /// the latency of the combining op. Sums and the values of one vector must
  /// fit into registers.
  int64_t vectorsOfBlock(ArrayRef<int64_t> reduced, int64_t sums) {
    constexpr int64_t mostSums = 8, mostOps = 32;
    if (reduced.empty() || sums == 0)
      return 1;
    const auto ops = int64_t(op.getBlock()->getOperations().size());
    return std::max<int64_t>(1, std::min(mostSums / sums, mostOps / ops));
  }

  /// Outputs have the vector axis. Those without a reduced axis are carried
  /// through the reduced loops and stored after them, the others are stored in
  /// every iteration.
  void emitLanes(ArrayRef<int64_t> reduced) {
    SmallVector<bool> isCarried;
    for (const TileOperand &out : loops.outs())
      isCarried.push_back(llvm::none_of(out.dims, [&](int64_t dim) {
        return llvm::is_contained(reduced, dim);
      }));
    const int64_t dim = loops.vectorDim,
                  numCarried = llvm::count(isCarried, true);
    alongVectors(vectorsOfBlock(reduced, numCarried), [&](int64_t vectors,
                                                          Value mask) {
      auto oldValue = [&](const TileOperand &out) {
        return lanesOf(load(out, mask));
      };
      Position starts;
      for (int64_t i = 0; i < vectors; ++i)
        starts.push_back(i == 0
                             ? position[dim]
                             : arith::AddIOp::create(builder, loc, starts[0],
                                                     index(i * loops.lanes)));
      /// Runs `each` at every vector of the block.
      const auto forEachVector = [&](function_ref<void()> each) {
        for (Value start : starts) {
          position[dim] = start;
          each();
        }
        position[dim] = starts[0];
      };
      SmallVector<Value> carried;
      forEachVector([&] {
        for (auto [out, carries] : llvm::zip_equal(loops.outs(), isCarried))
          if (carries)
            carried.push_back(out.isRead || !reduced.empty() ? oldValue(out)
                                                             : Value());
      });
      carried = carry(reduced, carried, [&](ValueRange values) {
        SmallVector<Value> kept;
        forEachVector([&] {
          SmallVector<Value> outs;
          for (auto [out, carries] : llvm::zip_equal(loops.outs(), isCarried)) {
            if (carries) {
              outs.push_back(values.front());
              values = values.drop_front();
            } else {
              outs.push_back(out.isRead ? oldValue(out) : Value());
            }
          }
          for (auto [out, carries, value] :
               llvm::zip_equal(loops.outs(), isCarried,
                               compute(outs, mask, /*lanes=*/true)))
            if (carries)
              kept.push_back(value);
            else
              store(out, value, mask);
        });
        return kept;
      });
      ArrayRef<Value> results = carried;
      forEachVector([&] {
        for (auto [out, carries] : llvm::zip_equal(loops.outs(), isCarried))
          if (carries)
            store(out, results.consume_front(), mask);
      });
    });
  }

  /// Four independent chains hide the latency of an addition.
  int64_t chainsOfRow() {
    std::optional<int64_t> known =
        getConstantIntValue(loops.sizes[loops.vectorDim]);
    return known && *known >= 4 * loops.lanes ? 4 : 1;
  }

  /// Moves from the vector at `base` to that of a chain.
  void moveToChain(Value base, int64_t chain) {
    position[loops.vectorDim] =
        chain == 0 ? base
                   : arith::AddIOp::create(builder, loc, base,
                                           index(chain * loops.lanes));
  }

  /// Carries values along the reduced axes, the vector axis innermost: blocks
  /// of a vector for each chain, single vectors, and the rest of the row.
  /// \param step    the values behind this number of vectors.
  /// \param masked  the values behind a vector of which these lanes exist.
  SmallVector<Value>
  carryRow(ArrayRef<int64_t> reduced, ValueRange inits, int64_t chains,
           function_ref<SmallVector<Value>(ValueRange, int64_t)> step,
           function_ref<SmallVector<Value>(Value, ValueRange)> masked) {
    const int64_t dim = loops.vectorDim, lanes = loops.lanes;
    std::optional<int64_t> known = getConstantIntValue(loops.sizes[dim]);
    return carry(reduced, inits, [&](ValueRange outer) {
      SmallVector<Value> values(outer);
      auto run = [&](int64_t begin, int64_t end, int64_t width) {
        values = carryRange(
            dim, begin == 0 ? zero : index(begin), index(end), width * lanes,
            values, [&](ValueRange current) { return step(current, width); });
      };
      if (known) {
        int64_t blocked = *known / (chains * lanes) * (chains * lanes);
        int64_t whole = *known / lanes * lanes;
        if (blocked)
          run(0, blocked, chains);
        if (blocked < whole)
          run(blocked, whole, 1);
        if (whole < *known) {
          position[dim] = index(whole);
          values = masked(
              vector::ConstantMaskOp::create(builder, loc, maskType(),
                                             ArrayRef<int64_t>(*known - whole)),
              values);
        }
      } else {
        Value length = size(dim);
        values = carryRange(
            dim, zero, length, lanes, values, [&](ValueRange current) {
              Value left =
                  arith::SubIOp::create(builder, loc, length, position[dim]);
              return masked(
                  vector::CreateMaskOp::create(builder, loc, maskType(), left),
                  current);
            });
      }
      position[dim] = zero;
      return values;
    });
  }

  /// The vector axis is reduced: vector accumulators, combined at the end of
  /// the row.
  void emitRow(ArrayRef<int64_t> reduced) {
    const int64_t chains = chainsOfRow();
    SmallVector<Value> neutral;
    for (const Combiner &combiner : loops.combiners)
      neutral.push_back(
          lanesOf(arith::ConstantOp::create(builder, loc, combiner.neutral)));
    size_t count = neutral.size();
    SmallVector<Value> inits;
    for (int64_t chain = 0; chain < chains; ++chain)
      inits.append(neutral);

    const auto step = [&](ValueRange current, int64_t width) {
      SmallVector<Value> results(current);
      Value base = position[loops.vectorDim];
      for (int64_t chain = 0; chain < width; ++chain) {
        moveToChain(base, chain);
        llvm::copy(compute(ValueRange(results).slice(chain * count, count),
                           Value(), /*lanes=*/true),
                   results.begin() + chain * count);
      }
      return results;
    };
    const auto masked = [&](Value mask, ValueRange current) {
      SmallVector<Value> results(current);
      SmallVector<Value> next =
          compute(current.take_front(count), mask, /*lanes=*/true);
      for (size_t i = 0; i < count; ++i)
        results[i] =
            arith::SelectOp::create(builder, loc, mask, next[i], current[i]);
      return results;
    };
    SmallVector<Value> sums = carryRow(reduced, inits, chains, step, masked);

    for (int64_t chain = 1; chain < chains; ++chain)
      for (size_t i = 0; i < count; ++i)
        sums[i] = loops.combiners[i].combine(builder, loc, sums[i],
                                             sums[chain * count + i]);
    for (auto [i, out] : llvm::enumerate(loops.outs())) {
      const Combiner &combiner = loops.combiners[i];
      Value row = acrossLanes(combiner, sums[i]);
      store(out, combiner.combine(builder, loc, load(out, Value()), row),
            Value());
    }
  }

  /// As emitRow, for a maximum or minimum of floats.
  void emitExtremeOfRow(ArrayRef<int64_t> reduced) {
    const Combiner &combiner = loops.combiners.front();
    const RowExtreme extreme(builder, loc, combiner, loops.lanes);
    const int64_t chains = chainsOfRow();
    const auto step = [&](ValueRange state, int64_t width) {
      Value base = position[loops.vectorDim];
      SmallVector<Value> elements;
      for (int64_t chain = 0; chain < width; ++chain) {
        moveToChain(base, chain);
        elements.push_back(elementOf(combiner, Value()));
      }
      return extreme.add(state, elements);
    };
    const auto masked = [&](Value mask, ValueRange state) {
      Value element = arith::SelectOp::create(
          builder, loc, mask, elementOf(combiner, mask), extreme.neutral());
      return extreme.add(state, element);
    };
    const SmallVector<Value> state =
        carryRow(reduced, extreme.begin(chains), chains, step, masked);
    const TileOperand &out = loops.outs().front();
    store(out,
          combiner.combine(builder, loc, load(out, Value()),
                           extreme.finish(state)),
          Value());
  }

  /// The vector that a reduction combines at the current position.
  Value elementOf(const Combiner &combiner, Value mask) {
    IRMapping mapping;
    mapBody(mapping, /*outs=*/{}, mask, combiner.op);
    Value old = op.getRegionOutputArgs().front();
    Value element = combiner.op->getOperand(0) == old
                        ? combiner.op->getOperand(1)
                        : combiner.op->getOperand(0);
    return lanesOf(mapping.lookupOrDefault(element));
  }

  /// Combines the lanes of a vector in a tree, whose order matters for floats.
  Value acrossLanes(const Combiner &combiner, Value lanes) {
    // From trees that narrow, LLVM 22 makes wrong code for sums of products of
    // i8 where there is VNNI: after vpdpbusd it adds as many lanes as the last
    // vectors of the tree have, not as its first one has.
    if (isa<arith::AddIOp>(combiner.op))
      return vector::ReductionOp::create(builder, loc,
                                         vector::CombiningKind::ADD, lanes);
    int64_t width = loops.lanes;
    while (width > 1) {
      width /= 2;
      SmallVector<int64_t> low, high;
      for (int64_t lane = 0; lane < width; ++lane) {
        low.push_back(lane);
        high.push_back(lane + width);
      }
      Value lower = vector::ShuffleOp::create(builder, loc, lanes, lanes, low);
      Value upper = vector::ShuffleOp::create(builder, loc, lanes, lanes, high);
      lanes = combiner.combine(builder, loc, lower, upper);
    }
    return vector::ExtractOp::create(builder, loc, lanes, 0);
  }

  /// The new values of the outputs at the current position, given their old
  /// ones.
  SmallVector<Value> compute(ValueRange outs, Value mask, bool lanes) {
    IRMapping mapping;
    mapBody(mapping, outs, mask, /*except=*/nullptr);
    SmallVector<Value> results;
    for (Value value : op.getBlock()->getTerminator()->getOperands()) {
      Value result = mapping.lookupOrDefault(value);
      results.push_back(lanes ? lanesOf(result) : result);
    }
    return results;
  }

  /// Emits the ops of the body except one that uses the outputs, which are then
  /// not needed.
  void mapBody(IRMapping &mapping, ValueRange outs, Value mask,
               Operation *except) {
    Block *body = op.getBlock();
    for (auto [argument, operand] :
         llvm::zip(body->getArguments(), loops.operands)) {
      if (argument.use_empty())
        continue;
      if (!operand.isOut)
        mapping.map(argument, load(operand, mask));
      else if (!except)
        mapping.map(argument, outs[argument.getArgNumber() - loops.numIns()]);
    }
    for (Operation &nested : body->without_terminator())
      if (&nested != except)
        clone(nested, mapping);
  }

  void clone(Operation &scalar, IRMapping &mapping) {
    emitInLanes(builder, scalar, mapping, loops.lanes, [&](int64_t dim) {
      Value value = position[dim];
      if (dim != loops.vectorDim)
        return value;
      auto type = VectorType::get(loops.lanes, builder.getIndexType());
      Value steps = vector::StepOp::create(builder, loc, type);
      return Value(arith::AddIOp::create(builder, loc, lanesOf(value), steps));
    });
  }

  Value lanesOf(Value value) {
    return tilegpt::cpu::lanesOf(builder, loc, value, loops.lanes);
  }

  VectorType maskType() {
    return VectorType::get(loops.lanes, builder.getI1Type());
  }

  SmallVector<Value> indicesOf(const TileOperand &operand) {
    SmallVector<Value> indices;
    for (int64_t dim : operand.dims)
      indices.push_back(dim < 0 ? zero : position[dim]);
    return indices;
  }

  /// A vector of an operand that has the vector axis, a scalar of any other.
  Value load(const TileOperand &operand, Value mask) {
    if (!isa<MemRefType>(operand.value.getType()))
      return operand.value;
    SmallVector<Value> indices = indicesOf(operand);
    if (!operand.hasLanes)
      return memref::LoadOp::create(builder, loc, operand.value, indices);
    Type element = cast<MemRefType>(operand.value.getType()).getElementType();
    auto type = VectorType::get(loops.lanes, element);
    if (!mask)
      return vector::LoadOp::create(builder, loc, type, operand.value, indices);
    Value none =
        arith::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
    return vector::MaskedLoadOp::create(builder, loc, type, operand.value,
                                        indices, mask, none);
  }

  void store(const TileOperand &operand, Value value, Value mask) {
    SmallVector<Value> indices = indicesOf(operand);
    if (!operand.hasLanes)
      memref::StoreOp::create(builder, loc, value, operand.value, indices);
    else if (mask)
      vector::MaskedStoreOp::create(builder, loc, operand.value, indices, mask,
                                    value);
    else
      vector::StoreOp::create(builder, loc, value, operand.value, indices);
  }

  OpBuilder &builder;
  linalg::LinalgOp op;
  Location loc;
  const VectorPlan &loops;
  Value zero;
  Position position;
};

struct VectorizeTiles : tilegpt::cpu::impl::VectorizeTilesBase<VectorizeTiles> {
  using VectorizeTilesBase::VectorizeTilesBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) {
      if (op.hasPureBufferSemantics())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::LinalgOp op : ops) {
      if (emitVectors(rewriter, op))
        continue;
      rewriter.setInsertionPoint(op);
      SmallVector<linalg::LinalgOp> parts =
          transposeInputs(rewriter, op, vectorBits);
      if (parts.empty()) {
        parts = {op};
      } else {
        rewriter.eraseOp(op);
      }
      for (linalg::LinalgOp part : parts)
        if (!emitVectors(rewriter, part) && failed(emitScalars(rewriter, part)))
          return signalPassFailure();
    }
  }

private:
  /// Replaces an op by vector loops; \returns whether it has them.
  bool emitVectors(IRRewriter &rewriter, linalg::LinalgOp op) {
    rewriter.setInsertionPoint(op);
    const std::optional<VectorPlan> loops =
        VectorPlan::plan(rewriter, op, vectorBits);
    if (emitShortRuns(rewriter, op, vectorBits, loops ? loops->lanes : 1)) {
      ++numVector;
      rewriter.eraseOp(op);
      return true;
    }
    if (loops)
      VectorLoops(rewriter, *loops).emit();
    else if (!emitTransposeCopy(rewriter, op, vectorBits))
      return false;
    ++numVector;
    rewriter.eraseOp(op);
    return true;
  }

  LogicalResult emitScalars(IRRewriter &rewriter, linalg::LinalgOp op) {
    rewriter.setInsertionPoint(op);
    if (failed(linalg::linalgOpToLoops(rewriter, op)))
      return op.emitOpError("has no loops on buffers");
    ++numScalar;
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace
