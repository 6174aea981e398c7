// Parses the flags of a raw kernel, each of which gives one or several
// parameters.
#include "RawArguments.h"
#include "KernelValues.h"
#include "TileGPT/Compiler/AddressTable.h"
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
  /// The number of flags after it that a list or table consists of.
  std::optional<int64_t> length;
  TensorRef tensor; ///< of rank 0 for a scalar; null for a list
  std::string file; ///< of an out

  bool isArray() const { return !isPointer && tensor && tensor->rank() > 0; }
  std::string shown() const { return name + "=" + text; }
};

class Binder {
public:
  Binder(tile::KernelOp kernel, const KernelCommand &command)
      : kernel(kernel), command(command) {}

  Result<RawArguments> bind();

private:
  /// The next flag of the command line; nothing at its end.
  Result<std::optional<Flag>> read();
  Result<void> add(const Flag &flag);
  Result<void> addPointer(const Flag &flag);
  Result<void> addScalar(const Flag &flag);
  Result<void> addArray(const Flag &flag);
  Result<void> addTable(const Flag &flag);
  Result<void> addWords(const Flag &list, const Flag &flag,
                        AddressTable &table);
  Result<void> addNumber(const Flag &flag, int64_t number, const Twine &what);

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
  size_t inputs = 0, outputs = 0; ///< read so far
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

/// `list:3` and `ptr:list:3` without `list:`.
static Result<Flag> readLength(StringRef text, Flag flag) {
  int64_t length;
  if (text.getAsInteger(10, length) || length < 0)
    return makeError(ErrorCode::Usage,
                     formatv("{0}: expected list:COUNT or ptr:list:COUNT, the "
                             "number of flags after it that it consists of",
                             flag.shown()));
  if (flag.isOut)
    return makeError(ErrorCode::Usage,
                     formatv("{0}: a list is no output; pass it with --input, "
                             "and outputs in it with --output",
                             flag.shown()));
  flag.length = length;
  return flag;
}

static Result<Flag> readFlag(const std::string &text, bool isOut) {
  Flag flag;
  flag.name = isOut ? "--output" : "--input";
  flag.text = text;
  flag.isOut = isOut;
  StringRef rest = text;
  flag.isPointer = rest.consume_front("ptr:");
  if (rest.consume_front("list:"))
    return readLength(rest, std::move(flag));
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
                           "{4}",
                           arguments.values.size(), kernel.getSymName(), next(),
                           expected.str(), flag.shown()));
}

tl::unexpected<runtime::Error> Binder::tooMany(const Flag &flag) {
  return makeError(ErrorCode::Usage,
                   formatv("'{0}' has {1} parameters, of which none is left "
                           "for {2}; --list shows them",
                           kernel.getSymName(), kernel.getArguments().size(),
                           flag.shown()));
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

/// A size, stride or length, in the integer type of the parameter.
Result<void> Binder::addNumber(const Flag &flag, int64_t number,
                               const Twine &what) {
  if (isComplete())
    return tooMany(flag);
  if (!next().isIntOrIndex() || next().isInteger(1))
    return mismatch(flag, "an integer for the " + what +
                              " (--raw names every parameter)");
  const reference::ElementType type = *reference::elementTypeOf(next());
  if (!llvm::isIntN(reference::bitWidth(type), number))
    return mismatch(flag, "a type that holds " + Twine(number) + ", the " +
                              what + "; use a smaller one");
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
    if (Result<void> added = addNumber(
            flag, size, "size of axis " + Twine(axis) + " of an array");
        !added)
      return added;
  for (auto [axis, stride] : llvm::enumerate(reference::denseStrides(shape)))
    if (Result<void> added = addNumber(
            flag, stride, "stride of axis " + Twine(axis) + " of an array");
        !added)
      return added;
  return {};
}

/// An entry of a table: what it would be as parameters, in words.
Result<void> Binder::addWords(const Flag &list, const Flag &flag,
                              AddressTable &table) {
  auto expected = [&](const Twine &what) {
    return makeError(ErrorCode::Usage,
                     formatv("{0}: expected {1} in {2}", flag.shown(),
                             what.str(), list.shown()));
  };
  if (flag.length)
    return expected("no list");
  if (!list.isPointer && !flag.isArray())
    return expected("an array, or ptr:list:COUNT for pointers and numbers,");
  if (flag.isArray()) {
    table.addArray(flag.tensor);
  } else if (flag.isPointer) {
    table.addPointer(flag.tensor);
  } else {
    if (flag.tensor->type() != reference::ElementType::I64)
      return expected("a pointer, an array or i64=VALUE");
    table.addNumber(flag.tensor->item().i);
  }
  if (flag.isOut)
    arguments.outs.push_back({flag.tensor, flag.file});
  return {};
}

Result<void> Binder::addTable(const Flag &flag) {
  if (!flag.isPointer && command.rawForm == KernelCommand::RawForm::Parameters)
    return mismatch(flag, describe(next()) + " (--raw)");
  AddressTable table;
  Flag words = flag;
  words.tensor = table.finish();
  // First, as its errors name the parameter.
  if (Result<void> added = addPointer(words); !added)
    return added;
  const size_t parameter = arguments.values.size() - 1;
  TensorRef first;
  for (int64_t number = 0; number < *flag.length; ++number) {
    Result<std::optional<Flag>> entry = read();
    if (!entry)
      return tl::unexpected(entry.error());
    if (!*entry)
      return makeError(ErrorCode::Usage,
                       formatv("{0} is followed by {1} flags, expected {2} "
                               "with its entries",
                               flag.shown(), number, *flag.length));
    if (Result<void> added = addWords(flag, **entry, table); !added)
      return added;
    const TensorRef &array = (*entry)->tensor;
    if (!first)
      first = array;
    if (!flag.isPointer &&
        (array->rank() != first->rank() || array->type() != first->type()))
      return makeError(
          ErrorCode::Usage,
          formatv("{0}: expected an array with {1} {2} of {3}, like the first "
                  "in {4}",
                  (*entry)->shown(), first->rank(),
                  first->rank() == 1 ? "axis" : "axes",
                  std::string(bundle::name(first->type())), flag.shown()));
  }
  arguments.values[parameter] = View::pointerTo(table.finish());
  if (flag.isPointer)
    return {};
  return addNumber(flag, *flag.length, "length of a list");
}

Result<void> Binder::add(const Flag &flag) {
  if (isComplete())
    return tooMany(flag);
  if (flag.isPointer && command.rawForm == KernelCommand::RawForm::CuTile)
    return makeError(ErrorCode::Usage,
                     formatv("{0}: --convention=cutile takes arrays and "
                             "scalars; remove 'ptr:' or the convention",
                             flag.shown()));
  if (flag.length)
    return addTable(flag);
  if (flag.isOut)
    arguments.outs.push_back({flag.tensor, flag.file});
  return flag.isPointer   ? addPointer(flag)
         : flag.isArray() ? addArray(flag)
                          : addScalar(flag);
}

Result<std::optional<Flag>> Binder::read() {
  if (inputs + outputs == command.areOutputs.size())
    return std::nullopt;
  const bool isOut = command.areOutputs[inputs + outputs];
  Result<Flag> flag = readFlag(
      isOut ? command.outputs[outputs++] : command.inputs[inputs++], isOut);
  if (!flag)
    return tl::unexpected(flag.error());
  return std::move(*flag);
}

Result<RawArguments> Binder::bind() {
  while (true) {
    Result<std::optional<Flag>> flag = read();
    if (!flag)
      return tl::unexpected(flag.error());
    if (!*flag)
      break;
    if (Result<void> added = add(**flag); !added)
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
