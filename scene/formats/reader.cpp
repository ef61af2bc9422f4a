#include "tenon/scene/formats/reader.h"

#include <cmath>

#include "tenon/engine/math/elementary.h"
#include "tenon/scene/formats/did_you_mean.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/number_text.h"

namespace tenon::scene {

const Scope Reader::kNothing;

// --- mistakes -----------------------------------------------------------------------------------

Error Reader::locate(Place place, std::string message, std::string value,
                     std::string accepted) const {
  Error e{std::move(message), file_, place.line, place.column, std::move(value),
          std::move(accepted)};
  if (place.line < 0) {
    const auto index = static_cast<size_t>(-place.line - 1);
    e.file = "--set " + (index < overrides_.size() ? overrides_[index] : std::string());
    e.line = e.column = 0;
  }
  // which round of the loops it was
  std::string rounds;
  for (const Scope* loop : loops) {
    for (const auto& [name, quantity] : loop->own()) {
      rounds += (rounds.empty() ? " (with " : ", ") + name + " = " + format_number(quantity.value);
    }
  }
  if (!rounds.empty()) e.message += rounds + ")";
  return e;
}

void Reader::error(Place place, std::string message, std::string value, std::string accepted) {
  ++error_count_;
  if (muted || full() || broken_.count({place.line, place.column})) return;
  // a mistake inside an array is one mistake, however many rounds meet it
  if (place.line != 0 && !seen_.insert({place.line, place.column, message}).second) return;
  errors_.push_back(locate(place, std::move(message), std::move(value), std::move(accepted)));
}

void Reader::error(const Json& json, std::string message, std::string accepted) {
  error(json.place, std::move(message), format_short(json), std::move(accepted));
}

void Reader::warn(Place place, std::string message, std::string value, std::string accepted) {
  if (muted || warnings_.size() >= max_errors_) return;
  if (place.line != 0 && !seen_.insert({place.line, place.column, message}).second) return;
  warnings_.push_back(locate(place, std::move(message), std::move(value), std::move(accepted)));
}

void Reader::adopt(std::vector<Error> errors) {
  for (Error& e : errors) {
    broken_.insert({e.line, e.column});
    errors_.push_back(std::move(e));
    ++error_count_;
  }
}

void Reader::require_known(const std::string& word, const std::vector<std::string>& known,
                           const Json& json, const char* what) {
  for (const std::string& candidate : known) {
    if (candidate == word) return;
  }
  std::string list;
  for (size_t i = 0; i < known.size() && list.size() < 120; ++i) {
    list += (i ? ", " : "") + known[i];
  }
  error(json.place, std::string("unknown ") + what + " '" + word + "'" + did_you_mean(word, known),
        format_short(json), known.empty() ? std::string("none is defined in this scene") : list);
}

// --- numbers ------------------------------------------------------------------------------------

std::string describe(const Spec& spec) {
  std::string text = spec.integer ? "a whole number" : describe(spec.dimension);
  const bool low = std::isfinite(spec.min) && std::fabs(spec.min) < 1e12;
  const bool high = std::isfinite(spec.max) && std::fabs(spec.max) < 1e12;
  const std::string unit = spec.dimension.none() ? "" : " " + format_unit(spec.dimension);
  if (low && high) {
    text += " from " + format_number(spec.min) + " to " + format_number(spec.max) + unit;
  } else if (low) {
    text += (spec.above_min ? " above " : " of at least ") + format_number(spec.min) + unit;
  } else if (high) {
    text += " of at most " + format_number(spec.max) + unit;
  }
  return text;
}

bool Reader::read_quantity(const Json& json, Quantity& out, std::string_view name) {
  if (json.is_number() && !std::isfinite(json.number)) {
    error(json, std::string(name) + " must be a finite number");
    return false;
  }
  if (json.is_number()) {
    out = {json.number, kNumber};
    return true;
  }
  if (!json.is_string()) {
    error(
        json,
        std::string(name) + " must be a number, not " + with_article(tenon::scene::name(json.kind)),
        "a number or an expression in quotes");
    return false;
  }
  Evaluation e = evaluate(json.string, *scope);
  if (!e.ok) {
    // the column inside the string; an escape in the string would shift it, none is ever needed
    Place place = json.place;
    if (place.column > 0) {
      ++place.column;
      for (char c : std::string_view(json.string).substr(0, e.offset)) {
        place.column += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
      }
    }
    if (!broken_.count({json.place.line, json.place.column})) {
      error(place, std::string(name) + ": " + e.message, format_short(json), e.accepted);
    }
    return false;
  }
  out = e.value;
  return true;
}

bool Reader::in_range(const Json& json, double value, const Spec& spec, std::string_view name) {
  if (spec.integer && value != std::floor(value)) {
    error(json, std::string(name) + " must be a whole number", describe(spec));
    return false;
  }
  const bool low = spec.above_min ? !(value > spec.min) : !(value >= spec.min);
  if (!low && value <= spec.max) return true;
  std::string message(name);
  if ((spec.min > 0 || (spec.min == 0 && spec.above_min)) && !(value > 0)) {
    message += " must be above 0";
  } else {
    message += low ? " is too small" : " is too large";
  }
  error(json, std::move(message), describe(spec));
  return false;
}

// Whether a quantity may stand for the value; "2 mm/rev" is a pitch of 2 mm per turn, which is
// 0.32 mm/rad.
bool Reader::fit(Quantity& q, const Spec& spec) const {
  constexpr Dimension kPerAngle{1, 0, 0, -1}, kAngleOver{-1, 0, 0, 1}, kOverLength{-1, 0, 0, 0};
  if (spec.is_pitch && q.dimension == kPerAngle) {
    q.value *= 2 * kPi;
    return true;
  }
  if (spec.is_ratio) {
    for (const Dimension& d : {kLength, kPerAngle, kAngleOver, kOverLength}) {
      if (q.dimension == d) return true;
    }
  }
  return fits(q.dimension, spec.dimension);
}

bool Reader::read(const Json& json, double& out, const Spec& general, std::string_view name) {
  Spec spec = general;
  if (spec.is_per_axis && turning) spec.dimension = turned(spec.dimension);
  Quantity q;
  if (!read_quantity(json, q, name)) return false;
  if (!fit(q, spec)) {
    error(json,
          std::string(name) + " must be " + describe(spec.dimension) + ", this is " +
              describe(q.dimension),
          example_of(spec.dimension));
    return false;
  }
  if (!in_range(json, q.value, spec, name)) return false;
  out = q.value;
  return true;
}

bool Reader::read(const Json& json, uint64_t& out, const Spec& spec, std::string_view name) {
  double value = 0;
  if (!read(json, value, spec, name)) return false;
  out = static_cast<uint64_t>(value);
  return true;
}

bool Reader::read(const Json& json, int& out, const Spec& spec, std::string_view name) {
  double value = 0;
  if (!read(json, value, spec, name)) return false;
  out = static_cast<int>(value);
  return true;
}

bool Reader::read(const Json& json, bool& out, const Spec&, std::string_view name) {
  if (json.is_bool()) {
    out = json.boolean;
    return true;
  }
  Quantity q;
  if (json.is_string() && read_quantity(json, q, name)) {
    out = q.value != 0;
    return true;
  }
  if (!json.is_string()) {
    error(json, std::string(name) + " must be true or false", "true, false, or a condition");
  }
  return false;
}

// --- text and lists -----------------------------------------------------------------------------

bool Reader::read(const Json& json, std::string& out, const Spec&, std::string_view name) {
  if (!json.is_string()) {
    error(json,
          std::string(name) + " must be text, not " + with_article(tenon::scene::name(json.kind)),
          "text in double quotes");
    return false;
  }
  if (!substitutes) {
    out = json.string;
    return true;
  }
  Substitution s = substitute(json.string, *scope);
  if (!s.ok) {
    error(json, std::string(name) + ": " + s.message, s.accepted);
    return false;
  }
  out = std::move(s.text);
  return true;
}

bool Reader::read_list(const Json& json, size_t count, std::string_view name,
                       std::string_view what) {
  if (json.is_array() && (count == 0 || json.items.size() == count)) return true;
  error(json, std::string(name) + " must be a list of " + std::string(what));
  return false;
}

bool Reader::read(const Json& json, std::vector<std::string>& out, const Spec& spec,
                  std::string_view name) {
  if (json.is_string() && spec.is_one_or_many) {
    std::string one;
    if (!read(json, one, spec, name)) return false;
    out = {std::move(one)};
    return true;
  }
  if (!read_list(json, 0, name, "names")) return false;
  std::vector<std::string> list(json.items.size());
  bool good = true;
  for (size_t i = 0; i < list.size(); ++i) good &= read(json.items[i], list[i], spec, name);
  if (good) out = std::move(list);
  return good;
}

bool Reader::read(const Json& json, std::array<std::string, 2>& out, const Spec& spec,
                  std::string_view name) {
  if (!read_list(json, 2, name, "two names")) return false;
  std::array<std::string, 2> list;
  bool good = read(json.items[0], list[0], spec, name);
  good &= read(json.items[1], list[1], spec, name);
  if (good) out = std::move(list);
  return good;
}

bool Reader::read(const Json& json, Reference& out, const Spec& spec, std::string_view name) {
  if (!read(json, out.name, spec, name)) return false;
  out.place = json.place;
  return true;
}

bool Reader::read(const Json& json, std::vector<Reference>& out, const Spec& spec,
                  std::string_view name) {
  std::vector<std::string> names;
  if (!read(json, names, spec, name)) return false;
  out.clear();
  for (size_t i = 0; i < names.size(); ++i) {
    out.push_back({names[i], json.is_string() ? json.place : json.items[i].place});
  }
  return true;
}

// [min, max], where null leaves a side free.
bool Reader::read(const Json& json, JointLimits& out, const Spec& spec, std::string_view name) {
  if (!json.is_array() || json.items.size() != 2) {
    error(json, std::string(name) + " must be a list of two values [min, max]",
          "null for a side without a limit");
    return false;
  }
  JointLimits limits;
  bool good = true;
  for (size_t i = 0; i < 2; ++i) {
    if (json.items[i].is_null()) continue;
    double value = 0;
    const bool read_it = read(json.items[i], value, spec, std::string(name) + (i ? "[1]" : "[0]"));
    if (read_it) (i ? limits.max : limits.min) = value;
    good &= read_it;
  }
  if (good && !limits.min && !limits.max) {
    error(json, std::string(name) + " limits nothing", "at least one value that is not null");
    return false;
  }
  if (good && limits.min && limits.max && *limits.min > *limits.max) {
    error(json, std::string(name) + " has its minimum above its maximum", "[min, max]");
    return false;
  }
  if (good) out = limits;
  return good;
}

bool Reader::read(const Json& json, std::vector<Vec3>& out, const Spec& spec,
                  std::string_view name) {
  if (!read_list(json, 0, name, "points [x, y, z]")) return false;
  if (json.items.size() < static_cast<size_t>(spec.min_items)) {
    error(json, std::string(name) + " has too few entries",
          "at least " + std::to_string(spec.min_items));
    return false;
  }
  std::vector<Vec3> list(json.items.size());
  bool good = true;
  for (size_t i = 0; i < list.size(); ++i) good &= read(json.items[i], list[i], spec, name);
  if (good) out = std::move(list);
  return good;
}

bool Reader::read(const Json& json, std::vector<std::array<int, 3>>& out, const Spec& spec,
                  std::string_view name) {
  if (!read_list(json, 0, name, "triangles [a, b, c]")) return false;
  if (json.items.size() < static_cast<size_t>(spec.min_items)) {
    error(json, std::string(name) + " has too few entries",
          "at least " + std::to_string(spec.min_items));
    return false;
  }
  std::vector<std::array<int, 3>> list(json.items.size());
  bool good = true;
  for (size_t i = 0; i < list.size() && !full(); ++i) {
    if (!read_list(json.items[i], 3, name, "three vertices [a, b, c]")) {
      good = false;
      continue;
    }
    for (size_t k = 0; k < 3; ++k) good &= read(json.items[i].items[k], list[i][k], spec, name);
  }
  if (good) out = std::move(list);
  return good;
}

}  // namespace tenon::scene
