// Custom directives of the ops' assembly formats (`custom<…>`).
#ifndef TILEGPT_LIB_DIALECT_CUDATILE_IR_OPTEXT_H
#define TILEGPT_LIB_DIALECT_CUDATILE_IR_OPTEXT_H

#include "TypeText.h"

namespace tilegpt::cuda_tile {

using llvm::SmallVectorImpl;
using mlir::OpAsmParser;
using mlir::OpAsmPrinter;
using mlir::Operation;
using mlir::ParseResult;
using mlir::Region;
using mlir::Type;

/// `signed`
ParseResult parseSignedness(OpAsmParser &parser, SignednessAttr &attribute);
void printSignedness(OpAsmPrinter &printer, Operation *op,
                     SignednessAttr attribute);

/// `less_than`, `ordered`
ParseResult parsePredicate(OpAsmParser &parser,
                           ComparisonPredicateAttr &attribute);
void printPredicate(OpAsmPrinter &printer, Operation *op,
                    ComparisonPredicateAttr attribute);
ParseResult parseOrdering(OpAsmParser &parser,
                          ComparisonOrderingAttr &attribute);
void printOrdering(OpAsmPrinter &printer, Operation *op,
                   ComparisonOrderingAttr attribute);

/// `rounding<zero>`, or nothing for the usual mode: nearest_even, full,
/// nearest_int_to_zero.
ParseResult parseRounding(OpAsmParser &parser, RoundingAttr &attribute);
void printRounding(OpAsmPrinter &printer, Operation *op,
                   RoundingAttr attribute);
ParseResult parseFullRounding(OpAsmParser &parser, RoundingAttr &attribute);
void printFullRounding(OpAsmPrinter &printer, Operation *op,
                       RoundingAttr attribute);
ParseResult parseIntRounding(OpAsmParser &parser, RoundingAttr &attribute);
void printIntRounding(OpAsmPrinter &printer, Operation *op,
                      RoundingAttr attribute);

/// `private`, or nothing for public
ParseResult parseVisibility(OpAsmParser &parser,
                            SymbolVisibilityAttr &attribute);
void printVisibility(OpAsmPrinter &printer, Operation *op,
                     SymbolVisibilityAttr attribute);

/// `div_by<16>` or `#cuda_tile.div_by<16>`
ParseResult parseAssumption(OpAsmParser &parser, PredicateInterface &attribute);
void printAssumption(OpAsmPrinter &printer, Operation *op,
                     PredicateInterface attribute);

/// `<sm_90 = {latency = 2}>`, or an alias such as `#hints`
ParseResult parseHints(OpAsmParser &parser, OptimizationHintsAttr &attribute);
void printHints(OpAsmPrinter &printer, Operation *op,
                OptimizationHintsAttr attribute);

/// `<f32: [1.0, 2.0]> : tile<2xf32>`; one number fills a tile.
ParseResult parseDense(OpAsmParser &parser,
                       mlir::DenseIntOrFPElementsAttr &value, Type &type);
void printDense(OpAsmPrinter &printer, Operation *op,
                mlir::DenseIntOrFPElementsAttr value, Type type);
ParseResult parseDenseOnly(OpAsmParser &parser,
                           mlir::DenseIntOrFPElementsAttr &value);
void printDenseOnly(OpAsmPrinter &printer, Operation *op,
                    mlir::DenseIntOrFPElementsAttr value);

/// `, %mask, %padding`, `, %mask` or nothing: padding without a mask is
/// meaningless, and would look like a mask.
ParseResult
parseMaskAndPadding(OpAsmParser &parser,
                    std::optional<OpAsmParser::UnresolvedOperand> &mask,
                    std::optional<OpAsmParser::UnresolvedOperand> &padding);
void printMaskAndPadding(OpAsmPrinter &printer, Operation *op, mlir::Value mask,
                         mlir::Value padding);
ParseResult parseMaskAndPaddingTypes(OpAsmParser &parser, Type &mask,
                                     Type &padding);
void printMaskAndPaddingTypes(OpAsmPrinter &printer, Operation *op, Type mask,
                              Type padding);

/// The type of a view, which determines that of its tensor.
ParseResult parseViewOf(OpAsmParser &parser, Type &view, Type &tensor);
void printViewOf(OpAsmPrinter &printer, Operation *op, Type view, Type tensor);

/// Parses a branch of `if`; a `yield` without operands is implicit.
ParseResult parseBranch(OpAsmParser &parser, Region &region);
void printBranch(OpAsmPrinter &printer, Operation *op, Region &region);

/// `(%a: tile<f32>, %b: tile<f32>) { … }`
ParseResult parseArgumentRegion(OpAsmParser &parser, Region &region);
void printArgumentRegion(OpAsmPrinter &printer, Operation *op, Region &region);

/// `(%a: tile<f32>, …)`, the arguments of a function or of a region.
ParseResult parseArguments(OpAsmParser &parser,
                           SmallVectorImpl<OpAsmParser::Argument> &arguments);
void printArguments(OpAsmPrinter &printer, Region &region);

} // namespace tilegpt::cuda_tile

#endif
