// The name under which host code exports a kernel.
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

} // namespace tilegpt::bundle

#endif // TILEGPT_BUNDLE_ENTRYSYMBOL_H
