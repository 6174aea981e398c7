// Chooses how many stream rows a loop loads per iteration if its dots have few
// rows, such as the keys in decode attention.
#include "TileGPT/Dialect/Tile/Analysis/LoadedMatrix.h"
#include "TileGPT/Dialect/TileGPU/Analysis/KeyParts.h"
#include "TileGPT/Dialect/TileGPU/Analysis/Streams.h"
#include "Tiling/ChooseTiles.h"
#include "Tiling/LaunchSizes.h"
#include "Tiling/LoadBytes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

namespace {
/// Windows of which a loop loads several rows at a time.
struct StreamRows {
  StringAttr parameter; ///< rows per iteration
  unsigned argument, axis;
  /// The loads of an iteration.
  SmallVector<tile::LoadOp> loads;
};
} // namespace

/// Whether the launch may choose the rows of a dot.
static bool hasFreeRows(OpenLaunch &launch, tile::DotOp dot) {
  auto lhs = tile::findMatrixBehind(dot.getLhs());
  auto rows = lhs ? dyn_cast<StringAttr>(lhs->sizeOf(0)) : StringAttr();
  return rows && launch.hasFreeSize(rows);
}

static std::optional<StreamRows> findStreamRows(OpenLaunch &launch) {
  std::optional<StreamRows> found;
  launch.kernel.walk([&](tile::DotOp dot) {
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    auto rhs = dot.getRhs().getDefiningOp<tile::LoadOp>();
    auto window = rhs ? rhs.getView().getDefiningOp<tile::SubviewOp>()
                      : tile::SubviewOp();
    BlockArgument root = window ? rootOf(window) : BlockArgument();
    if (!loop || !root || rhs->getParentOp() != loop || !dot.getTransposeB() ||
        rhs.getOrder() || rhs.getSizes().size() != 2 ||
        hasFreeRows(launch, dot))
      return WalkResult::advance();
    auto rows = dyn_cast<StringAttr>(rhs.getSizes()[0]);
    if (!rows || !launch.hasFreeSize(rows) || launch.isGiven(rows))
      return WalkResult::advance();
    found = StreamRows{rows,
                       root.getArgNumber(),
                       unsigned(cast<tile::ViewType>(root.getType()).getRank() -
                                window.getResult().getType().getRank()),
                       {}};
    for (auto load : loop.getOps<tile::LoadOp>())
      if (llvm::is_contained(load.getSizes(), rows) && rootOf(load.getView()))
        found->loads.push_back(load);
    return WalkResult::interrupt();
  });
  return found;
}

/// As many rows as leave room for three stages, one being multiplied and two in
/// flight, of all resident blocks, up to four: some start or end while the
/// others read. More blocks run in several waves anyway: two at a time have
/// larger iterations (64 x 12 x 1024 x 112: 94 us instead of 108). Blocks of a
/// cluster have several iterations each.
bool chooseStreamRows(OpenLaunch &launch) {
  constexpr int64_t stages = 3, reserve = 8192, mostResidents = 4,
                    residentsOfWaves = 2, fewestIterations = 2, fewestRows = 64;
  std::optional<StreamRows> rows = findStreamRows(launch);
  if (!rows)
    return false;
  std::optional<int64_t> blocks = LaunchSizes(launch).countBlocks({}),
                         length = launch.sizeOf(rows->argument, rows->axis);
  if (!blocks || !length)
    return true;
  int64_t parts = 1;
  if (launch.target.hasTma) {
    int64_t keyBytes =
        bytesOfLoads(launch, rows->loads, {{rows->parameter.getValue(), 1}})
            .value_or(0);
    int64_t copies =
        countKeyCopies(*blocks, *length, keyBytes, launch.multiprocessors);
    parts = copies * countKeyParts(*blocks * copies, *length / copies,
                                   launch.multiprocessors);
  }
  int64_t residents = llvm::divideCeil(*blocks * parts, launch.multiprocessors);
  if (residents > mostResidents)
    residents = residentsOfWaves;
  int64_t share =
      int64_t(launch.target.sharedBytesPerMultiprocessor) / residents;
  int64_t room = (share - reserve) / stages;
  int64_t most = std::max(fewestRows, *length / parts / fewestIterations);
  auto fits = [&](int64_t size) {
    std::optional<int64_t> bytes =
        bytesOfLoads(launch, rows->loads, {{rows->parameter.getValue(), size}});
    return size <= most && bytes && *bytes <= room;
  };
  launch.set(rows->parameter,
             largestOf(launch.candidates(rows->parameter), fits));
  return true;
}

} // namespace tilegpt::tilegpu
