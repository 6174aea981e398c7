// Parses tables of measured matmuls.
#include "LaunchTuning/ProductTable.h"
#include "TileGPT/Dialect/TileGPU/Analysis/WarpGroups.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include <optional>

using namespace tilegpt;
using namespace tilegpt::compiler;
using llvm::StringRef;
using runtime::ErrorCode;
using runtime::makeError;
using runtime::Result;

namespace {

/// Reads the cells of a line; the first error is kept.
class TableLine {
public:
  TableLine(StringRef text, size_t number,
            const llvm::StringMap<size_t> &columns, std::string_view where)
      : text(text), number(number), columns(columns), where(where) {
    text.split(cells, ',');
    if (cells.size() != columns.size())
      problem =
          makeError(ErrorCode::BadInput, where, " expected ", columns.size(),
                    " values, got ", cells.size(), " at line ", number);
  }

  /// A positive integer; `otherwise` if there is no such column.
  int64_t integer(StringRef name, std::optional<int64_t> otherwise = {}) {
    const std::optional<StringRef> cell = find(name);
    int64_t value = 0;
    if (!cell)
      return otherwise.value_or(1);
    if (cell->getAsInteger(10, value) || value < 1)
      wrong(*cell, name, "a positive integer");
    return value;
  }
  double real(StringRef name) {
    const std::optional<StringRef> cell = find(name);
    double value = 0;
    if (cell && (cell->getAsDouble(value) || !(value > 0)))
      wrong(*cell, name, "a positive number");
    return value;
  }
  StringRef word(StringRef name, llvm::ArrayRef<StringRef> words) {
    const std::optional<StringRef> cell = find(name);
    if (!cell)
      return words.front();
    if (!llvm::is_contained(words, *cell))
      wrong(*cell, name, "one of " + llvm::join(words, ", "));
    return *cell;
  }

  std::optional<tl::unexpected<runtime::Error>> problem;

private:
  std::optional<StringRef> find(StringRef name) const {
    const auto column = columns.find(name);
    if (problem || column == columns.end())
      return std::nullopt;
    return cells[column->second].trim();
  }
  void wrong(StringRef cell, StringRef name, const std::string &expected) {
    if (!problem)
      problem =
          makeError(ErrorCode::BadInput, where, " expected ", expected, " for ",
                    name.str(), ", got '", cell.str(), "' at line ", number,
                    ", column ", cell.data() - text.data() + 1);
  }

  StringRef text;
  size_t number;
  const llvm::StringMap<size_t> &columns;
  std::string_view where;
  llvm::SmallVector<StringRef> cells;
};

} // namespace

/// The fields of a plan that multicasts an operand of the matrix instructions.
/// The columns of tiles that are computed transposed are the rows of the
/// instructions.
static void setMulticast(runtime::Choice &choice, StringRef operand,
                         int64_t sharing, bool isTransposed) {
  constexpr int64_t bothAxes = 2;
  if (operand == "none")
    return;
  choice.plan["multicast"] = operand == "both" ? sharing * sharing : sharing;
  choice.plan["multicastAxis"] = operand == "both" ? bothAxes
                                 : (operand == "left") != isTransposed ? 1
                                                                       : 0;
}

Result<std::vector<TimedProduct>>
compiler::parseProducts(std::string_view text, std::string_view where) {
  constexpr int64_t stepElements = 64;
  llvm::SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  llvm::SmallVector<StringRef> names;
  lines.front().split(names, ',');
  llvm::StringMap<size_t> columns;
  for (const StringRef name : names)
    columns.try_emplace(name.trim(), columns.size());
  for (const char *needed : {"m", "n", "k", "tile_rows", "tile_columns", "us"})
    if (!columns.contains(needed))
      return makeError(ErrorCode::BadInput, where, " expected a column '",
                       needed, "' at line 1");
  std::vector<TimedProduct> products;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].trim().empty())
      continue;
    TableLine line(lines[i], i + 1, columns, where);
    TimedProduct product{line.integer("m"),
                         line.integer("n"),
                         line.integer("k"),
                         {},
                         line.real("us")};
    const int64_t rows = line.integer("tile_rows"),
                  width = line.integer("tile_columns");
    product.choice.parameters = {
        {"BM", rows}, {"BN", width}, {"BK", stepElements}};
    product.choice.plan = {{"parts", line.integer("parts")},
                           {"shares", line.integer("shares")}};
    setMulticast(product.choice,
                 line.word("multicast", {"none", "left", "right", "both"}),
                 line.integer("sharing", 2),
                 tilegpu::isMadeTransposed(rows, width));
    if (line.problem)
      return *line.problem;
    products.push_back(std::move(product));
  }
  return products;
}
