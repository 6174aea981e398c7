// Makes a model one that several ranks run together, each on its part of the
// weights: one text for all of them.
#include "TileGPT/Bundle/WeightShard.h"
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace tilegpt::gpt {
#define GEN_PASS_DEF_SHARDPASS
#include "TileGPT/Dialect/Gpt/Transforms/Passes.h.inc"
} // namespace tilegpt::gpt

using namespace tilegpt::gpt;
using tilegpt::bundle::WeightShard;
using Group = WeightShard::Group;

namespace {

/// Whether each of `ranks` gets at least one of these units.
static bool givesAllRanksSome(int64_t units, int64_t ranks) {
  return (ranks - 1) * llvm::divideCeil(units, ranks) <
         static_cast<uint64_t>(units);
}

/// `count` groups of `size` columns each cut for `ranks`: pieces of a multiple
/// of 8 where the size is one, which keeps rows aligned.
static Group cut(int64_t count, int64_t size, int64_t ranks) {
  int64_t unit = size % 8 == 0 && givesAllRanksSome(size / 8, ranks) ? 8 : 1;
  return {count, size / unit, unit, ranks};
}

static StringAttr textOf(Operation *op, WeightShard::Axis axis,
                         ArrayRef<Group> groups) {
  WeightShard shard{axis, {}};
  // Adjacent groups of the same size have the same kind.
  for (Group group : groups) {
    Group *last = shard.groups.empty() ? nullptr : &shard.groups.back();
    Group again = group;
    if (last)
      again.count = last->count;
    if (last && *last == again)
      last->count += group.count;
    else
      shard.groups.push_back(group);
  }
  return StringAttr::get(op->getContext(), shard.format());
}

/// How heads are split: KV heads together with the query heads that share them.
struct HeadSplit {
  Group queries, keys;
};

/// The ops between a product and attention.
static bool keepsHeads(Operation *op) {
  return isa<HeadNormOp, HeadLayerNormOp, RotaryOp, ClampOp>(op);
}

/// Whether only attention reads the heads that `op` returns.
static bool isReadByAttention(Operation *op) {
  return !op->use_empty() && llvm::all_of(op->getUsers(), [](Operation *user) {
    return isa<AttentionOp>(user) ||
           (keepsHeads(user) && isReadByAttention(user));
  });
}

/// Whether `op` gates the results of attention, feature by feature.
static bool gatesHeads(GateOp op) {
  return op.hasGatesOfFeatures() && op.getInput().getDefiningOp<AttentionOp>();
}

/// Whether `op` is read as gates of the results of attention and by nothing
/// else.
static bool isReadByGatesOfHeads(LinearOp op) {
  return !op->use_empty() && llvm::all_of(op->getUses(), [](OpOperand &use) {
    auto gate = dyn_cast<GateOp>(use.getOwner());
    return gate && &use == &gate.getLogitsMutable() && gatesHeads(gate);
  });
}

/// Whether an activation or a gate is all that reads `op`, and products all
/// that read what that gives.
static bool isInnerLayer(LinearOp op) {
  auto isInputOfLinear = [](OpOperand &use) {
    auto reader = dyn_cast<LinearOp>(use.getOwner());
    return reader && &reader.getInputMutable() == &use;
  };
  return op->hasOneUse() &&
         isa<GeluOp, ReluOp, XieluOp, GluOp>(*op->user_begin()) &&
         llvm::all_of(op->user_begin()->getUses(), isInputOfLinear);
}

/// Splits the functions of one model.
class Sharding {
public:
  Sharding(ModelOp model, int64_t ranks) : model(model), ranks(ranks) {}

  LogicalResult run() {
    WalkResult checked = model.walk([&](Operation *op) {
      bool isLiteral = llvm::none_of(op->getAttrs(), [](NamedAttribute named) {
        return isa<ExprAttr>(named.getValue());
      });
      if (isLiteral && !isa<LayersOp>(op))
        return WalkResult::advance();
      op->emitOpError("expected layers written out and literal values; run "
                      "--gpt-unroll-layers first");
      return WalkResult::interrupt();
    });
    if (checked.wasInterrupted() || failed(splitHeads()))
      return failure();
    WalkResult done = model.walk([&](func::FuncOp function) {
      for (Operation &op : llvm::make_early_inc_range(function.getOps()))
        if (failed(split(&op)))
          return WalkResult::interrupt();
      return WalkResult::advance();
    });
    return failure(done.wasInterrupted());
  }

private:
  /// Decides how heads are split, and gives the model those of one rank.
  LogicalResult splitHeads() {
    int64_t queries = model.getHeads(), keys = model.getKvHeadCount();
    int64_t width = model.getHeadWidth(), shared = queries / keys;
    if (queries % keys != 0)
      return model.emitOpError("expected kv_heads (")
             << keys << ") to divide heads (" << queries << ")";
    if (keys >= ranks) {
      if (!givesAllRanksSome(keys, ranks))
        return refuse(keys, shared == 1 ? "heads" : "heads of keys and values");
      heads = {{1, keys, shared * width, ranks}, {2, keys, width, ranks}};
    } else {
      if (ranks % keys != 0 || queries % ranks != 0)
        return refuse(queries, shared == 1 ? Twine("heads")
                                           : "heads that share " + Twine(keys) +
                                                 " of keys and values");
      heads = {{1, queries, width, ranks}, {2, keys, width, keys}};
    }
    OpBuilder builder(model);
    model.setHeadDimAttr(builder.getI64IntegerAttr(width));
    model.setHeads(heads.queries.pieceSize() / width);
    model.setKvHeadsAttr(
        builder.getI64IntegerAttr(heads.keys.pieceSize() / width));
    return success();
  }

  LogicalResult refuse(int64_t count, const Twine &what) {
    return model.emitOpError("has ")
           << count << " " << what << ", which cannot be split among " << ranks
           << " ranks";
  }

  LogicalResult split(Operation *op) {
    if (auto embed = dyn_cast<EmbedOp>(op))
      return splitEmbedding(embed);
    if (auto unembed = dyn_cast<UnembedOp>(op))
      return splitHead(unembed);
    if (auto linear = dyn_cast<LinearOp>(op))
      return splitLinear(linear);
    if (auto experts = dyn_cast<ExpertsOp>(op))
      return splitExperts(experts);
    if (isa<GeluOp, ReluOp, XieluOp, GluOp>(op) || keepsHeads(op) ||
        isa<AttentionOp>(op))
      return pass(op);
    if (auto gate = dyn_cast<GateOp>(op); gate && gatesHeads(gate))
      return parts.contains(gate.getLogits())
                 ? pass(op)
                 : op->emitOpError("expected gates of heads that a gpt.linear "
                                   "gives to nothing else");
    if (isa<LatentHeadsOp>(op))
      return op->emitOpError("has latent keys and values, which are not split; "
                             "use one rank");
    if (isa<QkNormOp>(op))
      return op->emitOpError("normalizes the heads of all ranks together, "
                             "which cannot be split; use one rank");
    return checkWhole(op);
  }

  /// That ranks hold all of what `op` reads.
  LogicalResult checkWhole(Operation *op) {
    for (Value operand : op->getOperands())
      if (parts.contains(operand))
        return op->emitOpError("reads columns of which each of ")
               << ranks << " ranks holds a part";
    return success();
  }

  /// Gives `op` the types that follow from its attributes.
  static LogicalResult retype(Operation *op) {
    SmallVector<Type> types;
    if (failed(
            cast<tilegpt::tile::TypeRefinementOpInterface>(op).inferResultTypes(
                types)))
      return failure();
    for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
      result.setType(type);
    return success();
  }

  /// Ops that work on the columns a rank has.
  LogicalResult pass(Operation *op) {
    auto part = parts.find(op->getOperand(0));
    bool ofHeads = isa<HeadNormOp, HeadLayerNormOp, RotaryOp, AttentionOp>(op);
    if (part == parts.end())
      return ofHeads ? op->emitOpError("expected heads that a gpt.linear gives "
                                       "to nothing but attention")
                     : success();
    Group group = part->second;
    if (isa<GluOp>(op))
      group.count = 1;
    if (auto attention = dyn_cast<AttentionOp>(op)) {
      group = heads.queries;
      if (attention.getAlibi() || attention.getSinks())
        attention.setShardAttr(headsOf(attention));
    }
    if (auto norm = dyn_cast<HeadLayerNormOp>(op); norm && norm.hasOwnWeights())
      norm.setShardAttr(textOf(norm, WeightShard::Axis::Rows,
                               {inHeads(heads.queries), inHeads(heads.keys)}));
    parts[op->getResult(0)] = group;
    return retype(op);
  }

  /// One group of heads, each a row.
  Group inHeads(Group group) {
    group.count = 1;
    group.unit /= model.getHeadWidth();
    return group;
  }

  /// The heads of queries of a rank.
  StringAttr headsOf(AttentionOp op) {
    return textOf(op, WeightShard::Axis::Rows, inHeads(heads.queries));
  }

  /// The tokens of a rank: the same for the embedding and for a head tied to
  /// it, so that they share memory.
  StringAttr tokensOf(Operation *op) {
    return textOf(op, WeightShard::Axis::Rows,
                  Group{1, int64_t(model.getVocab()), 1, ranks});
  }

  LogicalResult splitEmbedding(EmbedOp op) {
    op.setShardAttr(tokensOf(op));
    return reduce(op);
  }

  LogicalResult splitHead(UnembedOp op) {
    if (failed(checkWhole(op)))
      return failure();
    op.setShardAttr(tokensOf(op));
    return failure(failed(retype(op)) ||
                   failed(gather(op, int64_t(model.getVocab()))));
  }

  LogicalResult splitLinear(LinearOp op) {
    if (op.getGated() || op.getResidual() ||
        op.getActivation() != Activation::None)
      return op.emitOpError("expected layers that are not fused yet; run "
                            "--gpt-fuse after --gpt-shard");
    if (auto part = parts.find(op.getInput()); part != parts.end()) {
      op.setShardAttr(textOf(op, WeightShard::Axis::Columns, part->second));
      return reduce(op);
    }
    FailureOr<int64_t> features = op.getFeatureCount();
    if (failed(features))
      return failure();
    SmallVector<Group> groups;
    if (isReadByAttention(op)) {
      groups = {heads.queries, heads.keys};
      parts[op.getResult()] = heads.queries;
    } else if (isReadByGatesOfHeads(op)) {
      groups = {heads.queries};
      parts[op.getResult()] = heads.queries;
    } else if (isInnerLayer(op)) {
      int64_t count = isa<GluOp>(*op->user_begin()) ? 2 : 1;
      groups = {cut(count, *features / count, ranks)};
      if (!givesAllRanksSome(groups[0].units, ranks))
        return refuse(*features / count, "inner features");
      parts[op.getResult()] = groups[0];
    } else {
      return success();
    }
    int64_t local = 0;
    for (const Group &group : groups)
      local += group.count * group.pieceSize();
    op.setFeaturesAttr(OpBuilder(op).getI64IntegerAttr(local));
    op.setShardAttr(textOf(op, WeightShard::Axis::Rows, groups));
    return retype(op);
  }

  LogicalResult splitExperts(ExpertsOp op) {
    if (failed(checkWhole(op)))
      return failure();
    FailureOr<int64_t> inner = op.getInnerCount();
    if (failed(inner))
      return failure();
    Group group = cut(1, *inner, ranks);
    if (!givesAllRanksSome(group.units, ranks))
      return refuse(*inner, "inner features of an expert");
    StringRef text = textOf(op, WeightShard::Axis::Rows, group);
    op.setShard(text.drop_front(strlen("rows ")));
    op.setInnerAttr(OpBuilder(op).getI64IntegerAttr(group.pieceSize()));
    return reduce(op);
  }

  /// Sums the partial results of `op` over all ranks.
  LogicalResult reduce(Operation *op) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value part = op->getResult(0);
    auto sum = AllReduceOp::create(builder, op->getLoc(), part.getType(), part,
                                   uint64_t(ranks));
    part.replaceAllUsesExcept(sum, sum);
    return success();
  }

  /// Puts the columns of all ranks side by side.
  LogicalResult gather(Operation *op, int64_t columns) {
    OpBuilder builder(op->getContext());
    builder.setInsertionPointAfter(op);
    Value part = op->getResult(0);
    auto type = cast<RankedTensorType>(part.getType());
    auto whole = AllGatherOp::create(builder, op->getLoc(),
                                     type.clone({type.getDimSize(0), columns}),
                                     part, uint64_t(columns), uint64_t(ranks));
    part.replaceAllUsesExcept(whole, whole);
    return success();
  }

  ModelOp model;
  int64_t ranks;
  HeadSplit heads;
  /// Values of which each rank has a part of the columns, and which: of heads
  /// those of the queries.
  llvm::DenseMap<Value, Group> parts;
};

class Shard : public tilegpt::gpt::impl::ShardPassBase<Shard> {
public:
  using ShardPassBase::ShardPassBase;

  void runOnOperation() override {
    ModelOp model = getOperation();
    if (ranks < 1) {
      model.emitOpError("expected 1 rank or more, found ") << ranks;
      return signalPassFailure();
    }
    if (ranks > 1 && failed(Sharding(model, ranks).run()))
      return signalPassFailure();
  }
};

} // namespace
