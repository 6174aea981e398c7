// Assembly and verification of views: tensors seen as tiles.
#include "TileGPT/Dialect/CudaTile/IR/CudaTileDialect.h"
#include "TileGPT/Dialect/CudaTile/IR/TypeChecks.h"
#include "TypeText.h"
#include "llvm/ADT/SmallBitVector.h"
#include <limits>

using namespace mlir;
using namespace tilegpt;
using namespace tilegpt::cuda_tile;

using EmitError = llvm::function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// All views
//===----------------------------------------------------------------------===//

TensorViewType TileView::getTensor() const {
  return cast<TensorViewType>(getTensorType());
}

TileType TileView::getTileType() const {
  return TileType::get(SmallVector<int64_t>(getTile()),
                       getTensor().getElementType());
}

LogicalResult TileView::verifyIndices(EmitError emitError,
                                      TypeRange indices) const {
  ArrayRef<int32_t> tile = getTile();
  if (indices.size() != tile.size())
    return emitError() << "expected an index for each of the " << tile.size()
                       << " axes, found " << indices.size();
  for (auto [axis, type] : llvm::enumerate(indices)) {
    auto index = dyn_cast<TileType>(type);
    if (!index || !cuda_tile::isInteger(index.getElementType()))
      return emitError() << "expected integers as indices, found " << type;
    if (getSparseAxis() == axis) {
      if (index.getShape() != ArrayRef<int64_t>{tile[axis]})
        return emitError() << "expected a tile of " << tile[axis]
                           << " rows as index of the sparse axis " << axis
                           << ", found " << type;
      continue;
    }
    if (index.getRank() != 0)
      return emitError() << "expected a scalar as index of axis " << axis
                         << ", found " << type;
  }
  return success();
}

/// Checks common to all views.
static LogicalResult verifyView(EmitError emitError, ArrayRef<int32_t> tile,
                                TensorViewType tensor,
                                PaddingValueAttr padding) {
  size_t rank = tensor.getShape().size();
  if (tile.empty() || tile.size() != rank)
    return emitError() << "expected tiles of the tensor's rank, at least 1; "
                          "found rank "
                       << tile.size() << " of a tensor of rank " << rank;
  if (failed(verifyTile(emitError, SmallVector<int64_t>(tile),
                        tensor.getElementType())))
    return failure();
  if (padding && padding.getValue() != PaddingValue::Zero &&
      !isFloat(tensor.getElementType()))
    return emitError() << "expected padding zero for elements "
                       << tensor.getElementType() << ", found "
                       << stringifyPaddingValue(padding.getValue());
  return success();
}

/// Axes of the tile are those of the tensor, in some order.
static LogicalResult verifyAxisOrder(EmitError emitError,
                                     ArrayRef<int32_t> order, size_t rank) {
  llvm::SmallBitVector seen(rank);
  for (int32_t axis : order) {
    if (axis < 0 || size_t(axis) >= rank || seen.test(axis))
      return emitError() << "expected dim_map to name each of " << rank
                         << " axes once, found [" << order << "]";
    seen.set(axis);
  }
  if (!seen.all())
    return emitError() << "expected dim_map to name each of " << rank
                       << " axes once, found [" << order << "]";
  return success();
}

//===----------------------------------------------------------------------===//
// Their text
//===----------------------------------------------------------------------===//

/// Reads `tile=(8x16)`.
static ParseResult parseTile(AsmParser &parser, SmallVector<int32_t> &tile) {
  if (parser.parseKeyword("tile") || parser.parseEqual())
    return failure();
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int64_t> sizes;
  if (parser.parseLParen() ||
      parser.parseDimensionList(sizes, /*allowDynamic=*/false,
                                /*withTrailingX=*/false) ||
      parser.parseRParen())
    return failure();
  for (int64_t size : sizes) {
    if (size <= 0 || size > std::numeric_limits<int32_t>::max())
      return parser.emitError(loc)
             << "expected sizes of a tile from 1 to 2147483647, found " << size;
    tile.push_back(int32_t(size));
  }
  return success();
}

/// Reads `[padding_value = zero,] tensor_view<…>`.
static ParseResult parseTensor(AsmParser &parser, PaddingValueAttr &padding,
                               TensorViewType &tensor) {
  if (succeeded(parser.parseOptionalKeyword("padding_value"))) {
    SMLoc loc;
    StringRef word;
    if (parser.parseEqual() || parser.getCurrentLocation(&loc) ||
        parser.parseKeyword(&word))
      return failure();
    std::optional<PaddingValue> value = symbolizePaddingValue(word);
    if (!value)
      return parser.emitError(loc)
             << "expected padding_value zero, neg_zero, nan, pos_inf or "
                "neg_inf, found '"
             << word << "'";
    padding = PaddingValueAttr::get(parser.getContext(), *value);
    if (parser.parseComma())
      return failure();
  }
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parseCudaTileType(parser, type))
    return failure();
  tensor = dyn_cast<TensorViewType>(type);
  if (!tensor)
    return parser.emitError(loc) << "expected a tensor_view, found " << type;
  return success();
}

/// Reads `= [1, 0]`.
static ParseResult parseNumbers(AsmParser &parser,
                                SmallVector<int32_t> &numbers) {
  if (parser.parseEqual())
    return failure();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(numbers.emplace_back());
  });
}

/// Reads `[, dim_map=[1, 0]] >`.
static ParseResult parseDimMap(AsmParser &parser, size_t rank,
                               SmallVector<int32_t> &order) {
  if (failed(parser.parseOptionalComma()))
    order.assign(llvm::seq<int32_t>(0, rank).begin(),
                 llvm::seq<int32_t>(0, rank).end());
  else if (parser.parseKeyword("dim_map") || parseNumbers(parser, order))
    return failure();
  return parser.parseGreater();
}

static void printNumbers(AsmPrinter &printer, ArrayRef<int32_t> numbers,
                         StringRef separator) {
  llvm::interleave(numbers, printer.getStream(), separator);
}

static void printTensor(AsmPrinter &printer, PaddingValueAttr padding,
                        TensorViewType tensor) {
  if (padding)
    printer << "padding_value = " << stringifyPaddingValue(padding.getValue())
            << ", ";
  printCudaTileType(printer, tensor);
}

static void printTile(AsmPrinter &printer, ArrayRef<int32_t> tile) {
  printer << "<tile=(";
  printNumbers(printer, tile, "x");
  printer << "), ";
}

static void printDimMap(AsmPrinter &printer, ArrayRef<int32_t> order) {
  if (!llvm::equal(order, llvm::seq<int32_t>(0, order.size()))) {
    printer << ", dim_map=[";
    printNumbers(printer, order, ", ");
    printer << ']';
  }
  printer << '>';
}

//===----------------------------------------------------------------------===//
// Partitions
//===----------------------------------------------------------------------===//

Type PartitionViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int32_t> tile, order;
  PaddingValueAttr padding;
  TensorViewType tensor;
  if (parser.parseLess())
    return {};
  // Texts from before 13.1 write `masked` for padding with zero.
  const SMLoc maskedLoc = parser.getCurrentLocation();
  const bool isMasked = succeeded(parser.parseOptionalKeyword("masked"));
  if (parseTile(parser, tile) || parser.parseComma() ||
      parseTensor(parser, padding, tensor) ||
      parseDimMap(parser, tile.size(), order))
    return {};
  MLIRContext *context = parser.getContext();
  if (isMasked && padding) {
    parser.emitError(maskedLoc)
        << "expected either 'masked' or 'padding_value', found both";
    return {};
  }
  if (isMasked)
    padding = PaddingValueAttr::get(context, PaddingValue::Zero);
  return parser.getChecked<PartitionViewType>(
      loc, context, DenseI32ArrayAttr::get(context, tile), tensor,
      ArrayRef<int32_t>(order), padding);
}

void PartitionViewType::print(AsmPrinter &printer) const {
  printTile(printer, getTileShape());
  printTensor(printer, getPaddingValue(), getTensorView());
  printDimMap(printer, getDimMap());
}

LogicalResult PartitionViewType::verify(EmitError emitError,
                                        DenseI32ArrayAttr tile,
                                        TensorViewType tensor,
                                        ArrayRef<int32_t> order,
                                        PaddingValueAttr padding) {
  return success(
      succeeded(verifyView(emitError, tile, tensor, padding)) &&
      succeeded(verifyAxisOrder(emitError, order, tile.asArrayRef().size())));
}

//===----------------------------------------------------------------------===//
// Tiles at steps of their own
//===----------------------------------------------------------------------===//

Type StridedViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int32_t> tile, steps, order;
  PaddingValueAttr padding;
  TensorViewType tensor;
  if (parser.parseLess() || parseTile(parser, tile) || parser.parseComma() ||
      parser.parseKeyword("traversal_strides") || parseNumbers(parser, steps) ||
      parser.parseComma() || parseTensor(parser, padding, tensor) ||
      parseDimMap(parser, tile.size(), order))
    return {};
  MLIRContext *context = parser.getContext();
  return parser.getChecked<StridedViewType>(
      loc, context, DenseI32ArrayAttr::get(context, tile),
      DenseI32ArrayAttr::get(context, steps), tensor, ArrayRef<int32_t>(order),
      padding);
}

void StridedViewType::print(AsmPrinter &printer) const {
  printTile(printer, getTileShape());
  printer << "traversal_strides=[";
  printNumbers(printer, getTraversalStrides(), ",");
  printer << "], ";
  printTensor(printer, getPaddingValue(), getTensorView());
  printDimMap(printer, getDimMap());
}

LogicalResult
StridedViewType::verify(EmitError emitError, DenseI32ArrayAttr tile,
                        DenseI32ArrayAttr steps, TensorViewType tensor,
                        ArrayRef<int32_t> order, PaddingValueAttr padding) {
  if (failed(verifyView(emitError, tile, tensor, padding)) ||
      failed(verifyAxisOrder(emitError, order, tile.asArrayRef().size())))
    return failure();
  if (steps.size() != tile.size())
    return emitError() << "expected " << tile.size()
                       << " traversal_strides, found " << steps.size();
  for (int32_t step : steps.asArrayRef())
    if (step <= 0)
      return emitError() << "expected positive traversal_strides, found "
                         << step;
  return success();
}

//===----------------------------------------------------------------------===//
// Tiles of any rows
//===----------------------------------------------------------------------===//

std::optional<unsigned> GatherScatterViewType::getSparseAxis() const {
  return getSparseDim();
}

Type GatherScatterViewType::parse(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<int32_t> tile;
  PaddingValueAttr padding;
  TensorViewType tensor;
  uint32_t sparse = 0;
  if (parser.parseLess() || parseTile(parser, tile) || parser.parseComma() ||
      parseTensor(parser, padding, tensor) || parser.parseComma() ||
      parser.parseKeyword("sparse_dim") || parser.parseEqual() ||
      parser.parseInteger(sparse) || parser.parseGreater())
    return {};
  MLIRContext *context = parser.getContext();
  return parser.getChecked<GatherScatterViewType>(
      loc, context, DenseI32ArrayAttr::get(context, tile), tensor, sparse,
      padding);
}

void GatherScatterViewType::print(AsmPrinter &printer) const {
  printTile(printer, getTileShape());
  printTensor(printer, getPaddingValue(), getTensorView());
  printer << ", sparse_dim=" << getSparseDim() << '>';
}

LogicalResult GatherScatterViewType::verify(EmitError emitError,
                                            DenseI32ArrayAttr tile,
                                            TensorViewType tensor,
                                            uint32_t sparse,
                                            PaddingValueAttr padding) {
  if (failed(verifyView(emitError, tile, tensor, padding)))
    return failure();
  if (sparse >= tensor.getShape().size())
    return emitError() << "expected sparse_dim below the rank, "
                       << tensor.getShape().size() << ", found " << sparse;
  return success();
}
