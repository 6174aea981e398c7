// Evaluates values in the settings of a model.
#include "TileGPT/Dialect/Gpt/IR/GptOps.h"
#include "TileGPT/Dialect/Gpt/IR/Settings.h"
#include "TileGPT/Dialect/Gpt/IR/Values.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <variant>

using namespace mlir;

namespace tilegpt::gpt {

bool isValue(Attribute attribute) {
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute))
    return integer.getType().isInteger(64);
  if (auto real = dyn_cast_or_null<FloatAttr>(attribute))
    return real.getType().isF64();
  return isa_and_nonnull<StringAttr, ExprAttr>(attribute);
}

namespace {

using Scalar = std::variant<int64_t, double, StringRef>;

/// Evaluates an expression in the form that ValueText.cpp prints. Functions
/// return nullopt once `problem` is set.
class Evaluator {
public:
  Evaluator(ModelOp model, StringRef text, Layer layer)
      : model(model), rest(text), layer(layer) {}

  std::string problem;

  std::optional<Scalar> run() {
    std::optional<Scalar> value = sum();
    if (value && !rest.trim().empty())
      return fail("does not end with '" + rest.trim() + "'");
    return value;
  }

private:
  // Far beyond any expression a person would write.
  static constexpr unsigned deepest = 64;

  std::nullopt_t fail(const Twine &why) {
    if (problem.empty())
      problem = why.str();
    return std::nullopt;
  }

  bool take(char c) {
    StringRef trimmed = rest.ltrim();
    if (!trimmed.starts_with(StringRef(&c, 1)))
      return false;
    rest = trimmed.drop_front();
    return true;
  }

  std::optional<Scalar> sum() {
    std::optional<Scalar> left = product();
    while (left) {
      char op = take('+') ? '+' : take('-') ? '-' : 0;
      if (!op)
        break;
      left = apply(op, left, product());
    }
    return left;
  }

  std::optional<Scalar> product() {
    std::optional<Scalar> left = primary();
    while (left) {
      char op = take('*') ? '*' : take('/') ? '/' : 0;
      if (!op)
        break;
      left = apply(op, left, primary());
    }
    return left;
  }

  std::optional<double> number(std::optional<Scalar> value) {
    if (!value)
      return std::nullopt;
    if (const auto *integer = std::get_if<int64_t>(&*value))
      return double(*integer);
    if (const auto *real = std::get_if<double>(&*value))
      return *real;
    return fail("calculates with the word '" + std::get<StringRef>(*value) +
                "'");
  }

  std::optional<Scalar> apply(char op, std::optional<Scalar> left,
                              std::optional<Scalar> right) {
    std::optional<double> a = number(left), b = number(right);
    if (!a || !b)
      return std::nullopt;
    if (op == '/' && *b == 0)
      return fail("divides by 0");
    const auto *i = std::get_if<int64_t>(&*left),
               *j = std::get_if<int64_t>(&*right);
    if (!i || !j || (op == '/' && *i % *j != 0))
      return op == '+'   ? *a + *b
             : op == '-' ? *a - *b
             : op == '*' ? *a * *b
                         : *a / *b;
    int64_t result = 0;
    bool overflows = op == '+'   ? llvm::AddOverflow(*i, *j, result)
                     : op == '-' ? llvm::SubOverflow(*i, *j, result)
                     : op == '*' ? llvm::MulOverflow(*i, *j, result)
                                 : (result = *i / *j, false);
    if (overflows)
      return fail("exceeds 64 bits");
    return result;
  }

  std::optional<Scalar> primary() {
    if (depth == deepest)
      return fail("nests too deep");
    ++depth;
    std::optional<Scalar> value = primaryWithin();
    --depth;
    return value;
  }

  std::optional<Scalar> primaryWithin() {
    if (take('(')) {
      std::optional<Scalar> value = sum();
      return value && !take(')') ? fail("lacks a ')'") : value;
    }
    rest = rest.ltrim();
    StringRef word = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    if (!word.empty() && !llvm::isDigit(word.front())) {
      rest = rest.drop_front(word.size());
      return take('(') ? function(word) : setting(word);
    }
    return literal();
  }

  std::optional<Scalar> literal() {
    size_t end = 0;
    auto isExponentSign = [&](size_t at) {
      return at > 0 && (rest[at - 1] == 'E' || rest[at - 1] == 'e');
    };
    while (end < rest.size() && (llvm::isAlnum(rest[end]) || rest[end] == '.' ||
                                 ((rest[end] == '-' || rest[end] == '+') &&
                                  (end == 0 || isExponentSign(end)))))
      ++end;
    StringRef text = rest.take_front(end);
    rest = rest.drop_front(end);
    int64_t integer;
    double real;
    if (!text.getAsInteger(10, integer))
      return integer;
    if (!text.empty() && !text.getAsDouble(real))
      return real;
    return fail("expects a number or a setting where '" + text + rest +
                "' begins");
  }

  std::optional<Scalar> function(StringRef name) {
    SmallVector<Scalar> arguments;
    do {
      std::optional<Scalar> argument = sum();
      if (!argument)
        return std::nullopt;
      arguments.push_back(*argument);
    } while (take(','));
    if (!take(')'))
      return fail("lacks a ')'");
    size_t expected = name == "select" ? 3 : name == "pow" ? 2 : 1;
    if (!llvm::is_contained({"sqrt", "rsqrt", "log", "pow", "int", "select"},
                            name))
      return fail("calls '" + name +
                  "'; its functions are sqrt, rsqrt, log, pow, int and select");
    if (arguments.size() != expected)
      return fail("gives " + Twine(arguments.size()) + " arguments to '" +
                  name + "', which takes " + Twine(expected));
    std::optional<double> x = number(arguments[0]);
    if (!x)
      return std::nullopt;
    if (name == "select")
      return *x != 0 ? arguments[1] : arguments[2];
    if (name == "int") {
      if (!(std::fabs(*x) < 9e18))
        return fail("exceeds 64 bits");
      return int64_t(*x);
    }
    if (name == "log")
      return *x > 0
                 ? std::optional<Scalar>(std::log(*x))
                 : fail("takes the logarithm of a number that is not positive");
    if (name == "pow") {
      std::optional<double> exponent = number(arguments[1]);
      if (!exponent)
        return std::nullopt;
      return *x > 0 ? std::optional<Scalar>(std::pow(*x, *exponent))
                    : fail("takes a power of a number that is not positive");
    }
    if (!(*x >= 0) || (name == "rsqrt" && *x == 0))
      return fail("takes a root of a number that is not positive");
    return name == "sqrt" ? std::sqrt(*x) : 1 / std::sqrt(*x);
  }

  std::optional<Scalar> setting(StringRef name) {
    Attribute value = getSetting(model, name);
    if (!value)
      return fail("names '" + name +
                  "', which the model does not have; it has " +
                  llvm::join(settingNames(model), ", "));
    if (auto list = dyn_cast<ArrayAttr>(value)) {
      if (!layer)
        return fail("names '" + name +
                    "', which differs from layer to layer, where there is none "
                    "or layers are not written out; run --gpt-unroll-layers");
      value = list[size_t(*layer) % list.size()];
    }
    if (auto flag = dyn_cast<BoolAttr>(value))
      return int64_t(flag.getValue());
    if (auto integer = dyn_cast<IntegerAttr>(value))
      return integer.getInt();
    if (auto real = dyn_cast<FloatAttr>(value))
      return real.getValueAsDouble();
    return cast<StringAttr>(value).getValue();
  }

  ModelOp model;
  StringRef rest;
  Layer layer;
  unsigned depth = 0;
};

} // namespace

static FailureOr<Scalar> evaluate(Operation *op, Attribute value, Layer layer) {
  if (auto integer = dyn_cast<IntegerAttr>(value))
    return Scalar(integer.getInt());
  if (auto real = dyn_cast<FloatAttr>(value))
    return Scalar(real.getValueAsDouble());
  if (auto word = dyn_cast<StringAttr>(value))
    return Scalar(word.getValue());
  StringRef text = cast<ExprAttr>(value).getText();
  ModelOp model = getModel(op);
  if (!model)
    return op->emitOpError(
               "expected to be nested in a gpt.model, whose settings "
               "say what '")
           << text << "' is";
  Evaluator evaluator(model, text, layer);
  if (std::optional<Scalar> result = evaluator.run())
    return *result;
  return op->emitOpError("has the value '")
         << text << "', which " << evaluator.problem;
}

static InFlightDiagnostic unexpected(Operation *op, StringRef what,
                                     StringRef kind, const Scalar &found) {
  InFlightDiagnostic error = op->emitOpError("expected ")
                             << what << " to be " << kind << ", found ";
  std::visit([&](auto value) { error << value; }, found);
  return error;
}

FailureOr<int64_t> getInteger(Operation *op, Attribute value, StringRef what,
                              Layer layer) {
  FailureOr<Scalar> found = evaluate(op, value, layer);
  if (failed(found))
    return failure();
  if (const auto *integer = std::get_if<int64_t>(&*found))
    return *integer;
  return unexpected(op, what, "an integer", *found);
}

FailureOr<double> getNumber(Operation *op, Attribute value, StringRef what,
                            Layer layer) {
  FailureOr<Scalar> found = evaluate(op, value, layer);
  if (failed(found))
    return failure();
  if (const auto *integer = std::get_if<int64_t>(&*found))
    return double(*integer);
  if (const auto *real = std::get_if<double>(&*found))
    return *real;
  return unexpected(op, what, "a number", *found);
}

FailureOr<StringRef> getWord(Operation *op, Attribute value, StringRef what,
                             Layer layer) {
  FailureOr<Scalar> found = evaluate(op, value, layer);
  if (failed(found))
    return failure();
  if (const auto *word = std::get_if<StringRef>(&*found))
    return *word;
  return unexpected(op, what, "a word", *found);
}

FailureOr<Attribute> getLiteral(Operation *op, Attribute value, Layer layer) {
  FailureOr<Scalar> found = evaluate(op, value, layer);
  if (failed(found))
    return failure();
  MLIRContext *context = op->getContext();
  if (const auto *integer = std::get_if<int64_t>(&*found))
    return Attribute(IntegerAttr::get(IntegerType::get(context, 64), *integer));
  if (const auto *real = std::get_if<double>(&*found))
    return Attribute(FloatAttr::get(Float64Type::get(context), *real));
  return Attribute(StringAttr::get(context, std::get<StringRef>(*found)));
}

void forEachSetting(ExprAttr expr, llvm::function_ref<void(StringRef)> use) {
  StringRef rest = expr.getText();
  while (!rest.empty()) {
    StringRef word = rest.take_while(
        [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
    rest = rest.drop_front(std::max<size_t>(word.size(), 1));
    // Neither a number nor a function.
    if (!word.empty() && !llvm::isDigit(word.front()) && !rest.starts_with("("))
      use(word);
  }
}

} // namespace tilegpt::gpt
