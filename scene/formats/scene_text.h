// Scene text <-> document: what programs call. Functions take text and the name to show for it in
// messages; reading files is the caller's business. The format: docs/scene-format.md.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tenon/engine/base/result.h"
#include "tenon/scene/document/document.h"
#include "tenon/scene/formats/json_text.h"

namespace tenon::scene {

struct LoadOptions {
  // "world.step=1/120", "bodies.ball.mass=3", "parameters.n=20", "bodies[3].position[1]=2": applied
  // to the tree before it is decoded, in this order.
  std::vector<std::string> overrides;
  JsonLimits json;
  size_t max_bodies = 1'000'000;  // after expansion
  size_t max_errors = 100;        // then reading stops
};

struct LoadResult {
  Document document;            // as written: prefabs, instances and arrays unexpanded
  Document flat;                // expanded (see document.h), ready to build a world from
  std::vector<Error> errors;    // all mistakes, in the order of the text where that is possible
  std::vector<Error> warnings;  // the scene works, but hardly as meant
  bool ok() const { return errors.empty(); }
};

// Reads, checks and expands. When there are errors the documents hold what could be read.
LoadResult load_scene(std::string_view text, std::string_view file,
                      const LoadOptions& options = {});

// The same checks, changes and expansion for a document made by a program.
LoadResult check_scene(const Document& document, const LoadOptions& options = {});

// The flat document, or the first error.
Result<Document> expand(const Document& document, const LoadOptions& options = {});

// Text that loads to an equal document. Defaults are left out; comments and expressions of plain
// entries are not kept (their SI values are).
std::string save_scene(const Document& document);
Json encode(const Document& document);

// The JSON Schema (draft 7) of the format; docs/scene.schema.json is this text. It takes strict
// JSON: strip comments and trailing commas first (format_json(parse_json(text).root) does).
std::string scene_schema();

// Applies one override to a tree. `index` marks the new values' places, see Reader.
Status apply_override(Json& root, std::string_view text, size_t index = 0);

}  // namespace tenon::scene
