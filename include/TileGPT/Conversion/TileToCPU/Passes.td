//===- Passes.td - Passes from tile kernels to host code ----------*- tablegen -*-===//

#ifndef TILEGPT_CONVERSION_TILETOCPU_PASSES_TD
#define TILEGPT_CONVERSION_TILETOCPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def ContractToMicroKernel : Pass<"cpu-contract-to-microkernel"> {
  let summary = "lowers linalg.contract on memrefs to register-blocked vector code";
  let description = [{
    Every `linalg.contract` of static shape, `acc[b, m, n] += lhs[b, m, k]·rhs[b, k, n]` with an optional leading batch
    axis and either side transposed, becomes loops of `vector` and `scf` ops in one of two forms:

    - *outer product*: a block of accumulators in registers takes one row of rhs and one column of lhs at each step.
      An rhs that many rows share is first packed, a panel at a time, into an aligned scratch of K x NR elements.
    - *inner product*, for few rows and an rhs stored [N, K]: vectors along K, one accumulator an element, one
      reduction at the end; rhs is streamed from where it lies, once.

    Operands narrower than the accumulator are widened when they are read. Edges are masked or take a smaller block.
    The sum of an element is formed in an order that depends on K, the types and the form alone, never on its row or
    column, nor on any other element.

    Example: `linalg.contract indexing_maps = [(m, n, k) -> (m, k), (m, n, k) -> (n, k), (m, n, k) -> (m, n)]
    ins(%x, %w : memref<1x768xf32>, memref<64x768xbf16>) outs(%acc : memref<1x64xf32>)` becomes a loop over blocks of
    rows of `%w` around a loop over K in steps of one vector.

    Scratch memory is allocated on the stack in the entry block of the function.

    A contraction with another indexing, a dynamic size, an accumulator that is not [m, n] with contiguous rows, or
    element types that `tile.dot` does not have is left alone, with a remark that says why.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect",
    "::mlir::vector::VectorDialect"];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "512", "width of a vector register of the target, in bits">,
    Option<"vectorRegisters", "vector-registers", "unsigned", "32", "vector registers the target has">,
  ];
  let statistics = [
    Statistic<"numOuter", "outer-product", "contractions lowered to the outer product form">,
    Statistic<"numInner", "inner-product", "contractions lowered to the inner product form">,
  ];
}

#endif // TILEGPT_CONVERSION_TILETOCPU_PASSES_TD
