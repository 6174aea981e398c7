// Launches one behind the other as the text of a function, for what is fused
// by rule.
#ifndef TILEGPT_TEST_UNIT_LAUNCHCHAIN_H
#define TILEGPT_TEST_UNIT_LAUNCHCHAIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include <string>
#include <vector>

namespace tilegpt::test {

/// One launch of a chain. Ins and outs are types ("tensor<?x768xbf16>",
/// "f32"); the in "^" is what the launch in front makes, "f32=0.5" a constant.
struct ChainLaunch {
  std::string kernel;
  std::vector<std::string> ins, outs;
  /// Whether the function returns what the launch makes.
  bool isKept = false;
};

/// A function of a chain. Its arguments are the ins in order, but for "^" and
/// constants, then the outs of the last launch. The rows of tensors in between
/// are those of the first of these outs.
/// \param attributes  "{tile.rows = array<i64: 1, 16>}"
inline std::string functionOfChain(llvm::StringRef name,
                                   llvm::ArrayRef<ChainLaunch> chain,
                                   llvm::StringRef attributes) {
  const auto join = [](llvm::ArrayRef<std::string> words) {
    return llvm::join(words, ", ");
  };
  std::vector<std::string> declared, kept, keptTypes;
  const auto declare = [&](const std::string &type) {
    declared.push_back("%a" + std::to_string(declared.size()) + ": " + type);
    return llvm::StringRef(declared.back()).split(':').first.str();
  };
  std::string constants, body, made;
  int numConstants = 0;
  const auto define = [&](llvm::StringRef type, llvm::StringRef value) {
    const std::string name = "%k" + std::to_string(numConstants++);
    constants += "  " + name + " = arith.constant " + value.str() + " : " +
                 type.str() + "\n";
    return name;
  };
  for (auto [number, launch] : llvm::enumerate(chain)) {
    std::vector<std::string> ins, outs, types;
    for (const std::string &type : launch.ins) {
      auto [name, value] = llvm::StringRef(type).split('=');
      ins.push_back(type == "^"     ? made
                    : value.empty() ? declare(type)
                                    : define(name, value));
      types.push_back(type == "^" ? chain[number - 1].outs[0] : name.str());
    }
    for (auto [place, type] : llvm::enumerate(launch.outs)) {
      types.push_back(type);
      if (number + 1 == chain.size()) {
        outs.push_back(declare(type));
        continue;
      }
      outs.push_back("%e" + std::to_string(number) + "_" +
                     std::to_string(place));
      const bool isOpen = llvm::StringRef(type).contains('?');
      body += "  " + outs.back() + " = tensor.empty(" + (isOpen ? "%n" : "") +
              ") : " + type + "\n";
    }
    const std::string result = "%r" + std::to_string(number);
    made = result + "#0";
    body += "  " + result + ":" + std::to_string(outs.size()) +
            " = tile.launch @" + launch.kernel + " ins(" + join(ins) +
            ") outs(" + join(outs) + ") : (" + join(types) + ") -> (" +
            join(launch.outs) + ")\n";
    if (launch.isKept) {
      kept.push_back(made);
      keptTypes.push_back(launch.outs[0]);
    }
  }
  const size_t lastOuts = chain.back().outs.size();
  const std::string &out = declared[declared.size() - lastOuts];
  std::string sizes;
  if (llvm::StringRef(out).contains('?'))
    sizes = "  %c0 = arith.constant 0 : index\n  %n = tensor.dim " +
            llvm::StringRef(out).split(':').first.str() +
            ", %c0 : " + chain.back().outs[0] + "\n";
  return "func.func @" + name.str() + "(" + join(declared) + ") -> (" +
         join(keptTypes) + ") attributes " + attributes.str() + " {\n" + sizes +
         constants + body + "  return " + join(kept) +
         (kept.empty() ? "" : " : " + join(keptTypes)) + "\n}\n";
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_LAUNCHCHAIN_H
