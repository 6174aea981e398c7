// Shapes and views in which some axes are one.
#include "Axes/AxisRange.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace tilegpt::tilegpu {

SmallVector<int64_t> AxisRange::merge(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> result(shape.take_front(first));
  if (addsUnit)
    result.push_back(1);
  result.push_back(llvm::product_of(shape.slice(first, count())));
  llvm::append_range(result, shape.drop_front(end()));
  return result;
}

Value viewAs(OpBuilder &builder, Value view, ArrayRef<int64_t> shape) {
  auto type = cast<tile::ViewType>(view.getType());
  auto merged = tile::ViewType::get(builder.getContext(), shape,
                                    type.getElementType(), {});
  Value base = builder.createOrFold<tile::BaseOp>(
      view.getLoc(),
      tile::PtrType::get(builder.getContext(), type.getElementType()), view);
  return tile::ViewAtOp::create(builder, view.getLoc(), merged, base,
                                /*sizes=*/ValueRange(),
                                /*strides=*/ValueRange(),
                                builder.getDenseI64ArrayAttr(shape),
                                /*static_strides=*/DenseI64ArrayAttr());
}

} // namespace tilegpt::tilegpu
