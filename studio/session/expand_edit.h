// Arrays and prefabs of a scene become the entries they stand for.
#pragma once

#include <string>

#include "tenon/engine/base/result.h"
#include "tenon/scene/document/json.h"

namespace tenon::studio {

using scene::Json;

// The scene without arrays and prefabs. What was written for itself stays as it was written, with
// its units and expressions; the rest is what it comes to in this scene. Error: it has mistakes.
Result<Json> expand_scene(const Json& tree);

// The same of one instance alone; its entries keep the name of the instance before their own.
Result<Json> expand_instance(const Json& tree, const std::string& instance);

// Operations that take the name of an instance from its entries where the rest of it is free, for
// the scene in which it is expanded.
Result<Json> plain_names(const Json& tree, const std::string& instance);

}  // namespace tenon::studio
