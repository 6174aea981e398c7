// Opens images: header, checksum and section layout. Validate.cpp checks the
// contents of the tables.
#include "Layout.h"
#include "TileGPT/Bundle/Bundle.h"
#include "Validate.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace tilegpt;
using namespace tilegpt::bundle;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

uint64_t bundle::checksum(std::span<const std::byte> image) {
  return XXH3_64bits(image.data() + checksummedFrom,
                     image.size() - checksummedFrom);
}

namespace {

/// Bytes of one entry of each section; the image's tables are arrays of these.
constexpr uint64_t entryBytes[sectionCount] = {1,
                                               sizeof(Range),
                                               sizeof(Parameter),
                                               sizeof(TensorMap),
                                               sizeof(Kernel),
                                               sizeof(Expression),
                                               sizeof(Requirement),
                                               sizeof(Argument),
                                               sizeof(Launch),
                                               sizeof(Buffer),
                                               sizeof(Plan),
                                               sizeof(ModelInfo),
                                               sizeof(Target),
                                               1,
                                               1};

constexpr std::string_view sectionNames[sectionCount] = {
    "strings",     "messages",     "parameters", "tensor maps", "kernels",
    "expressions", "requirements", "arguments",  "launches",    "buffers",
    "plans",       "model",        "target",     "host code",   "device code"};

/// Checks the start of an image of `size` bytes: whether it is a complete
/// bundle of this version. It is the same in every version.
Result<Header> checkStart(std::span<const std::byte> start, uint64_t size) {
  Header header;
  if (start.size() < sizeof(magic) ||
      std::memcmp(start.data(), magic, sizeof(magic)) != 0)
    return makeError(ErrorCode::BadInput, "is not a TileGPT bundle");
  if (start.size() < checksummedFrom)
    return makeError(ErrorCode::BadInput, "is truncated: expected a header of ",
                     checksummedFrom, " bytes, got ", start.size());
  std::memcpy(&header, start.data(), checksummedFrom);
  if (header.version != version)
    return makeError(ErrorCode::BadInput, "has format version ", header.version,
                     ", but this build reads version ", version,
                     "; compile the model again");
  if (size < header.totalBytes)
    return makeError(ErrorCode::BadInput, "is truncated: expected ",
                     header.totalBytes, " bytes, got ", size);
  if (size > header.totalBytes)
    return makeError(ErrorCode::BadInput, "has ", size - header.totalBytes,
                     " bytes after its end");
  return header;
}

/// Checks required before any access to a table.
Result<Header> checkHeader(std::span<const std::byte> image) {
  auto start = checkStart(image, image.size());
  if (!start)
    return start;
  Header header = *start;
  if (checksum(image) != header.checksum)
    return makeError(ErrorCode::BadInput,
                     "is damaged: its checksum does not match its content");

  // The remaining checks can only find errors of the writer.
  if (header.sectionCount != sectionCount || image.size() < sizeof(Header))
    return makeError(ErrorCode::BadInput, "expected ", sectionCount,
                     " sections, got ", header.sectionCount);
  std::memcpy(&header, image.data(), sizeof(Header));
  uint64_t end = sizeof(Header);
  for (uint32_t i = 0; i < sectionCount; ++i) {
    const Section &section = header.sections[i];
    const uint64_t expected = sectionOffset(SectionKind(i), end);
    if (section.offset != expected)
      return makeError(ErrorCode::BadInput, "section '", sectionNames[i],
                       "' expected at byte ", expected, ", got ",
                       section.offset);
    if (expected > image.size() || section.bytes > image.size() - expected)
      return makeError(ErrorCode::BadInput, "section '", sectionNames[i],
                       "' of ", section.bytes, " bytes reaches past the end");
    if (section.bytes % entryBytes[i] != 0)
      return makeError(ErrorCode::BadInput, "section '", sectionNames[i],
                       "' expected a multiple of ", entryBytes[i],
                       " bytes, got ", section.bytes);
    end = section.offset + section.bytes;
  }
  if (end != image.size())
    return makeError(ErrorCode::BadInput, "has ", image.size() - end,
                     " bytes after its last section");
  return header;
}

/// The entries of one section.
template <typename T>
std::span<const T> table(std::span<const std::byte> image, const Header &header,
                         SectionKind kind) {
  const Section &section = header.sections[uint8_t(kind)];
  return {reinterpret_cast<const T *>(image.data() + section.offset),
          section.bytes / sizeof(T)};
}

/// Prefixes a message of this file or of Validate.cpp with the subject.
tl::unexpected<runtime::Error> about(std::string_view subject,
                                     const runtime::Error &error) {
  return makeError(error.code, "bundle: ", subject, error.message);
}

/// A file open for reading, of any kind.
class File {
public:
  explicit File(const std::filesystem::path &path)
      : descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (descriptor >= 0)
      ::close(descriptor);
  }

  /// \returns BadInput unless it could be opened and is a regular file.
  Result<uint64_t> size() const {
    struct stat status;
    if (descriptor < 0 || ::fstat(descriptor, &status) != 0)
      return failed();
    if (!S_ISREG(status.st_mode))
      return makeError(ErrorCode::BadInput, "is not a file");
    return uint64_t(status.st_size);
  }

  /// The first `bytes` bytes; fewer if the file was truncated.
  Result<std::vector<std::byte>> read(uint64_t bytes) const {
    std::vector<std::byte> content(bytes);
    for (size_t done = 0; done < content.size();) {
      const ssize_t got = ::pread(descriptor, content.data() + done,
                                  content.size() - done, off_t(done));
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return failed();
      if (got == 0)
        content.resize(done);
      done += size_t(got);
    }
    return content;
  }

private:
  static tl::unexpected<runtime::Error> failed() {
    return makeError(ErrorCode::BadInput,
                     "cannot be read: ", std::strerror(errno));
  }

  int descriptor;
};

/// The content of a file that starts like a bundle: nothing is allocated for
/// other files.
Result<std::vector<std::byte>> readBundle(const std::filesystem::path &path) {
  const File file(path);
  const auto size = file.size();
  if (!size)
    return tl::unexpected(size.error());
  const auto start = file.read(std::min(*size, checksummedFrom));
  if (!start)
    return tl::unexpected(start.error());
  if (const auto header = checkStart(*start, *size); !header)
    return tl::unexpected(header.error());
  return file.read(*size);
}

} // namespace

Result<Bundle> Bundle::check(std::span<const std::byte> image) {
  const auto header = checkHeader(image);
  if (!header)
    return tl::unexpected(header.error());
  Bundle bundle;
  bundle.image = image;
  const auto text = table<char>(image, *header, SectionKind::Strings);
  bundle.stringTable = {text.data(), text.size()};
  bundle.messageTable = table<Range>(image, *header, SectionKind::Messages);
  bundle.parameterTable =
      table<Parameter>(image, *header, SectionKind::Parameters);
  bundle.tensorMapTable =
      table<TensorMap>(image, *header, SectionKind::TensorMaps);
  bundle.kernelTable = table<Kernel>(image, *header, SectionKind::Kernels);
  bundle.expressionTable =
      table<Expression>(image, *header, SectionKind::Expressions);
  bundle.requirementTable =
      table<Requirement>(image, *header, SectionKind::Requirements);
  bundle.argumentTable =
      table<Argument>(image, *header, SectionKind::Arguments);
  bundle.launchTable = table<Launch>(image, *header, SectionKind::Launches);
  bundle.bufferTable = table<Buffer>(image, *header, SectionKind::Buffers);
  bundle.planTable = table<Plan>(image, *header, SectionKind::Plans);
  const auto models = table<ModelInfo>(image, *header, SectionKind::Model);
  const auto targets =
      table<bundle::Target>(image, *header, SectionKind::Target);
  if (models.size() != 1 || targets.size() != 1)
    return makeError(ErrorCode::BadInput,
                     "expected one model and one target, got ", models.size(),
                     " and ", targets.size());
  bundle.modelInfo = models.data();
  bundle.targetInfo = targets.data();
  bundle.hostBytes = table<std::byte>(image, *header, SectionKind::HostCode);
  bundle.deviceBytes =
      table<std::byte>(image, *header, SectionKind::DeviceCode);
  if (auto valid = validate(bundle); !valid)
    return tl::unexpected(valid.error());
  return bundle;
}

Result<Bundle> Bundle::view(std::span<const std::byte> image) {
  if (reinterpret_cast<uintptr_t>(image.data()) % 8 != 0)
    return makeError(ErrorCode::BadInput,
                     "bundle: the image is not aligned to 8 bytes");
  auto bundle = check(image);
  if (!bundle)
    return about("the image ", bundle.error());
  return bundle;
}

Result<Bundle> Bundle::fromBytes(std::vector<std::byte> image) {
  auto bundle = view(image);
  if (bundle)
    bundle->owned = std::move(image);
  return bundle;
}

Result<Bundle> Bundle::open(const std::filesystem::path &path) {
  const std::string subject = "'" + path.string() + "' ";
  auto content = readBundle(path);
  if (!content)
    return about(subject, content.error());
  auto bundle = check(*content);
  if (!bundle)
    return about(subject, bundle.error());
  bundle->owned = std::move(*content);
  return bundle;
}
