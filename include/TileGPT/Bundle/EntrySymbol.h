// The names under which code exports a kernel.
#ifndef TILEGPT_BUNDLE_ENTRYSYMBOL_H
#define TILEGPT_BUNDLE_ENTRYSYMBOL_H

#include <string>
#include <string_view>

namespace tilegpt::bundle {

/// The dot keeps kernels apart from every function of libc and libm that host
/// code may call: a kernel may be called `exp`.
inline std::string entrySymbol(std::string_view kernel) {
  return "kernel." + std::string(kernel);
}

/// The same for device code: PTX allows letters, digits, `_` and `$` in a name.
/// Kernels may share one, since every device image holds one kernel.
inline std::string deviceSymbol(std::string_view kernel) {
  std::string symbol = entrySymbol(kernel);
  for (char &c : symbol)
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
          (c >= '0' && c <= '9') || c == '$'))
      c = '_';
  return symbol;
}

} // namespace tilegpt::bundle

#endif // TILEGPT_BUNDLE_ENTRYSYMBOL_H
