// Parses the flags of a raw kernel, each of which gives one or several
// parameters.
#include "RawArguments.h"
#include "KernelValues.h"
#include "TileGPT/Reference/Frame.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::formatv;
using llvm::StringRef;
using tilegpt::reference::Tensor;
using tilegpt::reference::TensorRef;
using tilegpt::reference::View;
using tilegpt::runtime::ErrorCode;
using tilegpt::runtime::makeError;
using tilegpt::runtime::Result;

namespace tilegpt::compiler {

Result<reference::Grid> parseGrid(StringRef text) {
  constexpr int64_t mostBlocks = INT32_MAX;
  SmallVector<StringRef> sizes;
  text.split(sizes, 'x');
  reference::Grid grid = {1, 1, 1};
  bool isGrid = sizes.size() <= grid.size();
  for (auto [axis, size] : llvm::enumerate(sizes))
    isGrid = isGrid && !size.getAsInteger(10, grid[axis]) && grid[axis] >= 0 &&
             grid[axis] <= mostBlocks;
  if (!isGrid)
    return makeError(ErrorCode::Usage,
                     formatv("--grid: expected up to three numbers of blocks, "
                             "as in 32x16, found '{0}'",
                             text));
  return grid;
}

namespace {
/// A parsed --input or --output.
struct Flag {
  std::string name; ///< "--input"
  std::string text; ///< as it is written
  bool isOut = false;
  bool isPointer = false;
  TensorRef tensor; ///< of rank 0 for a scalar
  std::string file; ///< of an out

  bool isArray() const { return !isPointer && tensor->rank() > 0; }
};

class Binder {
public:
  Binder(tile::KernelOp kernel, const KernelCommand &command)
      : kernel(kernel), command(command) {}

  Result<RawArguments> bind();

private:
  Result<void> add(const Flag &flag);
  Result<void> addPointer(const Flag &flag);
  Result<void> addScalar(const Flag &flag);
  Result<void> addArray(const Flag &flag);
  Result<void> addNumber(const Flag &flag, int64_t number, StringRef what,
                         int64_t axis);

  /// The type of the next parameter.
  Type next() {
    return kernel.getArguments()[arguments.values.size()].getType();
  }
  bool isComplete() {
    return arguments.values.size() == kernel.getArguments().size();
  }
  tl::unexpected<runtime::Error> mismatch(const Flag &flag,
                                          const Twine &expected);
  tl::unexpected<runtime::Error> tooMany(const Flag &flag);

  tile::KernelOp kernel;
  const KernelCommand &command;
  RawArguments arguments;
};
} // namespace

/// `ptr:1024xf32=1,2@y.npy`, parsed: initialized or uninitialized memory, and
/// the destination of its final contents.
static Result<void> readOut(StringRef text, Flag &flag) {
  auto [values, file] = text.split('@');
  flag.file = file.str();
  values.consume_back("=");
  if (values.contains('=')) {
    Result<Tensor> tensor = readValue(values);
    if (!tensor)
      return tl::unexpected(tensor.error());
    flag.tensor = std::make_shared<Tensor>(std::move(*tensor));
    return {};
  }
  llvm::Expected<reference::TensorShape> shape = reference::parseShape(values);
  if (!shape)
    return makeError(ErrorCode::Usage, llvm::toString(shape.takeError()));
  llvm::Expected<Tensor> tensor = Tensor::unwritten(shape->type, shape->shape);
  if (!tensor)
    return makeError(ErrorCode::Usage, llvm::toString(tensor.takeError()));
  flag.tensor = std::make_shared<Tensor>(std::move(*tensor));
  return {};
}

static Result<Flag> readFlag(const std::string &text, bool isOut) {
  Flag flag;
  flag.name = isOut ? "--output" : "--input";
  flag.text = text;
  flag.isOut = isOut;
  StringRef rest = text;
  flag.isPointer = rest.consume_front("ptr:");
  Result<void> read;
  if (isOut) {
    read = readOut(rest, flag);
  } else {
    Result<Tensor> tensor = readValue(rest);
    if (tensor)
      flag.tensor = std::make_shared<Tensor>(std::move(*tensor));
    else
      read = tl::unexpected(tensor.error());
  }
  if (!read)
    return makeError(read.error().code,
                     flag.name + "=" + text + ": " + read.error().message);
  if (isOut && !flag.isPointer && flag.tensor->rank() == 0)
    return makeError(ErrorCode::Usage,
                     formatv("--output={0}: a scalar is no output; expected "
                             "ptr:SIZESxTYPE or an array",
                             text));
  return flag;
}

/// A parameter in the form of a flag.
static std::string describe(Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto pointer = dyn_cast<tile::PtrType>(type))
    stream << "ptr:SIZESx" << pointer.getPointee();
  else if (type.isIndex())
    stream << "i64=VALUE";
  else
    stream << type << "=VALUE";
  return text;
}

tl::unexpected<runtime::Error> Binder::mismatch(const Flag &flag,
                                                const Twine &expected) {
  return makeError(ErrorCode::Usage,
                   formatv("parameter {0} of '{1}' is {2}; expected {3}, found "
                           "{4}={5}",
                           arguments.values.size(), kernel.getSymName(), next(),
                           expected.str(), flag.name, flag.text));
}

tl::unexpected<runtime::Error> Binder::tooMany(const Flag &flag) {
  return makeError(ErrorCode::Usage,
                   formatv("'{0}' has {1} parameters, of which none is left "
                           "for {2}={3}; --list shows them",
                           kernel.getSymName(), kernel.getArguments().size(),
                           flag.name, flag.text));
}

Result<void> Binder::addPointer(const Flag &flag) {
  auto pointer = dyn_cast<tile::PtrType>(next());
  if (!pointer)
    return mismatch(flag, describe(next()));
  if (!pointer.getPointee().isInteger(8) &&
      reference::elementTypeOf(pointer.getPointee()) != flag.tensor->type())
    return mismatch(flag, describe(next()));
  arguments.values.push_back(View::pointerTo(flag.tensor));
  return {};
}

Result<void> Binder::addScalar(const Flag &flag) {
  if (isa<tile::PtrType>(next()) ||
      reference::elementTypeOf(next()) != flag.tensor->type())
    return mismatch(flag, describe(next()));
  arguments.values.push_back(flag.tensor);
  return {};
}

/// A size or stride, in the integer type of the parameter.
Result<void> Binder::addNumber(const Flag &flag, int64_t number, StringRef what,
                               int64_t axis) {
  if (isComplete())
    return tooMany(flag);
  if (!next().isIntOrIndex() || next().isInteger(1))
    return mismatch(flag, formatv("an integer for the {0} of axis {1} of an "
                                  "array (--raw names every parameter)",
                                  what, axis)
                              .str());
  const reference::ElementType type = *reference::elementTypeOf(next());
  if (!llvm::isIntN(reference::bitWidth(type), number))
    return mismatch(flag,
                    formatv("a type that holds the {0} {1} of axis {2}; use a "
                            "smaller array",
                            what, number, axis)
                        .str());
  arguments.values.push_back(
      std::make_shared<Tensor>(type, reference::Element::of(number)));
  return {};
}

Result<void> Binder::addArray(const Flag &flag) {
  if (command.rawForm == KernelCommand::RawForm::Parameters)
    return mismatch(flag, describe(next()) + " (--raw)");
  if (Result<void> added = addPointer(flag); !added)
    return added;
  reference::Shape shape(flag.tensor->shape());
  for (auto [axis, size] : llvm::enumerate(shape))
    if (Result<void> added = addNumber(flag, size, "size", axis); !added)
      return added;
  for (auto [axis, stride] : llvm::enumerate(reference::denseStrides(shape)))
    if (Result<void> added = addNumber(flag, stride, "stride", axis); !added)
      return added;
  return {};
}

Result<void> Binder::add(const Flag &flag) {
  if (isComplete())
    return tooMany(flag);
  if (flag.isPointer && command.rawForm == KernelCommand::RawForm::CuTile)
    return makeError(ErrorCode::Usage,
                     formatv("{0}={1}: --convention=cutile takes arrays and "
                             "scalars; remove 'ptr:' or the convention",
                             flag.name, flag.text));
  if (flag.isOut)
    arguments.outs.push_back({flag.tensor, flag.file});
  return flag.isPointer   ? addPointer(flag)
         : flag.isArray() ? addArray(flag)
                          : addScalar(flag);
}

Result<RawArguments> Binder::bind() {
  auto input = command.inputs.begin(), output = command.outputs.begin();
  for (bool isOut : command.areOutputs) {
    Result<Flag> flag = readFlag(isOut ? *output++ : *input++, isOut);
    if (!flag)
      return tl::unexpected(flag.error());
    if (Result<void> added = add(*flag); !added)
      return tl::unexpected(added.error());
  }
  if (!isComplete())
    return makeError(ErrorCode::Usage,
                     formatv("'{0}' has {1} parameters, found {2}; parameter "
                             "{2} is {3}, expected {4}",
                             kernel.getSymName(), kernel.getArguments().size(),
                             arguments.values.size(), next(),
                             describe(next())));
  return std::move(arguments);
}

Result<RawArguments> bindRawArguments(tile::KernelOp kernel,
                                      const KernelCommand &command) {
  return Binder(kernel, command).bind();
}

} // namespace tilegpt::compiler
