// Records as JSON. Numbers round-trip exactly.
#include "TileGPT/Runtime/Data/Json.h"
#include "TileGPT/Runtime/Data/OutputFile.h"
#include "TileGPT/Runtime/Tuning/Records.h"
#include <algorithm>
#include <charconv>
#include <cstdio>

using namespace tilegpt;
using namespace tilegpt::runtime;

static constexpr std::string_view formatName = "tilegpt-tuning";
static constexpr int64_t formatVersion = 1;

/// The shortest text that round-trips.
static std::string numberText(double number) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof(text), number).ptr;
  return {text, end};
}

std::string runtime::describe(const TuningRecord &record, double ratio) {
  const TuningMeasurement &measured = record.measured;
  std::string data =
      concat("rows ", record.key.firstRows, "-", record.key.lastRows);
  if (record.key.lastRows == 0) {
    data.clear();
    for (const std::string &operand : record.key.operands)
      data += (data.empty() ? "" : ",") + operand;
  }
  char line[128];
  std::snprintf(line, sizeof(line),
                "  %9.2f us, default %9.2f (%+.1f %%, wins %.0f %% of %lld) ",
                measured.microseconds, measured.defaultMicroseconds,
                100 * (ratio - 1), 100 * measured.wins,
                (long long)measured.samples);
  std::string name = record.kernel;
  constexpr size_t width = 24;
  name.resize(std::max(width, name.size()), ' ');
  return concat(name, " ", data, line, describe(record.choice), "\n");
}

std::string runtime::describe(const Choice &choice) {
  std::string text;
  for (const auto &[name, value] : choice.parameters)
    text += concat(" ", name, "=", value);
  for (const auto &[name, value] : choice.plan)
    text += concat(" plan.", name, "=", value);
  if (choice.isFused)
    text += *choice.isFused ? " fused" : " apart";
  if (choice.isRange)
    text += " range";
  return text;
}

/// {"BM": 16, "BN": 64}
static std::string formatNumbers(const std::map<std::string, int64_t> &all) {
  std::string text = "{";
  for (const auto &[name, value] : all)
    text += concat(text.size() > 1 ? ", " : "", quoteJson(name), ": ", value);
  return text + "}";
}

static std::string formatRecord(const TuningRecord &record) {
  std::string operands, plan;
  for (const std::string &operand : record.key.operands)
    operands += (operands.empty() ? "" : ", ") + quoteJson(operand);
  if (!record.choice.plan.empty())
    plan = ", \"plan\": " + formatNumbers(record.choice.plan);
  if (record.choice.isFused)
    plan += concat(", \"fused\": ", *record.choice.isFused ? "true" : "false");
  if (record.choice.isRange)
    plan += ", \"range\": true";
  const TuningMeasurement &measured = record.measured;
  return concat("{\"kernel\": ", quoteJson(record.kernel),
                ", \"digest\": ", quoteJson(record.key.digest),
                ", \"operands\": [", operands, "], \"rows\": [",
                record.key.firstRows, ", ", record.key.lastRows,
                "], \"params\": ", formatNumbers(record.choice.parameters),
                plan,
                ", \"measured\": {\"us\": ", numberText(measured.microseconds),
                ", \"defaultUs\": ", numberText(measured.defaultMicroseconds),
                ", \"wins\": ", numberText(measured.wins),
                ", \"samples\": ", measured.samples,
                "}, \"tool\": ", quoteJson(record.tool), "}");
}

std::string TuningRecords::format() const {
  std::vector<const TuningRecord *> sorted;
  sorted.reserve(records.size());
  for (const TuningRecord &record : records)
    sorted.push_back(&record);
  std::ranges::sort(sorted, [](const auto *lhs, const auto *rhs) {
    return std::tie(lhs->kernel, lhs->key, lhs->choice) <
           std::tie(rhs->kernel, rhs->key, rhs->choice);
  });
  std::string text = concat(
      "{\"format\": ", quoteJson(formatName), ", \"version\": ", formatVersion,
      ",\n \"device\": {\"arch\": ", quoteJson(device.architecture),
      ", \"name\": ", quoteJson(device.name), ", \"lanes\": ", device.lanes,
      "},\n \"records\": [");
  for (const TuningRecord *record : sorted)
    text +=
        (record == sorted.front() ? "\n  " : ",\n  ") + formatRecord(*record);
  return text + (records.empty() ? "]}\n" : "\n ]}\n");
}

namespace {

/// Reads members of the required kinds; the first error is reported with its
/// path.
class Reader {
public:
  explicit Reader(std::string_view where) : where(where) {}

  Result<TuningRecords> read(JsonValue root);

private:
  void wrong(std::string_view path, std::string_view expected) {
    if (!problem)
      problem = makeError(ErrorCode::BadInput, where, " expected ", expected,
                          " for ", path);
  }

  std::optional<JsonValue> member(JsonValue object, std::string_view path,
                                  std::string_view key, JsonKind kind) {
    const auto found =
        object.is(JsonKind::Object) ? object.find(key) : std::nullopt;
    if (found && found->is(kind))
      return found;
    wrong(concat(path, path.empty() ? "" : ".", key), describe(kind));
    return std::nullopt;
  }
  std::string text(JsonValue object, std::string_view path,
                   std::string_view key) {
    const auto found = member(object, path, key, JsonKind::String);
    return found ? std::string(found->string()) : "";
  }
  int64_t integer(JsonValue object, std::string_view path,
                  std::string_view key) {
    const auto found = member(object, path, key, JsonKind::Integer);
    return found ? found->integer() : 0;
  }
  double number(JsonValue object, std::string_view path, std::string_view key) {
    const auto found =
        object.is(JsonKind::Object) ? object.find(key) : std::nullopt;
    if (found && (found->is(JsonKind::Integer) || found->is(JsonKind::Number)))
      return found->number();
    wrong(concat(path, ".", key), "a number");
    return 0;
  }

  /// Integers by name, each at least `least`, which is 0 or 1.
  std::map<std::string, int64_t> numbers(JsonValue object,
                                         std::string_view path,
                                         std::string_view key, int64_t least) {
    std::map<std::string, int64_t> found;
    if (const auto all = member(object, path, key, JsonKind::Object))
      for (const JsonValue each : *all) {
        if (!each.is(JsonKind::Integer) || each.integer() < least)
          wrong(concat(path, ".", key, ".", each.key()),
                least > 0 ? "a positive integer" : "an integer, 0 or more,");
        else
          found.emplace(each.key(), each.integer());
      }
    return found;
  }

  TuningRecord readRecord(JsonValue value, std::string_view path);
  void readKey(LaunchKey &key, JsonValue value, std::string_view path);

  std::string_view where;
  std::optional<tl::unexpected<Error>> problem;
};

} // namespace

void Reader::readKey(LaunchKey &key, JsonValue value, std::string_view path) {
  key.digest = text(value, path, "digest");
  if (const auto operands = member(value, path, "operands", JsonKind::Array))
    for (const JsonValue operand : *operands) {
      if (!operand.is(JsonKind::String))
        return wrong(concat(path, ".operands"), "strings");
      key.operands.emplace_back(operand.string());
    }
  const auto rows = member(value, path, "rows", JsonKind::Array);
  if (!rows)
    return;
  std::vector<int64_t> ends;
  for (const JsonValue end : *rows)
    if (end.is(JsonKind::Integer))
      ends.push_back(end.integer());
  if (rows->size() != 2 || ends.size() != 2 || ends[0] < 0 || ends[0] > ends[1])
    return wrong(concat(path, ".rows"),
                 "the first and the last number, 0 or more,");
  key.firstRows = ends[0];
  key.lastRows = ends[1];
}

TuningRecord Reader::readRecord(JsonValue value, std::string_view path) {
  TuningRecord record;
  record.kernel = text(value, path, "kernel");
  readKey(record.key, value, path);
  record.choice.parameters = numbers(value, path, "params", 1);
  if (value.is(JsonKind::Object) && value.find("plan"))
    record.choice.plan = numbers(value, path, "plan", 0);
  if (value.is(JsonKind::Object) && value.find("fused"))
    if (const auto fused = member(value, path, "fused", JsonKind::Boolean))
      record.choice.isFused = fused->boolean();
  if (value.is(JsonKind::Object) && value.find("range"))
    if (const auto range = member(value, path, "range", JsonKind::Boolean))
      record.choice.isRange = range->boolean();
  if (const auto measured = member(value, path, "measured", JsonKind::Object)) {
    const std::string at = concat(path, ".measured");
    record.measured = {
        number(*measured, at, "us"), number(*measured, at, "defaultUs"),
        number(*measured, at, "wins"), integer(*measured, at, "samples")};
  }
  record.tool = text(value, path, "tool");
  return record;
}

Result<TuningRecords> Reader::read(JsonValue root) {
  TuningRecords result;
  if (text(root, "", "format") != formatName)
    wrong("format", quoteJson(formatName));
  if (integer(root, "", "version") != formatVersion)
    wrong("version", std::to_string(formatVersion));
  if (const auto device = member(root, "", "device", JsonKind::Object))
    result.device = {text(*device, "device", "arch"),
                     text(*device, "device", "name"),
                     integer(*device, "device", "lanes")};
  if (const auto records = member(root, "", "records", JsonKind::Array))
    for (const JsonValue record : *records)
      result.records.push_back(
          readRecord(record, concat("records[", result.records.size(), "]")));
  if (problem)
    return *problem;
  return result;
}

Result<TuningRecords> TuningRecords::parse(std::string_view text,
                                           std::string_view where) {
  const auto document = JsonDocument::parse(text, where);
  if (!document)
    return tl::unexpected(document.error());
  return Reader(where).read(document->root());
}

Result<TuningRecords> TuningRecords::read(const std::filesystem::path &path) {
  const auto document = JsonDocument::read(path, "tuning");
  if (!document)
    return tl::unexpected(document.error());
  return Reader(concat("tuning: '", path.string(), "'")).read(document->root());
}

Result<void> TuningRecords::write(const std::filesystem::path &path) const {
  OutputFile file(path);
  const std::string text = format();
  file.write(std::as_bytes(std::span(text)));
  return file.finish("tuning");
}
