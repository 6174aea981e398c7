// Tensors as people write them on a command line and in tests:
// `2x3xf32=1,2,3,4,5,6`.
#ifndef TILEGPT_REFERENCE_TENSORTEXT_H
#define TILEGPT_REFERENCE_TENSORTEXT_H

#include "TileGPT/Reference/Tensor.h"
#include "llvm/ADT/StringRef.h"

namespace tilegpt::reference {

/// A shape and an element type, e.g. of `2x3xf32` or, for a scalar, `f32`.
struct TensorShape {
  ElementType type;
  Shape shape;
};

/// Parses `2x3xf32`. A scalar `index` is an i64.
llvm::Expected<TensorShape> parseShape(llvm::StringRef text);

/// Parses values for a tensor of a given type and shape:
///  - `1,2,3,4`, one number an element; brackets and blanks may be used as
///    people print matrices: `[1 2][3 4]`. A single number is repeated.
///  - `random:SEED` or `random:SEED:LO:HI`: uniform in [LO, HI), by default
///    [-1, 1); integers are uniform in [LO, HI], by default [-100, 100]. The
///    same seed gives the same values everywhere.
/// Floats may be `nan`, `inf`, `-inf` and are rounded to the type; an integer
/// that does not fit its type is an error.
llvm::Expected<Tensor> parseValues(const TensorShape &shape,
                                   llvm::StringRef values);

/// Parses `SHAPE` (zeros) or `SHAPE=VALUES`.
llvm::Expected<Tensor> parseTensor(llvm::StringRef text);

/// Prints a tensor so that parseTensor() reads the same one:
/// `2x2xf32=[1 2][3 4]`. After `maxElements` elements comes `...`.
std::string formatTensor(const Tensor &tensor, int64_t maxElements = 1024);

} // namespace tilegpt::reference

#endif // TILEGPT_REFERENCE_TENSORTEXT_H
