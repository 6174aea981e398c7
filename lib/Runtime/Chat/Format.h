// Texts with values in them, as Python's % and str.format() write them.
#ifndef TILEGPT_LIB_RUNTIME_CHAT_FORMAT_H
#define TILEGPT_LIB_RUNTIME_CHAT_FORMAT_H

#include "TileGPT/Runtime/Error.h"
#include "Value.h"
#include <functional>

namespace tilegpt::runtime::chat {

/// `text % value`: a tuple has one value for each `%s`, a map those of
/// `%(name)s`.
/// \returns BadInput for too few or too many values, and values of other types
/// than the conversion expects.
Result<std::string> interpolate(std::string_view text, const Value &value);

/// `text.format(…)`. \param field  the value of a field such as `0`, `name` or
/// `0.name[1]`; an empty one is numbered before.
Result<std::string>
formatFields(std::string_view text,
             const std::function<Value(std::string_view)> &field);

/// Pads with `fill` to a number of characters; `align` is one of `<`, `>` and
/// `^`.
std::string padded(std::string_view text, size_t width, char align,
                   std::string_view fill = " ");

} // namespace tilegpt::runtime::chat

#endif // TILEGPT_LIB_RUNTIME_CHAT_FORMAT_H
