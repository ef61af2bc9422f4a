// Bytes as text.
#pragma once

#include <string>

namespace tenon::exports {

// RFC 4648, section 4, with padding.
std::string base64(const std::string& bytes);

}  // namespace tenon::exports
