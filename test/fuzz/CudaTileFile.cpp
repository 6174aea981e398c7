// Divides files into sections and items, and puts them together again.
#include "CudaTileFile.h"

namespace tilegpt::fuzz {

using Form = CudaTileSection::Form;

namespace {
/// Reads in order; after the end, `isValid` is false and numbers are 0.
struct Cursor {
  std::string_view bytes;
  size_t at = 0;
  bool isValid = true;

  size_t left() const { return bytes.size() - at; }

  std::string_view take(uint64_t size) {
    isValid &= size <= left();
    if (!isValid)
      return {};
    at += size;
    return bytes.substr(at - size, size);
  }
  uint8_t byte() {
    const std::string_view one = take(1);
    return one.empty() ? 0 : uint8_t(one[0]);
  }
  uint64_t fixed(unsigned width) {
    uint64_t value = 0;
    for (unsigned i = 0; i < width; ++i)
      value |= uint64_t(byte()) << (8 * i);
    return value;
  }
  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const uint8_t part = byte();
      value |= uint64_t(part & 0x7f) << shift;
      if (!(part & 0x80))
        return value;
    }
    isValid = false;
    return 0;
  }
  void align(uint64_t alignment) {
    take((alignment - at % alignment) % alignment);
  }
};
} // namespace

static void putFixed(std::string &out, uint64_t value, unsigned width) {
  for (unsigned i = 0; i < width; ++i)
    out.push_back(char(value >> (8 * i)));
}

static void putVarint(std::string &out, uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    out.push_back(char(value | 0x80));
  out.push_back(char(value));
}

static void pad(std::string &out, uint64_t alignment) {
  while (out.size() % alignment != 0)
    out.push_back(char(0xCB));
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

/// The items of a table at the end of a section.
static bool splitTable(Cursor in, unsigned width, CudaTileSection &section) {
  section.width = width;
  section.before = in.bytes.substr(0, in.at);
  const uint64_t count = in.varint();
  in.align(width);
  if (!in.isValid || count > in.left() / width)
    return false;
  std::vector<uint64_t> offsets(count);
  for (uint64_t &offset : offsets)
    offset = in.fixed(width);
  const std::string_view data = in.take(in.left());
  offsets.push_back(data.size());
  for (size_t i = 0; i < count; ++i) {
    if (offsets[i] > offsets[i + 1] || offsets[i + 1] > data.size())
      return false;
    section.items.emplace_back(
        data.substr(offsets[i], offsets[i + 1] - offsets[i]));
  }
  return true;
}

/// Skips the locations of functions, in front of the table of locations.
static Cursor skipLocations(Cursor in) {
  for (unsigned width : {4, 8}) {
    const uint64_t count = in.varint();
    in.align(width);
    in.isValid &= count <= in.left() / width;
    in.take(in.isValid ? count * width : 0);
  }
  return in;
}

/// Skips an attribute of hints; others make the cursor invalid.
static void skipHints(Cursor &in, unsigned depth = 0) {
  const uint64_t tag = in.varint();
  if (tag == 10 || tag == 11) {
    for (uint64_t left = in.varint(); left > 0 && in.isValid; --left) {
      in.varint();
      in.isValid &= depth < 8;
      if (in.isValid)
        skipHints(in, depth + 1);
    }
    return;
  }
  in.isValid &= tag == 1 || tag == 3;
  in.varint();
  if (tag == 1)
    in.varint();
}

static bool splitFunctions(Cursor in, bool isNewest, CudaTileSection &section) {
  for (uint64_t left = in.varint(); left > 0; --left) {
    const size_t begin = in.at;
    in.varint(); // name
    in.varint(); // type
    const bool isHinted = in.byte() & 4;
    in.varint(); // locations
    if (isHinted || isNewest)
      skipHints(in);
    if (isNewest) // an empty array of attributes
      in.take(2);
    const std::string_view head = in.bytes.substr(begin, in.at - begin);
    const std::string_view body = in.take(in.varint());
    if (!in.isValid)
      return false;
    section.items.emplace_back(head);
    section.items.emplace_back(body);
  }
  return in.isValid;
}

static void splitPayload(std::string_view payload, uint8_t minor,
                         CudaTileSection &section) {
  const Cursor in{payload};
  bool isSplit = false;
  switch (section.id) {
  case 1: // strings
  case 5: // types
    section.form = Form::Table;
    isSplit = splitTable(in, 4, section);
    break;
  case 4: // constants
    section.form = Form::Table;
    isSplit = splitTable(in, 8, section);
    break;
  case 3: // locations
    section.form = Form::Table;
    isSplit = splitTable(skipLocations(in), 4, section);
    break;
  case 2: // functions
    section.form = Form::Functions;
    isSplit = splitFunctions(in, minor >= 5, section);
    break;
  }
  if (isSplit && !section.items.empty())
    return;
  section.form = Form::Raw;
  section.before.clear();
  section.items = {std::string(payload)};
}

static std::string joinPayload(const CudaTileSection &section) {
  std::string out = section.before;
  switch (section.form) {
  case Form::Raw:
    out += section.items.front();
    break;
  case Form::Table: {
    putVarint(out, section.items.size());
    pad(out, section.width);
    uint64_t offset = 0;
    for (const std::string &item : section.items) {
      putFixed(out, offset, section.width);
      offset += item.size();
    }
    for (const std::string &item : section.items)
      out += item;
    break;
  }
  case Form::Functions:
    putVarint(out, section.items.size() / 2);
    for (size_t i = 0; i + 1 < section.items.size(); i += 2) {
      out += section.items[i];
      putVarint(out, section.items[i + 1].size());
      out += section.items[i + 1];
    }
  }
  return out;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

std::optional<CudaTileFile> CudaTileFile::split(std::string_view bytes) {
  Cursor in{bytes};
  CudaTileFile file;
  file.header = in.take(12);
  while (in.isValid) {
    const uint8_t head = in.byte();
    if (head == 0)
      break;
    CudaTileSection &section = file.sections.emplace_back();
    section.id = head & 0x7f;
    const uint64_t size = in.varint();
    section.alignment = head & 0x80 ? in.varint() : 1;
    if (section.alignment == 0 || section.alignment > 4096)
      return {};
    in.align(section.alignment);
    splitPayload(in.take(size), uint8_t(file.header[9]), section);
  }
  if (!in.isValid || file.sections.empty())
    return {};
  return file;
}

std::string CudaTileFile::join() const {
  std::string out = header;
  for (const CudaTileSection &section : sections) {
    const std::string payload = joinPayload(section);
    out.push_back(char(section.alignment > 1 ? section.id | 0x80 : section.id));
    putVarint(out, payload.size());
    if (section.alignment > 1) {
      putVarint(out, section.alignment);
      pad(out, section.alignment);
    }
    out += payload;
  }
  out.push_back(0);
  return out;
}

} // namespace tilegpt::fuzz
