// Chains of random ops: memory accesses, loops, branches, and the choice of the
// next op.
#include "OpChain.h"
#include "RandomKernels.h"

using llvm::Twine;

namespace tilegpt::numeric {

const TileValue *OpChain::pick(Condition condition) {
  std::vector<const TileValue *> fitting;
  for (const TileValue &value : values)
    if (condition(value))
      fitting.push_back(&value);
  return fitting.empty() ? nullptr : draw.from(fitting);
}

const TileValue &OpChain::like(const TileValue &value) {
  return *pick([&](const TileValue &other) {
    return other.shape == value.shape && other.element == value.element;
  });
}

TileValue &OpChain::add(const Twine &operation, llvm::ArrayRef<int64_t> shape,
                        llvm::StringRef element, bool exact) {
  // Not constructed in place: the twine may point into a value that moves.
  TileValue value = {text.define(operation), Shape(shape.begin(), shape.end()),
                     element.str(), exact};
  values.push_back(std::move(value));
  return values.back();
}

int64_t OpChain::drawSize() {
  return draw.of(
      {1, 2, 3, 4, 5, 7, 8, 8, 9, 13, 16, 16, 17, 24, 31, 32, 32, 33, 48, 64});
}

int64_t OpChain::drawDivisor(int64_t size) {
  Shape divisors;
  for (int64_t divisor = 1; divisor <= size; ++divisor)
    if (size % divisor == 0)
      divisors.push_back(divisor);
  return draw.from(divisors);
}

void OpChain::addLoad() {
  Shape shape, tensor;
  std::string indices;
  int64_t rank = draw.of({1, 2, 2, 2, 3});
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t size = drawSize();
    shape.push_back(rank == 3 ? std::min<int64_t>(size, 9) : size);
  }
  std::string sizes;
  for (int64_t size : shape) {
    // Tiles that end beyond the tensor, within it, and exactly at its end.
    bool walked = draw.percent(35);
    int64_t extent = walked ? size * draw.of({1, 2}) - draw.of({0, 0, 1, 3})
                            : size + draw.of({-1, 0, 0, 1, 5, 8});
    tensor.push_back(std::max<int64_t>(1, extent));
    indices += (indices.empty() ? "" : ", ");
    indices += walked ? "%block" : "%c0";
    sizes += draw.percent(30) ? std::to_string(tensor.back()) + "x" : "?x";
  }
  std::string element =
      draw.of({"f32", "f32", "f32", "i32", "bf16", "f16", "i8"});
  narrow |= element == "bf16" || element == "f16";
  bool transposed = rank == 2 && draw.percent(20);
  if (transposed)
    sizes = "?x?x";
  std::string type = "!tile.view<" + sizes + element + ">";
  std::string view = text.input(tensor, element, type);
  if (transposed) {
    std::string turned = "!tile.view<?x?x" + element + ", strides=[1, ?]>";
    view = text.define("tile.transpose " + view + " [1, 0] : " + type + " -> " +
                       turned);
    type = turned;
  }
  // No sums of negative zeros: their sign depends on the order.
  std::string pad =
      element[0] == 'i' && draw.percent(40) ? " pad(minus_one)" : "";
  add("tile.load " + view + "[" + indices + "] [" + listOf(shape) + "]" + pad +
          " : " + type + " -> " + tensorType(shape, element),
      shape, element, true);
}

void OpChain::addGather() {
  const TileValue *numbers = pick([](const TileValue &value) {
    return value.shape.size() == 1 && value.element == "i32" && value.exact;
  });
  if (!numbers)
    return;
  TileValue at = *numbers;
  std::string element = draw.of({"f32", "i32"});
  Shape shape = {at.shape[0], drawSize()};
  std::string type = "!tile.view<?x?x" + element + ">";
  std::string view = text.input({draw.of({3, 9, 40}), shape[1]}, element, type);
  add("tile.gather " + view + "[%c0] at " + at.name + " axis 0 [" +
          listOf(shape) + "] : " + type + ", " + at.type() + " -> " +
          tensorType(shape, element),
      shape, element, true);
}

void OpChain::addLoop() {
  const TileValue *start = pickFloat();
  if (!start || depth >= 2)
    return;
  TileValue x = *start;
  std::string count = text.index(draw.of({0, 1, 2, 5}));
  size_t outer = values.size();
  std::string carried = text.newName(), result = text.newName();
  text.line(result + " = scf.for " + text.newName() + " = %c0 to " + count +
            " step %c1 iter_args(" + carried + " = " + x.name + ") -> (" +
            x.type() + ") {");
  text.indent();
  ++depth;
  values.push_back({carried, x.shape, "f32", false});
  for (int64_t ops = 1 + draw.below(3); ops > 0; --ops)
    addOp();
  // Halved, to keep loop-carried values from growing.
  TileValue last = like(x);
  std::string half = text.define("arith.constant dense<0.5> : " + x.type());
  std::string less =
      text.define("arith.mulf " + last.name + ", " + half + " : " + x.type());
  std::string sum =
      text.define("arith.addf " + less + ", " + carried + " : " + x.type());
  text.line("scf.yield " + sum + " : " + x.type());
  --depth;
  text.outdent();
  text.line("}");
  values.resize(outer);
  values.push_back({result, x.shape, "f32", false});
}

void OpChain::addBranch() {
  const TileValue *start = pickFloat();
  if (!start || depth >= 2)
    return;
  TileValue x = *start;
  std::string condition =
      text.define("arith.cmpi " + Twine(draw.of({"eq", "ult", "uge"})) +
                  ", %block, %c1 : index");
  std::string result = text.newName();
  text.line(result + " = scf.if " + condition + " -> (" + x.type() + ") {");
  size_t outer = values.size();
  ++depth;
  for (bool last : {false, true}) {
    text.indent();
    for (int64_t ops = draw.below(3); ops > 0; --ops)
      addOp();
    text.line("scf.yield " + like(x).name + " : " + x.type());
    text.outdent();
    text.line(last ? "}" : "} else {");
    values.resize(outer);
  }
  --depth;
  values.push_back({result, x.shape, "f32", false});
}

void OpChain::addOp() {
  using Step = void (OpChain::*)();
  Step step = draw.of<Step>({&OpChain::addBinary,        &OpChain::addBinary,
                             &OpChain::addBinary,        &OpChain::addUnary,
                             &OpChain::addUnary,         &OpChain::addBroadcast,
                             &OpChain::addReduction,     &OpChain::addReduction,
                             &OpChain::addPermute,       &OpChain::addReshape,
                             &OpChain::addConcatenation, &OpChain::addExtract,
                             &OpChain::addInsert,        &OpChain::addScan,
                             &OpChain::addDot,           &OpChain::addSelect,
                             &OpChain::addMultiplyAdd,   &OpChain::addCast,
                             &OpChain::addIota,          &OpChain::addLoop,
                             &OpChain::addBranch,        &OpChain::addGather,
                             &OpChain::addLoad});
  (this->*step)();
}

void OpChain::storeSome() {
  // Each block writes its own rows.
  int64_t first = std::max<int64_t>(0, int64_t(values.size()) - 6);
  std::vector<TileValue> last(values.begin() + first, values.end());
  for (int64_t count = 1 + draw.below(3); count > 0 && !last.empty(); --count) {
    size_t chosen = size_t(draw.below(int64_t(last.size())));
    TileValue value = last[chosen];
    last.erase(last.begin() + ptrdiff_t(chosen));
    Shape shape = value.shape;
    std::string sizes, indices = "%block";
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      shape[axis] *= axis == 0 ? blocks : 1;
      shape[axis] = std::max<int64_t>(1, shape[axis] - draw.of({0, 0, 0, 1}));
      sizes += "?x";
      indices += axis == 0 ? "" : ", %c0";
    }
    std::string type = "!tile.view<" + sizes + value.element + ">";
    std::string out = text.output(shape, value.element, type);
    text.line("tile.store " + value.name + ", " + out + "[" + indices +
              "] : " + value.type() + ", " + type);
  }
}

NumericCase OpChain::make() {
  blocks = draw.of({1, 1, 2, 3});
  text.line("%block = tile.block_id 0");
  text.line("%c0 = arith.constant 0 : index");
  text.line("%c1 = arith.constant 1 : index");
  for (int64_t loads = 1 + draw.below(3); loads > 0; --loads)
    addLoad();
  for (int64_t ops = 4 + draw.below(18); ops > 0; --ops)
    addOp();
  storeSome();
  // Errors accumulate along the chain: a thousandth of large values, and more
  // if values are rounded to 16 bits in between.
  Arithmetic arithmetic;
  arithmetic.depth = 4000;
  arithmetic.lost = narrow ? 5e-2 / 4000 : 0;
  return text.finish(std::to_string(blocks), arithmetic);
}

NumericCase randomChain(uint64_t seed) { return OpChain(seed).make(); }

} // namespace tilegpt::numeric
