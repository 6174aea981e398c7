// Rewords errors of MLIR's parser, which name tokens, for authors of kernels.
#include "TileGPT/Compiler/Text/ExplainError.h"
#include "Text/ExplainOperand.h"
#include "Text/OpForms.h"
#include "TileGPT/Dialect/Tile/IR/Kernel/OpSuggestion.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace tilegpt::compiler {

/// The text before and from a place in `source`.
static std::optional<std::pair<StringRef, StringRef>>
splitAt(Location loc, StringRef source) {
  auto place = dyn_cast<FileLineColLoc>(loc);
  if (!place || place.getLine() == 0)
    return std::nullopt;
  size_t begin = 0;
  for (unsigned line = 1; line < place.getLine(); ++line) {
    begin = source.find('\n', begin);
    if (begin == StringRef::npos)
      return std::nullopt;
    ++begin;
  }
  const size_t column = place.getColumn() == 0 ? 0 : place.getColumn() - 1;
  const size_t offset = std::min(begin + column, source.size());
  return std::pair(source.take_front(offset), source.drop_front(offset));
}

/// Reports `diagnostic` with `advice` behind its text, and its notes.
static void reportWith(Diagnostic &diagnostic, const Twine &text,
                       const Twine &advice) {
  InFlightDiagnostic error = emitError(diagnostic.getLocation())
                             << text << "; " << advice;
  for (Diagnostic &note : diagnostic.getNotes())
    error.attachNote(note.getLocation()) << note.str();
}

//===------------------------------------------------------------------------------===//
// Names
//===------------------------------------------------------------------------------===//

/// The op of a dialect with the most similar name, as a question; empty if none
/// is similar.
static std::string nearestOp(StringRef name, StringRef dialect,
                             MLIRContext &context) {
  constexpr unsigned mostEdits = 2;
  unsigned least = mostEdits + 1;
  StringRef nearest;
  for (RegisteredOperationName op :
       context.getRegisteredOperationsByDialect(dialect)) {
    const StringRef known = op.stripDialect();
    const unsigned edits = name.edit_distance(known, true, least);
    if (edits < least && edits < known.size()) {
      least = edits;
      nearest = known;
    }
  }
  return nearest.empty() ? "" : ("; did you mean '" + nearest + "'?").str();
}

/// Says what to write instead of an op that does not exist. Its dialect may be
/// unknown, where the parser would list all dialects.
static LogicalResult explainUnknownOp(Diagnostic &diagnostic,
                                      MLIRContext &context) {
  const std::string text = diagnostic.str();
  StringRef name = text;
  const bool hasDialect = !name.starts_with("Dialect `");
  // A bare name is also looked up in the dialect of the surrounding op.
  if (hasDialect && !(name.starts_with("custom op '") &&
                      (name.ends_with("' is unknown") ||
                       name.contains("' is unknown (tried '"))))
    return failure();
  name = name.split("custom op '").second.split('\'').first;
  if (name.empty())
    return failure();
  const bool isQualified = name.contains('.');
  if (StringRef(text).contains("' is unknown (tried 'cuda_tile.")) {
    emitError(diagnostic.getLocation(), "the cuda_tile dialect has no op '")
        << name << '\'' << nearestOp(name, "cuda_tile", context);
    return success();
  }
  const std::string suggestion =
      tile::suggestOp(isQualified ? name.rsplit('.').second : name, context);
  if (hasDialect && isQualified && suggestion.empty())
    return failure();
  InFlightDiagnostic error = emitError(diagnostic.getLocation(), "custom op '")
                             << name << "' is unknown";
  if (name == "return")
    error << "; a tile.kernel ends at its closing brace, without a terminator";
  else if (llvm::is_contained({"outs", "ins", "params", "grid", "requires"},
                              name))
    error << "; it is a part of a tile.kernel or tile.launch; example: "
          << formOf("tile.kernel");
  else if (!isQualified)
    error << "; op names begin with a dialect, as in tile.load" << suggestion;
  else
    error << suggestion;
  return success();
}

//===------------------------------------------------------------------------------===//
// Ends
//===------------------------------------------------------------------------------===//

/// Says what is missing at the end of the text or of a block.
static LogicalResult explainMissingEnd(Diagnostic &diagnostic,
                                       StringRef source) {
  const std::string text = diagnostic.str();
  const Location loc = diagnostic.getLocation();
  if (text == "expected operation name in quotes") {
    auto parts = splitAt(loc, source);
    if (!parts ||
        !parts->second.drop_front(std::min<size_t>(1, parts->second.size()))
             .trim()
             .empty())
      return failure();
    emitError(loc, "the text ends inside a kernel, function or loop: expected "
                   "'}'");
    return success();
  }
  if (StringRef(text).starts_with("block with no terminator")) {
    emitError(loc, "expected the terminator of the block after this op: "
                   "tile.yield in a tile.reduce or tile.scan, scf.yield or "
                   "scf.condition in an scf op, return in a function, yield in "
                   "a reduce or scan of a cuda_tile.module");
    return success();
  }
  return failure();
}

//===------------------------------------------------------------------------------===//
// Types
//===------------------------------------------------------------------------------===//

/// The element type at the end of the text of a tile type.
static StringRef elementOf(StringRef type) {
  return type.rsplit('x').second.split('>').first;
}

/// The op that converts elements of CUDA Tile IR.
static StringRef castOf(StringRef to, StringRef from) {
  auto isInteger = [](StringRef type) { return type.starts_with("i"); };
  if (isInteger(to))
    return isInteger(from) ? "exti or trunci" : "ftoi";
  return isInteger(from) ? "itof" : "ftof";
}

/// The same for tiles of CUDA Tile IR; other types of it have no conversions.
static std::string cudaTileConversionOf(StringRef wanted, StringRef found) {
  for (StringRef *type : {&wanted, &found})
    if (!type->consume_front("!cuda_tile.tile<") || type->contains("ptr<") ||
        !type->consume_back(">"))
      return "";
  const size_t toAt = wanted.rfind('x') + 1, fromAt = found.rfind('x') + 1;
  if (wanted.take_front(toAt) != found.take_front(fromAt))
    return "reshape and broadcast change shapes";
  const StringRef to = wanted.drop_front(toAt), from = found.drop_front(fromAt);
  return (castOf(to, from) + " converts " + from + " to " + to).str();
}

/// How to make a value of type `wanted` from one of type `found`.
static std::string conversionOf(StringRef wanted, StringRef found) {
  if (wanted.starts_with("!cuda_tile.") || found.starts_with("!cuda_tile."))
    return cudaTileConversionOf(wanted, found);
  const bool isTile = wanted.starts_with("tensor<"),
             fromTile = found.starts_with("tensor<");
  if (wanted.starts_with("!tile.view<"))
    return found.starts_with("!tile.view<")
               ? ""
               : ("declare the argument as " + wanted).str();
  if (isTile && !fromTile)
    return "tile.splat makes a tile of a scalar";
  if (!isTile && fromTile)
    return wanted == "i1" ? "tensor.extract reads an element of a tile; "
                            "arith.select of tiles by a tile takes the type of "
                            "the condition, too"
                          : "tensor.extract reads an element of a tile";
  StringRef to = isTile ? elementOf(wanted) : wanted,
            from = fromTile ? elementOf(found) : found;
  if (to == "i1" && from != to)
    return "arith.cmpi and arith.cmpf make conditions";
  auto isInteger = [](StringRef type) {
    return type == "index" ||
           (type.consume_front("i") && llvm::all_of(type, llvm::isDigit));
  };
  if (!isTile && (wanted == "index" || found == "index"))
    return isInteger(wanted) && isInteger(found)
               ? ("arith.index_cast converts " + found + " to " + wanted).str()
               : "";
  if (to != from) {
    auto isFloat = [](StringRef type) {
      return type.starts_with("f") || type.starts_with("bf");
    };
    StringRef op = isFloat(to) && isFloat(from)
                       ? (isTile ? "tile.cast" : "arith.extf or arith.truncf")
                   : isFloat(to)   ? "arith.sitofp"
                   : isFloat(from) ? "arith.fptosi"
                                   : "arith.extsi or arith.trunci";
    return (op + " converts " + from + " to " + to).str();
  }
  return isTile ? "tile.broadcast, tile.expand_dims and tile.reshape change "
                  "shapes"
                : "";
}

/// Says how to convert a value whose type is not the one an op needs.
static LogicalResult explainType(Diagnostic &diagnostic) {
  const std::string text = diagnostic.str();
  constexpr StringRef between = "expects different type than prior uses: '";
  if (!StringRef(text).starts_with("use of value '") ||
      !StringRef(text).contains(between) || StringRef(text).contains("; "))
    return failure();
  auto [wanted, found] = StringRef(text).split(between).second.split("' vs '");
  const std::string advice = conversionOf(wanted, found.rtrim('\''));
  if (advice.empty())
    return failure();
  reportWith(diagnostic, text, advice);
  return success();
}

/// tile.cast converts between floats only.
static LogicalResult explainCast(Diagnostic &diagnostic) {
  const std::string text = diagnostic.str();
  if (!StringRef(text).starts_with("'tile.cast' op ") ||
      !StringRef(text).contains(" must be ranked tensor of ") ||
      StringRef(text).contains("; "))
    return failure();
  reportWith(diagnostic, text,
             "arith.fptosi converts floats to integers, arith.sitofp integers "
             "to floats, arith.extsi and arith.trunci integers to integers");
  return success();
}

/// Says what to write instead of an operand that the verifier rejects.
static LogicalResult explainOperand(Diagnostic &diagnostic,
                                    MLIRContext &context) {
  const std::string text = diagnostic.str();
  const std::string advice = adviseOnOperand(text, context);
  if (advice.empty() || StringRef(text).contains("; "))
    return failure();
  reportWith(diagnostic, text, advice);
  return success();
}

//===------------------------------------------------------------------------------===//
// Forms
//===------------------------------------------------------------------------------===//

/// The last op named in `text`, outside comments; empty if there is none.
static StringRef lastOpIn(StringRef text) {
  auto isInName = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  };
  for (size_t end = text.size(); end != 0;) {
    size_t begin = end;
    while (begin != 0 && isInName(text[begin - 1]))
      --begin;
    StringRef name = text.slice(begin, end);
    const bool isOp = begin == 0 || llvm::isSpace(text[begin - 1]);
    end = begin == end ? end - 1 : begin;
    if (!isOp || !name.contains('.') || formOf(name).empty())
      continue;
    const size_t newline = text.rfind('\n', begin),
                 line = newline == StringRef::npos ? 0 : newline,
                 comment = text.slice(line, begin).find("//");
    if (comment == StringRef::npos)
      return name;
    end = line + comment;
  }
  return "";
}

/// The number at the start of `text` as a constant; empty if there is none.
static std::string constantOf(StringRef text) {
  StringRef number = text.take_while(
      [](char c) { return llvm::isDigit(c) || c == '.' || c == 'e'; });
  if (number.empty() || !llvm::isDigit(number.front()))
    return "";
  if (number.contains('.') || number.contains('e'))
    return ("%c = arith.constant " + number + " : f32 makes a scalar, dense<" +
            number + "> a tile")
        .str();
  return "%c0 = arith.constant 0 : index makes one";
}

/// Says how to write a number that is an integer to the parser up to its
/// exponent, or that has no digits.
static LogicalResult explainNumber(Diagnostic &diagnostic, StringRef source) {
  const std::string text = diagnostic.str();
  auto parts = splitAt(diagnostic.getLocation(), source);
  if (!parts || StringRef(text).contains("; ") ||
      llvm::none_of(
          ArrayRef<StringRef>{"expected ", "custom op '", "Dialect `"},
          [&](StringRef start) { return StringRef(text).starts_with(start); }))
    return failure();
  auto [before, after] = *parts;
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '.' || c == '-'; };
  if (after.starts_with("inf") || after.starts_with("nan")) {
    emitError(diagnostic.getLocation())
        << "infinity and NaN are written as their bits; in f32 infinity is "
           "0x7F800000, -infinity 0xFF800000 and NaN 0x7FC00000";
    return success();
  }
  size_t begin = before.size();
  while (begin != 0 && llvm::isDigit(before[begin - 1]))
    --begin;
  StringRef digits = before.drop_front(begin), exponent = after;
  if (digits.empty() || (begin != 0 && llvm::isAlnum(before[begin - 1])) ||
      before.take_front(begin).ends_with("_") ||
      before.take_front(begin).ends_with("%") ||
      !(exponent.consume_front("e") || exponent.consume_front("E")))
    return failure();
  exponent = exponent.take_while(isPart);
  if (exponent.ltrim("-").empty() ||
      !llvm::all_of(exponent.ltrim("-"), llvm::isDigit))
    return failure();
  emitError(diagnostic.getLocation())
      << "a float needs a decimal point before its exponent: " << digits
      << ".0e" << exponent;
  return success();
}

/// Says that the types of an op end where the parser found an arrow.
static LogicalResult explainArrow(Diagnostic &diagnostic, StringRef source) {
  auto parts = splitAt(diagnostic.getLocation(), source);
  if (!parts || diagnostic.str() != "expected operation name in quotes" ||
      !parts->second.ltrim(" ").starts_with("->"))
    return failure();
  StringRef name = lastOpIn(parts->first);
  if (name.empty())
    return failure();
  reportWith(diagnostic,
             "unexpected '->': the type of the result follows from those "
             "before it",
             "example: " + formOf(name));
  return success();
}

/// Adds the form of the op where the parser expected another token.
static LogicalResult explainToken(Diagnostic &diagnostic, StringRef source) {
  const std::string owner = diagnostic.str();
  StringRef text = owner;
  auto parts = splitAt(diagnostic.getLocation(), source);
  // Messages of the op itself may already say what to write.
  if (!parts || text.contains("; ") || text.contains("as in ") ||
      text.ends_with("' is unknown") ||
      text == "expected operation name in quotes")
    return failure();
  auto [before, after] = *parts;
  // The name of a result precedes its op.
  if (text == "cannot name an operation with no results")
    before = source.take_front(before.size() + after.find('\n'));
  else if (!text.starts_with("expected ") && !text.starts_with("custom op '") &&
           !text.starts_with("invalid SSA name") &&
           !text.starts_with("unexpected character") &&
           !text.starts_with("floating point value not valid"))
    return failure();
  // An error of the op's own parser may be located at its start.
  StringRef own = text.starts_with("custom op '")
                      ? text.split('\'').second.split('\'').first
                      : "";
  StringRef name = formOf(own).empty() ? lastOpIn(before) : own;
  if (name.empty())
    return failure();
  std::string said = text.str();
  const bool wantsValue = text == "expected SSA operand" ||
                          (text == "expected ']'" && before.ends_with("["));
  if (const std::string constant = constantOf(after.ltrim(" "));
      wantsValue && !constant.empty())
    said = "expected a value; " + constant;
  else if (text == "expected SSA operand")
    said = "expected a value, such as %x";
  else if (text == "expected non-function type")
    said = "expected a type";
  else if (name == "tile.kernel" && text == "invalid SSA name")
    said = "expected an argument after '%'; the remainder of a division is "
           "mod(a, b)";
  else if (name == "tile.kernel" && text == "unexpected character" &&
           after.starts_with("&"))
    said = "unexpected '&'; a comma separates conditions";
  reportWith(diagnostic, said, "example: " + formOf(name));
  return success();
}

LogicalResult explainError(Diagnostic &diagnostic, StringRef source,
                           MLIRContext &context) {
  if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
    return failure();
  return success(succeeded(explainNumber(diagnostic, source)) ||
                 succeeded(explainUnknownOp(diagnostic, context)) ||
                 succeeded(explainMissingEnd(diagnostic, source)) ||
                 succeeded(explainType(diagnostic)) ||
                 succeeded(explainCast(diagnostic)) ||
                 succeeded(explainOperand(diagnostic, context)) ||
                 succeeded(explainArrow(diagnostic, source)) ||
                 succeeded(explainToken(diagnostic, source)));
}

} // namespace tilegpt::compiler
