// The result type of everything that can fail in the runtime half and in the
// bundle. An error is one line for a person plus a code that decides the exit
// code of a tool.
#ifndef TILEGPT_RUNTIME_ERROR_H
#define TILEGPT_RUNTIME_ERROR_H

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace tilegpt::runtime {

/// What kind of thing went wrong. The first five values are the exit codes the
/// tools document.
enum class ErrorCode : int {
  Failure = 1,  ///< compiling or running failed
  Usage = 2,    ///< a flag or an option that makes no sense
  BadInput = 3, ///< a file (model, weights, tokenizer, bundle) that is broken
                ///< or does not fit
  Device = 4,   ///< device, memory, missing CPU feature
  Mismatch = 5, ///< a comparison with expected results failed
  /// A request past a capacity, e.g. of the KV cache; nothing was changed.
  /// Tools exit with Failure.
  OutOfRange = 6,
};

/// The exit code a tool ends with after an error of this kind.
constexpr int exitCode(ErrorCode code) {
  return code == ErrorCode::OutOfRange ? int(ErrorCode::Failure) : int(code);
}

/// One line in the house style: lower case, no final stop; says expected,
/// found, where and what to do.
struct Error {
  ErrorCode code = ErrorCode::Failure;
  std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;

/// `return makeError(ErrorCode::BadInput, "…");` converts to any Result<T>.
[[nodiscard]] inline tl::unexpected<Error> makeError(ErrorCode code,
                                                     std::string message) {
  return tl::unexpected<Error>(Error{code, std::move(message)});
}

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_ERROR_H
