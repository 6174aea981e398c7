// Parsers, printers and verifiers of layouts and plans. Layout computations are
// in Layout.cpp.
#include "TileGPT/Dialect/TileGPU/IR/ThreadGroups.h"
#include "TileGPT/Dialect/TileGPU/IR/TileGPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tilegpt::tilegpu;

#define GET_ATTRDEF_CLASSES
#include "TileGPT/Dialect/TileGPU/IR/TileGPUAttributes.cpp.inc"

void TileGPUDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "TileGPT/Dialect/TileGPU/IR/TileGPUAttributes.cpp.inc"
      >();
}

/// Parses `d1:8*4` or `rep:4`.
static ParseResult parseMode(AsmParser &parser, LayoutMode &mode) {
  StringRef word;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseKeyword(&word) || parser.parseColon() ||
      parser.parseInteger(mode.extent))
    return failure();
  if (word == "rep")
    return success();
  if (!word.consume_front("d") || word.getAsInteger(10, mode.axis))
    return parser.emitError(loc)
           << "expected a mode such as 'd0:8*4' or 'rep:4'";
  return failure(parser.parseStar() || parser.parseInteger(mode.stride));
}

static ParseResult parseModes(AsmParser &parser, StringRef name,
                              SmallVectorImpl<LayoutMode> &modes) {
  return failure(
      parser.parseKeyword(name) || parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parseMode(parser, modes.emplace_back());
      }));
}

Attribute LayoutAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<LayoutMode> registers, lanes, warps;
  if (parser.parseLess() || parseModes(parser, "registers", registers) ||
      parser.parseComma() || parseModes(parser, "lanes", lanes) ||
      parser.parseComma() || parseModes(parser, "warps", warps) ||
      parser.parseGreater())
    return {};
  return LayoutAttr::getChecked([&] { return parser.emitError(loc); },
                                parser.getContext(), registers, lanes, warps);
}

static void printModes(AsmPrinter &printer, StringRef name,
                       ArrayRef<LayoutMode> modes) {
  printer << name << " = [";
  llvm::interleaveComma(modes, printer, [&](const LayoutMode &mode) {
    if (mode.isReplicated())
      printer << "rep:" << mode.extent;
    else
      printer << 'd' << mode.axis << ':' << mode.extent << '*' << mode.stride;
  });
  printer << ']';
}

void LayoutAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printModes(printer, "registers", getRegisters());
  printer << ", ";
  printModes(printer, "lanes", getLanes());
  printer << ", ";
  printModes(printer, "warps", getWarps());
  printer << '>';
}

LogicalResult LayoutAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<LayoutMode> registers,
                                 ArrayRef<LayoutMode> lanes,
                                 ArrayRef<LayoutMode> warps) {
  constexpr int64_t maxRegisters = 1 << 16, maxWarps = 32;
  std::pair<ArrayRef<LayoutMode>, int64_t> axes[] = {
      {registers, maxRegisters}, {lanes, warpLanes}, {warps, maxWarps}};
  int64_t counts[3];
  for (auto [number, axis] : llvm::enumerate(axes)) {
    int64_t &count = counts[number] = 1;
    for (const LayoutMode &mode : axis.first) {
      if (number == 0 && mode.isReplicated())
        return emitError() << "expected no copies among the registers of a "
                              "thread, found rep:"
                           << mode.extent;
      if (mode.extent < 1 || mode.extent > axis.second ||
          (count *= mode.extent) > axis.second)
        return emitError() << "expected extents that multiply to at most "
                           << axis.second << ", found " << mode.extent;
      if (!mode.isReplicated() &&
          (mode.axis < 0 || mode.stride < 1 || mode.stride > maxRegisters * 64))
        return emitError() << "expected a positive stride of a sane size, "
                              "found "
                           << mode.stride;
    }
  }
  if (counts[1] != warpLanes)
    return emitError() << "expected the extents of the lanes to multiply to "
                       << warpLanes << ", found " << counts[1];
  return success();
}

LogicalResult
LayoutAttr::verifyEncoding(ArrayRef<int64_t> shape, Type,
                           function_ref<InFlightDiagnostic()> emitError) const {
  int64_t rank = shape.size();
  SmallVector<SmallVector<LayoutMode>> modesOf(rank);
  for (ArrayRef<LayoutMode> modes : {getRegisters(), getLanes(), getWarps()})
    for (const LayoutMode &mode : modes) {
      if (mode.axis >= rank)
        return emitError() << "expected a layout of axes 0 to " << rank - 1
                           << ", found a mode of axis " << mode.axis;
      if (!mode.isReplicated() && mode.extent > 1)
        modesOf[mode.axis].push_back(mode);
    }
  for (int64_t axis = 0; axis < rank; ++axis) {
    // Digits enumerate without gaps or repetitions if each mode steps over the
    // full range of the smaller ones.
    llvm::sort(modesOf[axis], [](const LayoutMode &lhs, const LayoutMode &rhs) {
      return lhs.stride < rhs.stride;
    });
    int64_t reached = 1;
    for (const LayoutMode &mode : modesOf[axis]) {
      if (mode.stride < reached)
        return emitError() << "expected a layout that holds elements once, but "
                              "a mode of axis "
                           << axis << " has stride " << mode.stride
                           << " where others reach " << reached
                           << " elements; copies are 'rep' modes";
      if (mode.stride > reached)
        break;
      reached *= mode.extent;
    }
    if (reached < shape[axis])
      return emitError() << "expected a layout that holds all " << shape[axis]
                         << " elements along axis " << axis << ", found "
                         << reached;
  }
  return success();
}

LogicalResult PlanAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                               StringAttr target, int64_t warps, int64_t stages,
                               bool producer, bool persistent, int64_t raster,
                               int64_t teams, int64_t parts, int64_t blocks,
                               int64_t residentStages, int64_t multicast,
                               int64_t multicastAxis, bool /*overlap*/,
                               bool inRegisters, bool throughMemory) {
  if (warps < 1 || warps > 32)
    return emitError() << "expected 1 to 32 warps, found " << warps;
  if (stages < 0 || stages > 32)
    return emitError() << "expected 0 to 32 stages, found " << stages;
  if (producer && stages == 0)
    return emitError() << "a producer needs stages to fill";
  bool takeTurns = teams == 2 && producer && persistent,
       arePacked =
           teams > 1 && teams <= 32 && warps == 1 && !producer && !persistent;
  if (teams != 1 && !takeTurns && !arePacked)
    return emitError() << "expected one team, two of a persistent kernel with "
                          "a producer, or up to 32 of one warp without a "
                          "producer, found "
                       << teams;
  const int64_t mostParts = throughMemory ? mostThroughMemory : mostOfCluster;
  if (throughMemory && (parts == 1 || blocks == 0 || producer || stages != 0))
    return emitError() << "expected several parts, blocks of a multiprocessor, "
                          "and no producer and stages where blocks exchange "
                          "through memory, found "
                       << parts << " parts, " << blocks << " blocks and "
                       << stages << " stages";
  if (parts != 1 && !(parts > 1 && parts <= mostParts && !persistent))
    return emitError() << "expected one part, or up to " << mostParts
                       << " of a kernel whose blocks have a tile each, found "
                       << parts;
  const int64_t mostBlocks = producer ? 2 : 32;
  if (blocks < 0 || blocks > mostBlocks)
    return emitError() << "expected up to " << mostBlocks
                       << " blocks of a multiprocessor, found " << blocks;
  if (inRegisters && (blocks == 0 || stages != 0))
    return emitError() << "expected rows in registers of a plan that says how "
                          "many blocks a multiprocessor holds and has no "
                          "stages, found "
                       << blocks << " blocks and " << stages << " stages";
  if (residentStages != 1 && residentStages != 2)
    return emitError() << "expected one or two buffers of a resident tile, "
                          "found "
                       << residentStages;
  // A warp releases a stage with one lane per block.
  if (multicast < 1 || multicast > mostOfCluster ||
      (multicast > 1 && !(producer && persistent)))
    return emitError() << "expected copies for one block, or for up to "
                       << mostOfCluster
                       << " of a persistent kernel with a producer, found "
                       << multicast;
  if (multicastAxis < 0 || multicastAxis > bothAxes)
    return emitError() << "expected blocks of a cluster along axis 0 or 1 of "
                          "the grid, or 2 for both, found "
                       << multicastAxis;
  constexpr int64_t squareBlocks = 4;
  if (multicastAxis == bothAxes && multicast != squareBlocks)
    return emitError() << "expected " << squareBlocks
                       << " blocks of a cluster along both axes, found "
                       << multicast;
  if (raster < 1)
    return emitError() << "expected bands of at least one row, found "
                       << raster;
  return success();
}

int64_t PlanAttr::getMulticastAlong(int64_t axis) const {
  constexpr int64_t squareSide = 2, axesOfClusters = 2;
  if (getMulticastAxis() == bothAxes)
    return axis < axesOfClusters ? squareSide : 1;
  return axis == getMulticastAxis() ? getMulticast() : 1;
}

PlanAttr PlanAttr::of(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto plan = op->getAttrOfType<PlanAttr>(attrName))
      return plan;
  return {};
}
