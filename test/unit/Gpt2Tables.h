// The tables of models/gpt2.mlir, for tests without a compiler; the compiler's
// TablesTest keeps them in sync.
#ifndef TILEGPT_TEST_UNIT_GPT2TABLES_H
#define TILEGPT_TEST_UNIT_GPT2TABLES_H

#include "SourceFolder.h"
#include "TileGPT/Runtime/Config/ModelTables.h"
#include <fstream>
#include <iterator>

namespace tilegpt::test {

inline std::string gpt2TablesJson() {
  std::ifstream file(sourceFolder() / "test/data/tables/gpt2.json");
  std::string text{std::istreambuf_iterator<char>(file), {}};
  return text.substr(0, text.find('\n'));
}

inline const runtime::ModelTables &gpt2Tables() {
  static const runtime::ModelTables tables =
      runtime::ModelTables::parse(gpt2TablesJson(), "gpt2.json").value();
  return tables;
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_GPT2TABLES_H
