// Every op with every element type on the verifier, the interpreter, the host
// and two GPUs; docs/dialects/tile-matrix.md and, for CUDA Tile IR,
// cuda-tile-matrix.md state the expected support. With TILEGPT_UPDATE_MATRIX
// set the files are rewritten (scripts/update-docs).
#include "CudaTileRows.h"
#include "NumericRun.h"
#include "OpRows.h"
#include "SourceFolder.h"
#include "TileGPT/Pipelines/Phases.h"
#include "TileGPT/Pipelines/Registration.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace tilegpt::numeric {
namespace {

/// A table: its rows and columns, and a kernel for each cell.
struct Matrix {
  const char *file;
  std::string title;
  std::vector<const char *> types;
  std::vector<OpRow> rows;
  NumericCase (*makeCase)(const OpRow &row, const std::string &type);
};

NumericCase makeTileCase(const OpRow &row, const std::string &type) {
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
  // For i1, where 1 means -1, use a dividend whose quotient does not overflow.
  const std::string ones = "4x" + type + "=1,1,1,1",
                    first = type == "i1" ? "4xi1=0,0,0,0" : ones;
  test.ins = {first, ones, ones, "4xi1=1,0,1,1", "4xi32=0,1,2,3"};
  test.expected = {"4x" + type,
                   "8x" + (row.result == "!T" ? type : row.result)};
  test.before = {"", ""};
  return test;
}

/// A module lowered as far as all devices share, and its diagnostics.
struct Source {
  explicit Source(const NumericCase &test) {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    mlir::ScopedDiagnosticHandler handler(&context,
                                          [&](mlir::Diagnostic &diagnostic) {
                                            message += diagnostic.str() + '\n';
                                            return mlir::success();
                                          });
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        test.source, mlir::ParserConfig(&context));
    verifies = bool(module);
    imports = module && (!hasCudaTile(*module) ||
                         succeeded(runPhase(*module, Phase::Tile, {})));
  }

  bool verifies, imports;
  std::string message;
};

/// A cell: which targets support the op. Every error must name the op.
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

llvm::Error compileForGpu(NumericRun &run, const char *name) {
  compiler::GpuCompilation compilation(
      llvm::cantFail(target::GpuTarget::find(name)));
  return run.compileForGpu({}, compilation).takeError();
}

/// The results of all cells on all targets.
class Table {
public:
  explicit Table(Matrix from) : matrix(std::move(from)) {
    for (const OpRow &row : matrix.rows) {
      auto &line = cells.emplace_back();
      for (const char *type : matrix.types) {
        Cell &cell = line.emplace_back();
        cell.test = matrix.makeCase(row, type);
        const Source source(cell.test);
        cell.imports = source.imports;
        if (!source.verifies)
          continue;
        cell.verdicts.emplace();
        EXPECT_TRUE(source.imports ||
                    source.message.find('\'') != std::string::npos)
            << row.name << " of " << type << ": " << source.message
            << "names no op";
      }
      EXPECT_TRUE(llvm::any_of(
          line, [](const Cell &cell) { return bool(cell.verdicts); }))
          << row.name << ": is rejected for every type";
    }
  }

  void askGpus() {
    ask([](const NumericCase &test, Verdicts &verdicts) {
      NumericRun run(test);
      verdicts.ask('A', compileForGpu(run, "sm_80"));
      verdicts.ask('H', compileForGpu(run, "sm_90a"));
    });
  }
  void askHost() {
    ask([](const NumericCase &test, Verdicts &verdicts) {
      NumericRun reference(test), compiled(test, reference);
      verdicts.ask('I', reference.onReference());
      verdicts.ask('C', compiled.onCpu({}));
    });
  }

  const char *file() const { return matrix.file; }
  std::string text() const;

private:
  struct Cell {
    NumericCase test;
    std::optional<Verdicts> verdicts; ///< none if the op is rejected
    bool imports = false;             ///< into the tile dialect
  };
  template <typename Ask>
  void ask(Ask ask) {
    for (auto [row, line] : llvm::zip_equal(matrix.rows, cells))
      for (Cell &cell : line) {
        SCOPED_TRACE(row.name + " of " + cell.test.types);
        if (cell.verdicts && cell.imports)
          ask(cell.test, *cell.verdicts);
      }
  }

  Matrix matrix;
  std::vector<std::vector<Cell>> cells;
};

std::string Table::text() const {
  std::string text =
      "<!-- Made by scripts/update-docs; OpMatrixTest holds it to what the "
      "compiler says. -->\n# " +
      matrix.title;
  std::string group;
  for (auto [row, line] : llvm::zip_equal(matrix.rows, cells)) {
    if (row.group != group) {
      group = row.group;
      text += "\n## " + group + "\n\n| op |";
      for (const char *type : matrix.types)
        text += std::string(" ") + type + " |";
      text += "\n|---|";
      for (size_t column = 0; column < matrix.types.size(); ++column)
        text += "---|";
      text += '\n';
    }
    text += "| `" + row.name + "` |";
    for (const Cell &cell : line) {
      const std::string verdict = cell.verdicts ? cell.verdicts->text() : "";
      text += verdict.empty() ? (cell.verdicts ? " – |" : " |")
                              : " " + verdict + " |";
    }
    text += '\n';
  }
  return text;
}

Matrix tileMatrix() {
  return {"tile-matrix.md",
          "Which op runs on which type and target\n\n"
          "✓: the interpreter, the host and GPUs from sm_80 on. Otherwise "
          "letters: I interpreter, C host, A sm_80, H sm_90a; –: none\nof "
          "them. An empty cell is a type that the verifier rejects. Who does "
          "not run an op says so, with its name.\n",
          {"i1", "i8", "i16", "i32", "i64", "f8E4M3FN", "f8E5M2", "f16", "bf16",
           "f32", "f64"},
          opRows(),
          makeTileCase};
}

Matrix cudaTileMatrix() {
  return {"cuda-tile-matrix.md",
          "Which op of CUDA Tile IR runs on which type and target\n\n"
          "✓: the interpreter, the host and GPUs from sm_80 on. Otherwise "
          "letters: I interpreter, C host, A sm_80, H sm_90a; –: none\nof "
          "them. An empty cell is a type that the language does not have for "
          "the op. Who does not run an op says so, with its name.\n",
          {"i1", "i4", "i8", "i16", "i32", "i64", "f4E2M1FN", "f8E8M0FNU",
           "f8E5M3FNU", "f8E4M3FN", "f8E5M2", "f16", "bf16", "tf32", "f32",
           "f64"},
          cudaTileRows(),
          makeCudaTileCase};
}

TEST(OpMatrix, IsWhatTheCompilerSays) {
  Table tables[] = {Table(tileMatrix()), Table(cudaTileMatrix())};
  // GPUs first: the GPU back end does not work after the host's in one process.
  for (Table &table : tables)
    table.askGpus();
  for (Table &table : tables) {
    table.askHost();
    const std::filesystem::path path =
        test::sourceFolder() / "docs/dialects" / table.file();
    if (std::getenv("TILEGPT_UPDATE_MATRIX")) {
      std::ofstream(path) << table.text();
      continue;
    }
    std::stringstream found;
    found << std::ifstream(path).rdbuf();
    EXPECT_EQ(found.str(), table.text()) << "run scripts/update-docs";
  }
}

} // namespace
} // namespace tilegpt::numeric
