// Chains of launches as the text of a function, for tests of fusion by rule.
#ifndef TILEGPT_TEST_UNIT_LAUNCHCHAIN_H
#define TILEGPT_TEST_UNIT_LAUNCHCHAIN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include <string>
#include <vector>

namespace tilegpt::test {

/// One launch of a chain. Ins and outs are types ("tensor<?x768xbf16>",
/// "f32"). The in "^" is the first result of the preceding launch, "^1" its
/// second, "%a0" the function's first argument again, "f32=0.5" a constant. The
/// out "&tensor<…>" is an argument that the launch updates in place; the
/// function returns its result.
struct ChainLaunch {
  std::string kernel;
  std::vector<std::string> ins, outs;
  /// Whether the function returns the first result.
  bool isKept = false;
};

/// Whether an in is an operand of its own, not a result of the preceding launch
/// or an argument declared before.
inline bool isOwnOperand(llvm::StringRef in) {
  return !in.starts_with("^") && !in.starts_with("%");
}

/// A function with a chain of launches. Its arguments are, launch by launch,
/// the ins that are operands of their own, except constants, then the outs
/// updated in place; after them the outs of the last launch. Other tensors have
/// as many rows as the first of these.
/// \param attributes  "{tile.rows = array<i64: 1, 16>}"
inline std::string functionOfChain(llvm::StringRef name,
                                   llvm::ArrayRef<ChainLaunch> chain,
                                   llvm::StringRef attributes) {
  const auto join = [](llvm::ArrayRef<std::string> words) {
    return llvm::join(words, ", ");
  };
  std::vector<std::string> declared, declaredTypes, kept, keptTypes;
  const auto declare = [&](llvm::StringRef type) {
    const std::string name = "%a" + std::to_string(declared.size());
    declared.push_back(name + ": " + type.str());
    declaredTypes.push_back(type.str());
    return name;
  };
  std::string constants, body, made;
  std::vector<std::string> madeTypes;
  int numConstants = 0;
  const auto define = [&](llvm::StringRef type, llvm::StringRef value) {
    const std::string name = "%k" + std::to_string(numConstants++);
    constants += "  " + name + " = arith.constant " + value.str() + " : " +
                 type.str() + "\n";
    return name;
  };
  for (auto [number, launch] : llvm::enumerate(chain)) {
    std::vector<std::string> ins, outs, types, outTypes;
    for (llvm::StringRef in : launch.ins) {
      size_t place = 0;
      if (in.consume_front("^")) {
        in.getAsInteger(10, place);
        ins.push_back(made + "#" + std::to_string(place));
        types.push_back(madeTypes[place]);
      } else if (in.consume_front("%a")) {
        in.getAsInteger(10, place);
        ins.push_back("%a" + in.str());
        types.push_back(declaredTypes[place]);
      } else {
        auto [type, value] = in.split('=');
        ins.push_back(value.empty() ? declare(type) : define(type, value));
        types.push_back(type.str());
      }
    }
    const std::string result = "%r" + std::to_string(number);
    for (auto [place, out] : llvm::enumerate(launch.outs)) {
      llvm::StringRef type = out;
      const bool isUpdated = type.consume_front("&");
      types.push_back(type.str());
      outTypes.push_back(type.str());
      if (isUpdated) {
        kept.push_back(result + "#" + std::to_string(place));
        keptTypes.push_back(type.str());
      }
      if (isUpdated || number + 1 == chain.size()) {
        outs.push_back(declare(type));
        continue;
      }
      outs.push_back("%e" + std::to_string(number) + "_" +
                     std::to_string(place));
      body += "  " + outs.back() + " = tensor.empty(" +
              (type.contains('?') ? "%n" : "") + ") : " + type.str() + "\n";
    }
    made = result;
    madeTypes = outTypes;
    body += "  " + result + ":" + std::to_string(outs.size()) +
            " = tile.launch @" + launch.kernel + " ins(" + join(ins) +
            ") outs(" + join(outs) + ") : (" + join(types) + ") -> (" +
            join(outTypes) + ")\n";
    if (launch.isKept) {
      kept.push_back(result + "#0");
      keptTypes.push_back(outTypes[0]);
    }
  }
  const size_t out = declared.size() - chain.back().outs.size();
  std::string sizes;
  if (llvm::StringRef(declaredTypes[out]).contains('?'))
    sizes = "  %c0 = arith.constant 0 : index\n  %n = tensor.dim %a" +
            std::to_string(out) + ", %c0 : " + declaredTypes[out] + "\n";
  return "func.func @" + name.str() + "(" + join(declared) + ") -> (" +
         join(keptTypes) + ") attributes " + attributes.str() + " {\n" + sizes +
         constants + body + "  return " + join(kept) +
         (kept.empty() ? "" : " : " + join(keptTypes)) + "\n}\n";
}

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_LAUNCHCHAIN_H
