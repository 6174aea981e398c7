// Classifies the opcode of each line.
#include "InstructionFamilies.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace tilegpt::test {

/// The opcode with its modifiers, "ld.global.nc.v4.b32", without a leading
/// predicate or brace.
static StringRef opcodeOf(StringRef line) {
  line = line.trim(" \t{");
  if (line.starts_with("@"))
    line = line.drop_until([](char c) { return c == ' ' || c == '\t'; }).trim();
  return line.take_until([](char c) { return c == ' ' || c == '\t'; });
}

static bool movesSixteenBytes(StringRef opcode) {
  return opcode.contains(".v4.b32") || opcode.contains(".v4.f32") ||
         opcode.contains(".v2.b64");
}

unsigned familiesOf(StringRef ptx) {
  unsigned found = None;
  for (StringRef line : llvm::split(ptx, '\n')) {
    const StringRef opcode = opcodeOf(line);
    if (opcode.starts_with("wgmma.mma_async"))
      found |= Wgmma | TensorCores;
    else if (opcode.starts_with("mma.sync"))
      found |= MmaSync | TensorCores;
    else if (opcode.starts_with("cp.async.bulk.tensor"))
      found |= Tma | WideReads;
    else if (opcode.starts_with("cp.async.cg"))
      found |= CpAsync | WideReads;
    else if (opcode.starts_with("ld.global") && movesSixteenBytes(opcode))
      found |= WideLoads | WideReads;
    else if (opcode.starts_with("st.global") && movesSixteenBytes(opcode))
      found |= WideStores;
  }
  return found;
}

std::string describeFamilies(unsigned families) {
  static constexpr std::pair<Family, const char *> names[] = {
      {Wgmma, "wgmma"},
      {MmaSync, "mma.sync"},
      {TensorCores, "tensor cores"},
      {Tma, "TMA"},
      {CpAsync, "cp.async"},
      {WideLoads, "16-byte loads"},
      {WideReads, "16-byte reads"},
      {WideStores, "16-byte stores"}};
  std::vector<StringRef> words;
  for (auto [family, name] : names)
    if (families & family)
      words.push_back(name);
  return llvm::join(words, ", ");
}

} // namespace tilegpt::test
