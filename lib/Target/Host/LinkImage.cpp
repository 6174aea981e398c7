// Calls lld as a library. Input is in-memory files and output a pipe, so the
// link neither depends on the file system nor leaves files behind.
#include "TileGPT/Target/Host/HostImage.h"
#include "lld/Common/Driver.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include <fcntl.h>
#include <mutex>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

LLD_HAS_DRIVER(elf)

using namespace tilegpt;
using namespace tilegpt::target;

namespace {

/// An owned file descriptor.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor &&other) noexcept
      : number(std::exchange(other.number, -1)) {}
  ~Descriptor() { close(); }

  void close() {
    if (const int closing = std::exchange(number, -1); closing >= 0)
      ::close(closing);
  }
  int get() const { return number; }
  /// A path under which this process can open the file again.
  std::string path() const { return "/proc/self/fd/" + std::to_string(number); }

private:
  int number;
};

} // namespace

static llvm::Error systemError(llvm::StringRef action) {
  const std::error_code code(errno, std::generic_category());
  return llvm::createStringError(code, "host: cannot " + action + ": " +
                                           code.message());
}

static llvm::Expected<Descriptor> writeMemoryFile(llvm::StringRef content) {
  Descriptor file(::memfd_create("tilegpt-object", MFD_CLOEXEC));
  if (file.get() < 0)
    return systemError("create a file in memory");
  while (!content.empty()) {
    const ssize_t written = ::write(file.get(), content.data(), content.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      return systemError("write a file in memory");
    content = content.drop_front(size_t(written));
  }
  return file;
}

/// Reads until the last writer closes its end.
static HostImage readAll(int pipe) {
  HostImage bytes;
  std::byte chunk[1 << 16];
  while (true) {
    const ssize_t count = ::read(pipe, chunk, sizeof(chunk));
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return bytes;
    bytes.insert(bytes.end(), chunk, chunk + count);
  }
}

/// Runs the linker; `arguments` name its input, `output` receives the image.
static llvm::Error runLinker(llvm::ArrayRef<std::string> arguments) {
  std::vector<const char *> pointers;
  pointers.reserve(arguments.size());
  for (const std::string &argument : arguments)
    pointers.push_back(argument.c_str());
  std::string messages;
  llvm::raw_string_ostream stream(messages);

  // lld has global state.
  static std::mutex mutex;
  const std::lock_guard<std::mutex> lock(mutex);
  const lld::Result result = lld::lldMain(pointers, llvm::nulls(), stream,
                                          {{lld::Gnu, &lld::elf::link}});
  if (result.retCode == 0)
    return llvm::Error::success();
  return llvm::createStringError("host: linking failed: " +
                                 llvm::StringRef(messages).trim());
}

/// The external functions that host code may use: the memory functions of libc,
/// which LLVM forms from loops, its output functions for prints, and libm,
/// whose sin and cos LLVM combines. Any other would fail only when a user opens
/// the image.
static bool isProvidedByTheProcess(llvm::StringRef name) {
  static const llvm::StringSet<> functions = [] {
    llvm::StringSet<> names{"memcpy", "memmove", "memset",    "memcmp",
                            "bcmp",   "printf",  "flockfile", "funlockfile",
                            "fflush", "stdout",  "putchar",   "puts"};
    for (llvm::StringRef base :
         {"acos",   "acosh",     "asin",  "asinh", "atan",      "atan2",
          "atanh",  "cbrt",      "ceil",  "cos",   "cosh",      "erf",
          "erfc",   "exp",       "exp10", "exp2",  "expm1",     "fabs",
          "floor",  "fma",       "fmax",  "fmin",  "fmod",      "ldexp",
          "log",    "log10",     "log1p", "log2",  "lround",    "nearbyint",
          "pow",    "remainder", "rint",  "round", "roundeven", "sin",
          "sincos", "sinh",      "sqrt",  "tan",   "tanh",      "trunc"}) {
      names.insert(base);
      names.insert((base + "f").str());
    }
    return names;
  }();
  return functions.contains(name);
}

static llvm::Error checkImports(const HostImage &image) {
  const llvm::StringRef bytes(reinterpret_cast<const char *>(image.data()),
                              image.size());
  auto file = llvm::object::ObjectFile::createELFObjectFile(
      llvm::MemoryBufferRef(bytes, "host image"));
  if (!file)
    return file.takeError();
  const auto &elf = llvm::cast<llvm::object::ELFObjectFileBase>(*file->get());
  for (const llvm::object::SymbolRef symbol : elf.getDynamicSymbolIterators()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!flags || !name)
      return llvm::joinErrors(flags.takeError(), name.takeError());
    if (!(*flags & llvm::object::SymbolRef::SF_Undefined) || name->empty() ||
        isProvidedByTheProcess(*name))
      continue;
    return llvm::createStringError("host: a kernel calls '" + *name +
                                   "', which neither libc nor libm provides");
  }
  return llvm::Error::success();
}

llvm::Expected<HostImage>
target::linkImage(llvm::ArrayRef<HostObject> objects) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return systemError("open a pipe");
  Descriptor reading(ends[0]), writing(ends[1]);

  std::vector<std::string> arguments = {"ld.lld",
                                        "-shared",
                                        "--hash-style=gnu",
                                        "--build-id=none",
                                        "--gc-sections",
                                        "--strip-all",
                                        "-z",
                                        "max-page-size=4096",
                                        "-z",
                                        "now",
                                        "--threads=1",
                                        "--no-mmap-output-file",
                                        "-o",
                                        writing.path()};
  std::vector<Descriptor> inputs;
  for (const HostObject &object : objects) {
    llvm::Expected<Descriptor> file =
        writeMemoryFile(llvm::StringRef(object.data(), object.size()));
    if (!file)
      return file.takeError();
    arguments.push_back(file->path());
    inputs.push_back(std::move(*file));
  }

  HostImage image;
  std::thread reader([&] { image = readAll(reading.get()); });
  llvm::Error error = runLinker(arguments);
  writing.close();
  reader.join();
  if (error)
    return std::move(error);
  if (llvm::Error unresolved = checkImports(image))
    return std::move(unresolved);
  return image;
}

llvm::Expected<HostImage> target::compileImage(mlir::ModuleOp module,
                                               const HostTarget &target) {
  llvm::Expected<HostObject> object = compileObject(module, target);
  if (!object)
    return object.takeError();
  return linkImage(*object);
}
