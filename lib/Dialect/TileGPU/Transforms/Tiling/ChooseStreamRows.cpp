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
  /// Those of operands that are converted on their way to the dot, with the
  /// bits of a converted element.
  SmallVector<std::pair<tile::LoadOp, unsigned>> converted = {};
};
} // namespace

/// Whether the launch may choose the rows of a dot.
static bool hasFreeRows(OpenLaunch &launch, tile::DotOp dot) {
  auto lhs = tile::findMatrixBehind(dot.getLhs());
  auto rows = lhs ? dyn_cast<StringAttr>(lhs->sizeOf(0)) : StringAttr();
  return rows && launch.hasFreeSize(rows) && !launch.isFewRows(rows);
}

/// Adds the load of an operand that is computed from it.
static void addConverted(StreamRows &rows, Value operand) {
  auto matrix = tile::findMatrixBehind(operand);
  Type element = getElementTypeOrSelf(operand.getType());
  if (!operand.getDefiningOp<tile::LoadOp>() && matrix &&
      element.isIntOrFloat() && llvm::is_contained(rows.loads, matrix->load))
    rows.converted.push_back({matrix->load, element.getIntOrFloatBitWidth()});
}

static std::optional<StreamRows> findStreamRows(OpenLaunch &launch) {
  std::optional<StreamRows> found;
  launch.kernel.walk([&](tile::DotOp dot) {
    auto loop = dyn_cast<scf::ForOp>(dot->getParentOp());
    auto matrix = tile::findMatrixBehind(dot.getRhs());
    tile::LoadOp rhs = matrix ? matrix->load : tile::LoadOp();
    Operation *window = rhs ? rhs.getView().getDefiningOp() : nullptr;
    BlockArgument root =
        isa_and_nonnull<tile::SubviewOp, tile::SelectOp>(window)
            ? rootOf(rhs.getView())
            : BlockArgument();
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
                                rhs.getView().getType().getRank()),
                       {}};
    for (auto load : loop.getOps<tile::LoadOp>())
      if (llvm::is_contained(load.getSizes(), rows) && rootOf(load.getView()))
        found->loads.push_back(load);
    for (auto other : loop.getOps<tile::DotOp>())
      addConverted(*found, other.getRhs());
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
  constexpr int64_t reserve = 8192, mostResidents = 4, residentsOfWaves = 2,
                    fewestIterations = 2, fewestRows = 64;
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
  int64_t most = std::max(fewestRows, *length / parts / fewestIterations);
  auto fits = [&](int64_t size, int64_t stages) {
    auto bytesOf = [&](ArrayRef<tile::LoadOp> loads) {
      return bytesOfLoads(launch, loads, {{rows->parameter.getValue(), size}});
    };
    std::optional<int64_t> bytes = bytesOf(rows->loads);
    if (!bytes || size > most)
      return false;
    // Converted operands have a buffer of their own.
    int64_t buffers = 0;
    for (auto [load, bits] : rows->converted)
      if (BlockArgument root = rootOf(load.getView()))
        buffers +=
            bytesOf(load).value_or(0) * bits /
            launch.elementOf(root.getArgNumber()).getIntOrFloatBitWidth();
    return stages * *bytes + buffers <= share - reserve;
  };
  SmallVector<int64_t> candidates = launch.candidates(rows->parameter);
  int64_t size =
      largestOf(candidates, [&](int64_t size) { return fits(size, 3); });
  // Few keys do not cover the latency of matrix instructions in a block that is
  // alone on its multiprocessor, two stages of more keys do (64 x 16 x 4096 x
  // 576: 184 us with 32 keys, 126 with 64). Multiply-adds of f32 take longer
  // with more keys.
  bool isMultiplyAdd = launch.elementOf(rows->argument).isF32();
  if (size < fewestRows && residents == 1 && !isMultiplyAdd)
    size = largestOf(candidates, [&](int64_t size) {
      return size <= fewestRows && fits(size, 2);
    });
  launch.set(rows->parameter, size);
  return true;
}

} // namespace tilegpt::tilegpu
