// Escape sequences of a prompt given on the command line (-e).
#ifndef TILEGPT_TOOLS_RUN_ESCAPES_H
#define TILEGPT_TOOLS_RUN_ESCAPES_H

#include <string>
#include <string_view>

namespace tilegpt::run {

/// Replaces \n \r \t \' \" \\ and \xHH (one byte, two hexadecimal digits); a
/// backslash before anything else stays as it is.
std::string unescape(std::string_view text);

} // namespace tilegpt::run

#endif // TILEGPT_TOOLS_RUN_ESCAPES_H
