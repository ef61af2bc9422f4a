// --set path=value: path := step { '.' name | '[' index-or-"name" ']' }, where a name inside a list
// means the entry that has it as its "name".
#include <cmath>

#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/formats/scene_text.h"

namespace tenon::scene {
namespace {

struct Step {
  std::string name;
  bool bracket = false;  // [3]
  size_t index = 0;
};

Error refuse(std::string_view text, std::string message, std::string accepted = "") {
  Error e;
  e.file = "--set " + std::string(text);
  e.message = std::move(message);
  e.accepted = std::move(accepted);
  return e;
}

// [3] or ["ball"]; `at` stands on the bracket.
bool parse_bracket(std::string_view path, size_t& at, Step& step) {
  ++at;
  if (at < path.size() && path[at] == '"') {
    const size_t close = path.find("\"]", at + 1);
    if (close == path.npos) return false;
    step.name = path.substr(at + 1, close - at - 1);
    at = close + 2;
    return true;
  }
  const size_t close = path.find(']', at);
  if (close == path.npos || close == at || close - at > 9) return false;
  for (; at < close; ++at) {
    if (path[at] < '0' || path[at] > '9') return false;
    step.index = 10 * step.index + static_cast<size_t>(path[at] - '0');
  }
  step.bracket = true;
  at = close + 1;
  return true;
}

bool parse_path(std::string_view path, std::vector<Step>& steps) {
  for (size_t at = 0; at < path.size();) {
    Step step;
    if (path[at] == '[') {
      if (!parse_bracket(path, at, step)) return false;
    } else {
      if (at > 0 && path[at] == '.') ++at;
      const size_t end = std::min(path.find_first_of(".[", at), path.size());
      if (end == at) return false;
      step.name = path.substr(at, end - at);
      at = end;
    }
    steps.push_back(std::move(step));
  }
  return !steps.empty() && steps.size() <= 32;
}

void mark(Json& json, Place place) {
  json.place = place;
  for (Json& item : json.items) mark(item, place);
  for (JsonMember& member : json.members) {
    member.place = place;
    mark(member.value, place);
  }
}

// JSON if it is that, otherwise text: so 3, true, [1, 2, 3], "x" and 1/120 all work unquoted.
Json parse_override_value(std::string_view text) {
  ParsedJson parsed = parse_json(text, "");
  if (parsed.complete && parsed.errors.empty()) return std::move(parsed.root);
  return Json(std::string(text));
}

Json* find_in_list(Json& list, const Step& step, std::vector<std::string>& names) {
  if (step.bracket) return step.index < list.items.size() ? &list.items[step.index] : nullptr;
  for (Json& item : list.items) {
    const Json* name = item.find("name");
    if (!name || !name->is_string()) continue;
    if (name->string == step.name) return &item;
    names.push_back(name->string);
  }
  return nullptr;
}

// The value one step down; members of objects are made as needed, entries of lists are not.
Json* descend(Json& json, const Step& step, Place place, std::string& trouble) {
  if (json.is_object() && !step.bracket) {
    if (Json* member = json.find(step.name)) return member;
    json.members.push_back({step.name, Json(), place});
    json.members.back().value.place = place;
    return &json.members.back().value;
  }
  if (json.is_array()) {
    std::vector<std::string> names;
    if (Json* item = find_in_list(json, step, names)) return item;
    trouble = step.bracket
                  ? "there is no entry [" + std::to_string(step.index) + "]; the list has " +
                        std::to_string(json.items.size())
                  : "there is no entry named '" + step.name + "'" + did_you_mean(step.name, names);
    return nullptr;
  }
  const std::string what = step.bracket ? "[" + std::to_string(step.index) + "]" : step.name;
  trouble = json.is_null() ? "it is not given in the file, so there is no entry " + what +
                                 " to change: set all of it"
                           : "there is no entry " + what + " in this " + name(json.kind);
  return nullptr;
}

}  // namespace

Status apply_override(Json& root, std::string_view text, size_t index) {
  const size_t equals = text.find('=');
  std::vector<Step> steps;
  if (equals == text.npos || !parse_path(text.substr(0, equals), steps)) {
    return refuse(text, "malformed override",
                  "path=value, such as world.step=1/120 or bodies.ball.position[1]=2");
  }
  const Place place{-static_cast<int>(index) - 1, 1};
  Json value = parse_override_value(text.substr(equals + 1));
  mark(value, place);
  // on a copy: a refused override leaves no trace
  Json changed = root;
  Json* target = &changed;
  std::string walked;
  for (const Step& step : steps) {
    // an object that is not there yet
    if (target->is_null() && target->place.line < 0 && !step.bracket) {
      *target = Json::object();
      target->place = place;
    }
    std::string trouble;
    Json* next = descend(*target, step, place, trouble);
    if (!next) {
      return refuse(text, (walked.empty() ? "" : walked + ": ") + trouble,
                    "entries that stand in the file; those made by arrays and instances are "
                    "changed through parameters");
    }
    walked += step.bracket ? "[" + std::to_string(step.index) + "]"
                           : (walked.empty() ? "" : ".") + step.name;
    target = next;
  }
  *target = std::move(value);
  root = std::move(changed);
  return Ok{};
}

}  // namespace tenon::scene
