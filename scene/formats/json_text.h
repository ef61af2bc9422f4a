// JSON text <-> value tree, with // and /* */ comments and trailing commas.
// Our own reader rather than nlohmann-json: scene errors need the line and column of every value
// (it keeps none), all mistakes of a file at once (it stops at the first), and no exceptions in the
// WebAssembly build (it throws).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/scene/document/json.h"

namespace tenon::scene {

struct JsonLimits {
  size_t max_bytes = 64u << 20;  // one value takes about a hundred bytes of memory
  int max_depth = 100;           // nested lists and objects; scenes need about ten
  size_t max_errors = 100;
};

struct ParsedJson {
  Json root;
  // The text was read to its end. Mistakes inside a value (a bad escape, NaN, a double key, a
  // missing comma) leave a complete tree behind, so that the checks after this one still run;
  // mistakes of structure do not.
  bool complete = false;
  std::vector<Error> errors;
};

// `file` is only used in the errors. Never fails otherwise, whatever the bytes.
ParsedJson parse_json(std::string_view text, std::string_view file, const JsonLimits& limits = {});

// Pretty text: two spaces, lists of plain values on one line when they fit in 100 columns, numbers
// in the shortest form that reads back equal. Ends with a newline.
std::string format_json(const Json& json);

// One line without spaces to spare, cut with "..." after `max_length` characters: for messages.
std::string format_short(const Json& json, size_t max_length = 60);

// A JSON string literal with its quotes.
std::string quote(std::string_view text);

// The same value as strict JSON text on one line, for tools that know no comments.
std::string format_compact(const Json& json);

}  // namespace tenon::scene
