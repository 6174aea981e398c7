// Parses the report line by line. ptxas separates facts by commas and puts the
// number first: "Used 168 registers, used 9 barriers, 72 bytes smem".
#include "TileGPT/Target/NVVM/PtxasReport.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

using namespace tilegpt;
using namespace tilegpt::target;
using llvm::StringRef;

/// The rest of a line after "ptxas KIND :", or nothing.
static std::optional<StringRef> messageOf(StringRef line, StringRef kind) {
  if (!line.consume_front("ptxas ") || !line.consume_front(kind))
    return std::nullopt;
  line = line.ltrim();
  if (!line.consume_front(":"))
    return std::nullopt;
  return line.trim();
}

/// Adds one fact, such as "8 bytes spill loads" or "used 1 barriers".
static void readFact(StringRef fact, PtxasReport &report) {
  fact = fact.trim();
  if (!fact.consume_front("Used "))
    fact.consume_front("used ");
  unsigned number;
  if (fact.consumeInteger(10, number))
    return;
  const StringRef what = fact.trim();
  if (what == "registers")
    report.registers = std::max(report.registers, number);
  else if (what == "barriers")
    report.barriers = std::max(report.barriers, number);
  else if (what == "bytes smem")
    report.sharedBytes = std::max(report.sharedBytes, number);
  else if (what == "bytes stack frame")
    report.stackBytes += number;
  else if (what == "bytes spill stores")
    report.spillStoreBytes += number;
  else if (what == "bytes spill loads")
    report.spillLoadBytes += number;
}

PtxasReport target::parsePtxasReport(StringRef text) {
  PtxasReport report;
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    if (line.contains("Compile time = "))
      continue;
    report.text += (line + "\n").str();
    const std::optional<StringRef> warning = messageOf(line, "warning");
    const std::optional<StringRef> info = messageOf(line, "info");
    if (warning || (info && info->starts_with("(C"))) {
      report.remarks.push_back((warning ? *warning : *info).str());
      continue;
    }
    llvm::SmallVector<StringRef> facts;
    info.value_or(line).split(facts, ',');
    for (StringRef fact : facts)
      readFact(fact, report);
  }
  return report;
}

std::vector<std::string>
target::performanceProblems(const PtxasReport &report) {
  std::vector<std::string> problems;
  if (report.spillStoreBytes || report.spillLoadBytes)
    problems.push_back(
        (llvm::Twine(report.spillStoreBytes) + " bytes of spill stores and " +
         llvm::Twine(report.spillLoadBytes) + " of spill loads at " +
         llvm::Twine(report.registers) + " registers")
            .str());
  else if (report.stackBytes)
    problems.push_back(
        (llvm::Twine(report.stackBytes) + " bytes of stack frame").str());
  for (const std::string &remark : report.remarks)
    if (StringRef(remark).starts_with("(C75"))
      problems.push_back(remark);
  return problems;
}
