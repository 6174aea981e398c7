// Every op on every element type, asked of the verifier, the interpreter, the
// host and two GPUs; what they say is docs/dialects/tile-matrix.md. With
// TILEGPT_UPDATE_MATRIX set the file is written (scripts/update-docs).
#include "NumericRun.h"
#include "OpRows.h"
#include "SourceFolder.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace tilegpt::numeric {
namespace {

constexpr const char *types[] = {"i1",   "i8",       "i16",    "i32",
                                 "i64",  "f8E4M3FN", "f8E5M2", "f16",
                                 "bf16", "f32",      "f64"};

NumericCase makeCase(const OpRow &row, const std::string &type) {
  NumericCase test;
  test.file = "matrix";
  test.kernel = "k";
  test.types = type;
  std::string text = llvm::formatv(
      R"(tile.kernel @k(%a: !tile.view<4x!T>, %b: !tile.view<4x!T>, %c: !tile.view<4x!T>, %m: !tile.view<4xi1>, %n: !tile.view<4xi32>)
    outs(%y: !tile.view<4x!T>, %z: !tile.view<8x{0}>) grid [1] {{
  %i = tile.block_id 0
  %x = tile.load %a[%i] [4] : !tile.view<4x!T> -> tensor<4x!T>
  %u = tile.load %b[%i] [4] : !tile.view<4x!T> -> tensor<4x!T>
  %v = tile.load %c[%i] [4] : !tile.view<4x!T> -> tensor<4x!T>
  %p = tile.load %m[%i] [4] : !tile.view<4xi1> -> tensor<4xi1>
  %k = tile.load %n[%i] [4] : !tile.view<4xi32> -> tensor<4xi32>
  {1}
  tile.store %r, %z[%i] : tensor<{2}x{0}>, !tile.view<8x{0}>
})",
      row.result, row.body, row.shape);
  for (size_t at; (at = text.find("!T")) != std::string::npos;)
    text.replace(at, 2, type);
  test.source = std::move(text);
  // Of i1, in which 1 is -1, a dividend that has a quotient.
  const std::string ones = "4x" + type + "=1,1,1,1",
                    first = type == "i1" ? "4xi1=0,0,0,0" : ones;
  test.ins = {first, ones, ones, "4xi1=1,0,1,1", "4xi32=0,1,2,3"};
  test.expected = {"4x" + type,
                   "8x" + (row.result == "!T" ? type : row.result)};
  test.before = {"", ""};
  return test;
}

/// Whether the kernel parses and verifies.
bool verifies(const NumericCase &test) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::ScopedDiagnosticHandler silent(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  return bool(mlir::parseSourceString<mlir::ModuleOp>(
      test.source, mlir::ParserConfig(&context)));
}

/// A cell: who runs the op. Every refusal must say what it refuses.
class Verdicts {
public:
  void ask(char letter, llvm::Error error) {
    const std::string message = llvm::toString(std::move(error));
    if (message.empty())
      letters += letter;
    else if (message.find('\'') == std::string::npos)
      ADD_FAILURE() << letter << ": " << message << ": names no op";
  }
  std::string text() const { return letters == "AHIC" ? "✓" : letters; }

private:
  std::string letters;
};

llvm::Error compileForGpu(const NumericCase &test, const char *name) {
  NumericRun run(test);
  compiler::GpuCompilation compilation(
      llvm::cantFail(target::GpuTarget::find(name)));
  return run.compileForGpu({}, compilation).takeError();
}

std::string makeTable() {
  const std::vector<OpRow> rows = opRows();
  std::vector<std::vector<NumericCase>> cases;
  std::vector<std::vector<std::optional<Verdicts>>> cells;
  // GPUs first: behind the host's back end that of GPUs does not work in one
  // process.
  for (const OpRow &row : rows) {
    auto &line = cases.emplace_back();
    auto &verdicts = cells.emplace_back();
    for (const char *type : types) {
      const NumericCase &test = line.emplace_back(makeCase(row, type));
      SCOPED_TRACE(row.name + " of " + type);
      auto &cell = verdicts.emplace_back();
      if (!verifies(test))
        continue;
      cell.emplace();
      cell->ask('A', compileForGpu(test, "sm_80"));
      cell->ask('H', compileForGpu(test, "sm_90a"));
    }
  }
  std::string text, group;
  for (size_t number = 0; number < rows.size(); ++number) {
    if (rows[number].group != group) {
      group = rows[number].group;
      text += "\n## " + group + "\n\n| op |";
      for (const char *type : types)
        text += std::string(" ") + type + " |";
      text += "\n|---|";
      for (size_t column = 0; column < std::size(types); ++column)
        text += "---|";
      text += '\n';
    }
    text += "| `" + rows[number].name + "` |";
    for (size_t column = 0; column < std::size(types); ++column) {
      auto &cell = cells[number][column];
      SCOPED_TRACE(rows[number].name + " of " + types[column]);
      if (cell) {
        const NumericCase &test = cases[number][column];
        cell->ask('I', NumericRun(test).onReference());
        cell->ask('C', NumericRun(test).onCpu({}));
      }
      const std::string verdict = cell ? cell->text() : "";
      text += verdict.empty() ? (cell ? " – |" : " |") : " " + verdict + " |";
    }
    text += '\n';
  }
  return text;
}

TEST(OpMatrix, IsWhatTheCompilerSays) {
  const std::filesystem::path path =
      test::sourceFolder() / "docs/dialects/tile-matrix.md";
  const std::string expected =
      "<!-- Made by scripts/update-docs; OpMatrixTest holds it to what the "
      "compiler says. -->\n"
      "# Which op runs on which type and target\n\n"
      "✓: the interpreter, the host and GPUs from sm_80 on. Otherwise letters: "
      "I interpreter, C host, A sm_80, H sm_90a; –: none\nof them. An empty "
      "cell "
      "is a type that the verifier rejects. Who does not run an op says so, "
      "with "
      "its name.\n" +
      makeTable();
  if (std::getenv("TILEGPT_UPDATE_MATRIX")) {
    std::ofstream(path) << expected;
    return;
  }
  std::stringstream found;
  found << std::ifstream(path).rdbuf();
  EXPECT_EQ(found.str(), expected) << "run scripts/update-docs";
}

} // namespace
} // namespace tilegpt::numeric
