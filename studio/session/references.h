// Where entries of a scene name one another: what has to follow when something gets another name or
// goes away.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "tenon/scene/document/json.h"

namespace tenon::studio {

using scene::Json;

// What a name stands for where it is used.
enum class Named { kBody, kJoint, kCamera, kPrefab, kMaterial };

// A new name, or nothing where the name is not meant.
using NewName = std::function<std::optional<std::string>(const std::string&)>;
// Whether a name is meant.
using IsGone = std::function<bool(const std::string&)>;

// Every use of a name gets the new one: in the sections of the scene, and of prefabs and materials
// also inside of prefabs and arrays.
void rename_uses(Json& tree, Named kind, const NewName& rename);
// Takes away the entries that cannot be without what is gone, and then those that need them.
void remove_users(Json& tree, Named kind, const IsGone& gone);

// Names below an instance: "crate/lid" of "crate".
bool is_inside(const std::string& name, const std::string& instance);

}  // namespace tenon::studio
