// Base64 (RFC 4648), in which JSON files hold bytes.
#ifndef TILEGPT_RUNTIME_DATA_BASE64_H
#define TILEGPT_RUNTIME_DATA_BASE64_H

#include <optional>
#include <string>
#include <string_view>

namespace tilegpt::runtime {

/// The bytes of a base64 text, or nothing if it is malformed.
std::optional<std::string> decodeBase64(std::string_view text);

} // namespace tilegpt::runtime

#endif // TILEGPT_RUNTIME_DATA_BASE64_H
