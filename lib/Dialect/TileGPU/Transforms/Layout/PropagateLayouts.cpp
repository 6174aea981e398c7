// Propagates layouts through reductions, broadcasts, reshapes and the like,
// from operands to results and back.
#include "Layout/PropagateLayouts.h"
#include "Layout/CheapTiles.h"
#include "Layout/CutLayout.h"
#include "Layout/LayoutRelations.h"
#include "Layout/ReshapeAxes.h"
#include "TileGPT/Dialect/Tile/Analysis/TileOf.h"
#include "TileGPT/Dialect/Tile/IR/MemoryBytes.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Relabel.h"
#include "TileGPT/Dialect/TileGPU/Analysis/SpreadReduction.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
class Propagation {
public:
  Propagation(AssignedLayouts &layouts, const MemoryAnchors &anchors)
      : layouts(layouts), anchors(anchors) {}

  void run(tile::KernelOp kernel) {
    do {
      changed = false;
      kernel.walk([&](Operation *op) { deriveThrough(op); });
    } while (changed);
  }

private:
  void derive(Value from, Value to,
              function_ref<LayoutAttr(LayoutAttr)> relation) {
    if (layouts.isOpen(from) || !layouts.isOpen(to))
      return;
    LayoutAttr derived = relation(layouts.of(from));
    if (!derived)
      return;
    layouts.assign(to, derived);
    changed = true;
  }

  void deriveThrough(Operation *op) {
    if (auto reduce = dyn_cast<tile::ReduceOp>(op)) {
      derive(reduce.getSources().front(), reduce.getResults().front(),
             [&](LayoutAttr layout) {
               return isBetterSpread(reduce, layout)
                          ? LayoutAttr()
                          : reducedLayout(reduce, layout);
             });
    } else if (auto expand = dyn_cast<tile::ExpandDimsOp>(op)) {
      derive(expand.getSource(), expand.getResult(), [&](LayoutAttr layout) {
        return layout.insertAxis(expand.getAxis());
      });
      derive(expand.getResult(), expand.getSource(), [&](LayoutAttr layout) {
        return layout.dropAxis(expand.getAxis());
      });
    } else if (auto permute = dyn_cast<tile::PermuteOp>(op)) {
      derive(permute.getSource(), permute.getResult(), [&](LayoutAttr layout) {
        return unlessScattered(permute.getResult(),
                               layout.permute(permute.getPermutation()));
      });
      derive(permute.getResult(), permute.getSource(), [&](LayoutAttr layout) {
        return unlessScattered(
            permute.getSource(),
            layout.permute(invertPermutationVector(permute.getPermutation())));
      });
    } else if (auto broadcast = dyn_cast<tile::BroadcastOp>(op)) {
      if (!isWorthExchanging(broadcast))
        derive(
            broadcast.getResult(), broadcast.getSource(),
            [&](LayoutAttr layout) { return sourceLayout(broadcast, layout); });
    } else if (auto reshape = dyn_cast<tile::ReshapeOp>(op)) {
      if (auto groups = cutAxes(reshape)) {
        ArrayRef<int64_t> shape = tileOf(reshape.getResult()).getShape();
        derive(reshape.getResult(), reshape.getSource(),
               [&](LayoutAttr layout) {
                 return layout.mergeAxes(*groups, shape);
               });
        derive(reshape.getSource(), reshape.getResult(),
               [&](LayoutAttr layout) {
                 return cutLayout(layout, *groups, shape);
               });
      } else if (auto groups = joinedAxes(reshape)) {
        ArrayRef<int64_t> shape = tileOf(reshape.getSource()).getShape();
        // Loaded and stored tiles have layouts of their own.
        if (dropsUnitAxes(reshape))
          derive(reshape.getSource(), reshape.getResult(),
                 [&](LayoutAttr layout) {
                   return layout.mergeAxes(*groups, shape);
                 });
        else if (!anchors.lookUp(reshape.getResult()))
          derive(reshape.getSource(), reshape.getResult(),
                 [&](LayoutAttr layout) {
                   return joinAxes(layout, *groups, shape);
                 });
        derive(reshape.getResult(), reshape.getSource(),
               [&](LayoutAttr layout) {
                 return cutLayout(layout, *groups, shape);
               });
      } else if (dropsUnitAxes(reshape)) {
        const bool isInMemory = anchors.lookUp(reshape.getSource()) ||
                                anchors.lookUp(reshape.getResult());
        auto deriveUnits = [&](Value from, Value to) {
          derive(from, to, [&](LayoutAttr layout) {
            return isInMemory && !followsUnitAxes(reshape, layout)
                       ? LayoutAttr()
                       : moveUnitAxes(layout, tileOf(from).getShape(),
                                      tileOf(to).getShape());
          });
        };
        deriveUnits(reshape.getSource(), reshape.getResult());
        deriveUnits(reshape.getResult(), reshape.getSource());
      } else if (!isBetweenButterflies(reshape)) {
        deriveRegrouped(reshape.getSource(), reshape.getResult());
        deriveRegrouped(reshape.getResult(), reshape.getSource());
      }
    } else if (auto cat = dyn_cast<tile::CatOp>(op)) {
      int64_t axis = cat.getAxis(),
              size = tileOf(cat.getLhs()).getDimSize(axis);
      if (size != tileOf(cat.getRhs()).getDimSize(axis))
        return;
      for (Value part : {cat.getLhs(), cat.getRhs()}) {
        derive(cat.getResult(), part, [&](LayoutAttr layout) {
          return pieceLayout(layout, axis, size);
        });
        derive(part, cat.getResult(), [&](LayoutAttr layout) {
          return joinedLayout(layout, axis, size, /*count=*/2);
        });
      }
    } else if (auto extract = dyn_cast<tile::ExtractOp>(op)) {
      derivePiece(extract.getSource(), extract.getResult());
    } else if (auto insert = dyn_cast<tile::InsertOp>(op)) {
      derivePiece(insert.getDest(), insert.getSource());
    } else if (auto gather = dyn_cast<tile::GatherOp>(op)) {
      derive(gather.getResult(), gather.getIndex(), [&](LayoutAttr layout) {
        return layoutOfIndices(layout, tileOf(gather.getResult()).getRank(),
                               gather.getAxis());
      });
    } else if (auto scatter = dyn_cast<tile::ScatterOp>(op)) {
      derive(scatter.getValue(), scatter.getIndex(), [&](LayoutAttr layout) {
        return layoutOfIndices(layout, tileOf(scatter.getValue()).getRank(),
                               scatter.getAxis());
      });
    }
  }

  /// Whether a reshape joins the pieces of one stage of a network to cut them
  /// for the next. Stages have layouts of their own: in that of the others,
  /// transforms of 256 i64 on an H200 take 484 us instead of 391.
  bool isBetweenButterflies(tile::ReshapeOp op) const {
    return llvm::any_of(layouts.alike(op.getSource()),
                        [](Value tile) {
                          return bool(tile.getDefiningOp<tile::CatOp>());
                        }) &&
           llvm::any_of(layouts.alike(op.getResult()), [](Value tile) {
             return llvm::any_of(tile.getUsers(),
                                 llvm::IsaPred<tile::ExtractOp>);
           });
  }

  /// A tile that is not in memory follows one with the same elements in other
  /// axes, unless its pieces would move instead.
  void deriveRegrouped(Value from, Value to) {
    if (anchors.lookUp(to))
      return;
    derive(from, to, [&](LayoutAttr layout) {
      LayoutAttr regrouped =
          regroupAxes(layout, tileOf(from).getShape(), tileOf(to).getShape());
      return regrouped && holdsPieces(to, regrouped) ? regrouped : LayoutAttr();
    });
  }

  /// Whether threads that hold tiles in this layout hold the same elements of
  /// all pieces that these are joined from or cut into.
  bool holdsPieces(Value whole, LayoutAttr layout) const {
    auto holds = [&](Value piece) {
      ArrayRef<int64_t> from = tileOf(whole).getShape(),
                        to = tileOf(piece).getShape();
      return llvm::all_of(llvm::seq<int64_t>(0, from.size()),
                          [&](int64_t axis) {
                            return from[axis] == to[axis] ||
                                   pieceLayout(layout, axis, to[axis]);
                          });
    };
    return llvm::all_of(layouts.alike(whole), [&](Value tile) {
      auto cat = tile.getDefiningOp<tile::CatOp>();
      return (!cat || (holds(cat.getLhs()) && holds(cat.getRhs()))) &&
             llvm::all_of(tile.getUsers(), [&](Operation *user) {
               auto extract = dyn_cast<tile::ExtractOp>(user);
               return !extract || holds(extract.getResult());
             });
    });
  }

  /// Moves the unit axes of a layout from those of shape `from` to those of
  /// `to`.
  static LayoutAttr moveUnitAxes(LayoutAttr layout, ArrayRef<int64_t> from,
                                 ArrayRef<int64_t> to) {
    for (int64_t axis = from.size(); axis-- > 0;)
      if (from[axis] == 1)
        layout = layout.dropAxis(axis);
    for (auto [axis, size] : llvm::enumerate(to))
      if (size == 1)
        layout = layout.insertAxis(axis);
    return layout;
  }

  /// A piece that is cut along one axis follows the whole.
  void derivePiece(Value whole, Value piece) {
    ArrayRef<int64_t> from = tileOf(whole).getShape(),
                      to = tileOf(piece).getShape();
    std::optional<int64_t> cut;
    for (auto [axis, sizes] : llvm::enumerate(llvm::zip_equal(from, to)))
      if (std::get<0>(sizes) != std::get<1>(sizes)) {
        if (cut)
          return;
        cut = axis;
      }
    if (!cut)
      return;
    derive(whole, piece, [&](LayoutAttr layout) {
      return pieceLayout(layout, *cut, to[*cut]);
    });
  }

  /// The layout, or null if a loaded or stored tile would be accessed in runs
  /// shorter than a sector: converting its layout through shared memory costs
  /// less.
  LayoutAttr unlessScattered(Value tile, LayoutAttr layout) const {
    constexpr int64_t sectorBytes = 32;
    const MemoryAnchor *anchor = anchors.lookUp(tile);
    if (!anchor || anchors.isStreamed(tile))
      return layout;
    int64_t axis = anchor->fastest,
            bytes = std::max<int64_t>(
                1, memoryBytes(tileOf(tile).getElementType())),
            wanted =
                std::min(tileOf(tile).getDimSize(axis), sectorBytes / bytes);
    return neighboursOf(layout, axis) < wanted ? LayoutAttr() : layout;
  }

  /// The contiguous elements along an axis that the lanes of a warp access at
  /// once, each with its first registers.
  static int64_t neighboursOf(LayoutAttr layout, int64_t axis) {
    int64_t run = 1;
    auto extend = [&](ArrayRef<LayoutMode> modes) {
      for (const LayoutMode &mode : modes)
        if (mode.axis == axis && mode.stride == run)
          run *= mode.extent;
    };
    extend(layout.getRegisters());
    extend(layout.getLanes());
    return run;
  }

  /// Whether the source of a broadcast is better computed once, by all threads,
  /// and exchanged than redundantly by several warps: if it is large and more
  /// than a loaded tile. Never in a branch, which a warp may take alone.
  bool isWorthExchanging(tile::BroadcastOp op) const {
    constexpr int64_t fewestRegisters = 32, fewestCopies = 4;
    LayoutAttr result = layouts.of(op.getResult());
    if (!result || op->getParentOfType<scf::IfOp>() ||
        !isComputed(op.getSource()))
      return false;
    LayoutAttr source = sourceLayout(op, result);
    int64_t copies = 1;
    for (const LayoutMode &mode : source.getWarps())
      if (mode.isReplicated())
        copies *= mode.extent;
    return copies >= fewestCopies &&
           source.getNumRegisters() >= fewestRegisters;
  }

  /// Whether a tile depends on more than one tile that is not cheap.
  static bool isComputed(Value tile) {
    while (Operation *op = tile.getDefiningOp()) {
      SmallVector<Value> sources =
          llvm::filter_to_vector(op->getOperands(), [](Value value) {
            Operation *source = value.getDefiningOp();
            return isa<RankedTensorType>(value.getType()) &&
                   !(source && isCheap(source));
          });
      if (sources.size() != 1)
        return sources.size() > 1;
      tile = sources.front();
    }
    return false;
  }

  AssignedLayouts &layouts;
  const MemoryAnchors &anchors;
  bool changed = false;
};
} // namespace

void propagateLayouts(tile::KernelOp kernel, AssignedLayouts &layouts,
                      const MemoryAnchors &anchors) {
  Propagation(layouts, anchors).run(kernel);
}

} // namespace tilegpt::tilegpu
