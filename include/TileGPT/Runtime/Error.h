// The result type of all functions of the runtime and the bundle that can fail.
// An error is a one-line message and a code that determines the exit code of a
// tool.
#ifndef TILEGPT_RUNTIME_ERROR_H
#define TILEGPT_RUNTIME_ERROR_H

#include <cstdio>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <type_traits>

namespace tilegpt::runtime {

/// Kinds of errors. The first five values are the documented exit codes of the
/// tools.
enum class ErrorCode : int {
  Failure = 1,  ///< compilation or execution failed
  Usage = 2,    ///< an invalid flag or option
  BadInput = 3, ///< a file (model, weights, tokenizer, bundle) that is
                ///< malformed or does not match
  Device = 4,   ///< device, memory, missing CPU feature
  Mismatch = 5, ///< a comparison with expected results failed
  /// A request that exceeds a capacity, e.g. of the KV cache; nothing was
  /// changed. Tools exit with Failure.
  OutOfRange = 6,
};

/// The exit code of a tool after an error of this kind.
constexpr int exitCode(ErrorCode code) {
  return code == ErrorCode::OutOfRange ? int(ErrorCode::Failure) : int(code);
}

/// One line in lower case without a final period, which states what was
/// expected and found, where, and what to do.
struct Error {
  ErrorCode code = ErrorCode::Failure;
  std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// Concatenates strings and numbers. Doubles are formatted with %g.
template <typename... Parts>
std::string concat(const Parts &...parts) {
  std::string text;
  const auto append = [&text](const auto &part) {
    using Part = std::remove_cvref_t<decltype(part)>;
    static_assert(!std::is_same_v<Part, char>, "write a string, not a char");
    if constexpr (std::is_floating_point_v<Part>) {
      char digits[32];
      text.append(digits, size_t(std::snprintf(digits, sizeof(digits), "%g",
                                               double(part))));
    } else if constexpr (std::is_integral_v<Part>) {
      text += std::to_string(part);
    } else {
      text += part;
    }
  };
  (append(parts), ...);
  return text;
}

/// `return makeError(ErrorCode::BadInput, "expected ", 2, ", got ", 3);`
/// converts to any Result<T>.
template <typename... Parts>
[[nodiscard]] tl::unexpected<Error> makeError(ErrorCode code,
                                              const Parts &...parts) {
  return tl::unexpected<Error>(Error{code, concat(parts...)});
}

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ERROR_H
