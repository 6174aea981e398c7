// Parses and checks the JSON header of safetensors files. Parser events drive a
// state machine, so unexpected input ends the parse immediately.
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/Safetensors.h"
#include "TileGPT/Runtime/Data/Utf8.h"
#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>
#include <unordered_set>

using namespace tilegpt::runtime;

namespace {

/// Callbacks return false, which stops the parser, once `problem` is set.
class HeaderReader {
public:
  HeaderReader(SafetensorsHeader &header, std::string_view source)
      : header(header), source(source) {}

  std::string problem;

  bool null() { return unexpected("null"); }
  bool boolean(bool) { return unexpected("a boolean"); }
  bool number_float(double, const std::string &text) {
    return unexpected(concat("the number ", text));
  }
  bool number_integer(int64_t value) {
    return unexpected(concat("the negative number ", value));
  }
  bool number_unsigned(uint64_t value) {
    if (place == Place::Shape) {
      if (tensor().shape.size() == maxStoredRank)
        return fail("has more than ", maxStoredRank, " sizes");
      if (value > uint64_t(std::numeric_limits<int64_t>::max()))
        return fail("has the size ", value, ", which is too large");
      tensor().shape.push_back(int64_t(value));
      return true;
    }
    if (place == Place::Offsets) {
      if (offsetCount == 2)
        return fail("has more than two data_offsets");
      (offsetCount++ == 0 ? tensor().begin : tensor().end) = value;
      return true;
    }
    return unexpected(concat("the number ", value));
  }

  bool string(const std::string &value) {
    if (place == Place::MetadataValue) {
      header.metadata.back().second = value;
      place = Place::Metadata;
      return true;
    }
    if (place != Place::Type)
      return unexpected(concat("the string '", value, "'"));
    const auto type = parseSafetensorsType(value);
    if (!type)
      return fail("has the unknown dtype '", value, "'");
    tensor().type = *type;
    place = Place::Tensor;
    return true;
  }

  bool start_object(size_t) {
    switch (place) {
    case Place::Start:
      place = Place::Top;
      return true;
    case Place::MetadataStart:
      place = Place::Metadata;
      return true;
    case Place::TensorStart:
      place = Place::Tensor;
      return true;
    default:
      return unexpected("an object");
    }
  }

  bool end_object() {
    switch (place) {
    case Place::Tensor:
      for (unsigned field = 0; field < 3; ++field)
        if (!(fieldsSeen & 1u << field))
          return fail("has no ", fields[field]);
      place = Place::Top;
      return true;
    case Place::Metadata:
      place = Place::Top;
      return true;
    default:
      place = Place::End;
      return true;
    }
  }

  bool start_array(size_t) {
    if (place == Place::ShapeStart)
      place = Place::Shape;
    else if (place == Place::OffsetsStart)
      place = Place::Offsets;
    else
      return unexpected("an array");
    return true;
  }

  bool end_array() {
    if (place == Place::Offsets && offsetCount != 2)
      return fail("has ", offsetCount, " data_offsets, expected two");
    place = Place::Tensor;
    return true;
  }

  bool key(const std::string &value) {
    if (place == Place::Metadata) {
      if (!metadataKeys.insert(value).second)
        return failHeader("has the metadata key '", value, "' twice");
      header.metadata.emplace_back(value, "");
      place = Place::MetadataValue;
      return true;
    }
    if (place == Place::Top)
      return topKey(value);
    const auto *field = std::find(std::begin(fields), std::end(fields), value);
    if (field == std::end(fields))
      return fail("has the unknown field '", value, "'");
    const auto index = unsigned(field - std::begin(fields));
    if (fieldsSeen & 1u << index)
      return fail("has ", value, " twice");
    fieldsSeen |= 1u << index;
    constexpr Place starts[] = {Place::Type, Place::ShapeStart,
                                Place::OffsetsStart};
    place = starts[index];
    return true;
  }

  bool parse_error(size_t position, const std::string &,
                   const nlohmann::json::exception &) {
    problem = "has a header that " + describeJsonError(source, position);
    return false;
  }
  /// Part of the interface, but only nlohmann's binary formats have such
  /// values.
  bool binary(const nlohmann::json::binary_t &) { return false; }

private:
  /// The parser state: the context of the next event. Names that end in Start
  /// expect the opening bracket.
  enum class Place {
    Start,
    Top,
    MetadataStart,
    Metadata,
    MetadataValue,
    TensorStart,
    Tensor,
    Type,
    ShapeStart,
    Shape,
    OffsetsStart,
    Offsets,
    End,
  };
  static constexpr std::string_view fields[] = {"dtype", "shape",
                                                "data_offsets"};

  StoredTensor &tensor() { return header.tensors.back(); }

  template <typename... Parts>
  bool failHeader(const Parts &...parts) {
    problem = concat(parts...);
    return false;
  }
  template <typename... Parts>
  bool fail(const Parts &...parts) {
    return failHeader("is malformed: tensor '", tensor().name, "' ", parts...);
  }

  bool topKey(const std::string &name) {
    if (!names.insert(name).second)
      return failHeader("has the tensor '", name, "' twice");
    if (name == "__metadata__") {
      place = Place::MetadataStart;
      return true;
    }
    header.tensors.emplace_back().name = name;
    fieldsSeen = offsetCount = 0;
    place = Place::TensorStart;
    return true;
  }

  bool unexpected(std::string_view got) {
    switch (place) {
    case Place::Start:
      return failHeader("has a header that is not an object but ", got);
    case Place::MetadataStart:
      return failHeader("has __metadata__ that is not an object but ", got);
    case Place::MetadataValue:
      return failHeader("has the metadata '", header.metadata.back().first,
                        "' that is not a string but ", got);
    case Place::TensorStart:
      return fail("is not an object but ", got);
    case Place::Type:
      return fail("has a dtype that is not a string but ", got);
    case Place::ShapeStart:
    case Place::Shape:
      return fail("expected shape to be an array of sizes, got ", got);
    default:
      return fail("expected data_offsets to be an array of two offsets, got ",
                  got);
    }
  }

  SafetensorsHeader &header;
  std::string_view source;
  Place place = Place::Start;
  unsigned fieldsSeen = 0;
  unsigned offsetCount = 0;
  std::unordered_set<std::string> names;
  std::unordered_set<std::string> metadataKeys;
};

/// The first error in the sizes and offsets, or nothing. Sorts the tensors by
/// data offset.
std::string checkLayout(SafetensorsHeader &header, uint64_t dataBytes) {
  for (const StoredTensor &tensor : header.tensors) {
    const auto wrong = [&](const auto &...parts) {
      return concat("is malformed: tensor '", tensor.name, "' ", parts...);
    };
    const auto bytes = tensorBytes(tensor.type, tensor.shape);
    if (!bytes)
      return wrong(tensor.description(), " has more than 2^63 bytes");
    const std::string range = concat("[", tensor.begin, ",", tensor.end, "]");
    if (tensor.begin > tensor.end)
      return wrong("has reversed data_offsets ", range);
    if (tensor.end > dataBytes)
      return concat("is truncated: tensor '", tensor.name,
                    "' has data_offsets ", range, ", but the file holds only ",
                    dataBytes, " bytes of data; download it again");
    if (tensor.end - tensor.begin != uint64_t(*bytes))
      return wrong(tensor.description(), " takes ", *bytes,
                   " bytes, but its data_offsets ", range, " hold ",
                   tensor.end - tensor.begin);
  }
  std::ranges::sort(header.tensors, {}, [](const StoredTensor &tensor) {
    return std::tuple(tensor.begin, tensor.end, std::string_view(tensor.name));
  });
  uint64_t covered = 0;
  std::string_view before;
  for (const StoredTensor &tensor : header.tensors) {
    if (tensor.begin < covered)
      return concat("is malformed: the data of '", tensor.name,
                    "' overlaps that of '", before, "'");
    if (tensor.begin > covered)
      return concat("is malformed: no tensor owns the ", tensor.begin - covered,
                    " bytes before '", tensor.name, "'");
    covered = tensor.end;
    before = tensor.name;
  }
  if (covered != dataBytes)
    return concat("is malformed: its tensors end at byte ", covered,
                  " of the data, but the data has ", dataBytes, " bytes");
  return {};
}

} // namespace

Result<SafetensorsHeader> SafetensorsHeader::parse(std::string_view json,
                                                   uint64_t dataBytes) {
  if (const auto offset = findInvalidUtf8(json))
    return makeError(ErrorCode::BadInput,
                     "has a header that is not UTF-8 at byte ", *offset);
  // The parser would skip leading white space and a byte order mark, which the
  // format does not allow.
  if (!json.starts_with('{'))
    return makeError(ErrorCode::BadInput,
                     "has a header that does not start with '{'");
  SafetensorsHeader header;
  HeaderReader reader(header, json);
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &reader))
    return makeError(ErrorCode::BadInput, reader.problem);
  if (const std::string problem = checkLayout(header, dataBytes);
      !problem.empty())
    return makeError(ErrorCode::BadInput, problem);
  return header;
}
