// A function of the math dialect, expanded as for GPU code and compiled for the
// host.
#ifndef TILEGPT_TEST_UNIT_CONVERSION_DEVICEMATH_FUNCTIONONHOST_H
#define TILEGPT_TEST_UNIT_CONVERSION_DEVICEMATH_FUNCTIONONHOST_H

#include "TileGPT/Runtime/Cpu/HostImage.h"
#include <optional>
#include <string>

namespace tilegpt::test {

class FunctionOnHost {
public:
  /// \param name  of the op: "math.sin".
  /// \param type  "f32" or "f64".
  /// Fails the running test if the function does not compile.
  void compile(const std::string &name, const std::string &type, bool isBinary);

  /// result[i] = f(x[i], y[i]) for i < count; elements have the function's
  /// type.
  void apply(const void *x, const void *y, void *result, size_t count) const;

private:
  std::optional<cpu::HostImage> image;
  cpu::KernelFunction function = nullptr;
};

} // namespace tilegpt::test

#endif // TILEGPT_TEST_UNIT_CONVERSION_DEVICEMATH_FUNCTIONONHOST_H
