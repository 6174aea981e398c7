// The gpt dialect: the dialect class, its enums and attributes. Ops are in
// GptOps.h.
#ifndef TILEGPT_DIALECT_GPT_IR_GPTDIALECT_H
#define TILEGPT_DIALECT_GPT_IR_GPTDIALECT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"

#include "TileGPT/Dialect/Gpt/IR/GptDialect.h.inc"
#include "TileGPT/Dialect/Gpt/IR/GptEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "TileGPT/Dialect/Gpt/IR/GptAttributes.h.inc"

#endif
