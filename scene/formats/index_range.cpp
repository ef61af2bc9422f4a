#include "tenon/scene/formats/index_range.h"

#include <cmath>

#include "tenon/scene/formats/decode.h"
#include "tenon/scene/formats/number_text.h"

namespace tenon::scene {
namespace {

constexpr double kMaxCount = 1e15;

// Both ends count; a round-off short of the end does too.
double count_of(const RangeEntry& r) {
  const double count = std::floor((r.to - r.from) / r.step + 1e-9) + 1;
  return count > 0 ? count : 0;
}

// Evaluates without reporting; false when it does not work out (yet).
bool quiet(const Json* json, const Scope& scope, double& out) {
  if (!json) return true;
  if (json->is_number()) out = json->number;
  if (json->is_string()) {
    const Evaluation e = evaluate(json->string, scope);
    if (!e.ok) return false;
    out = e.value.value;
  }
  return json->is_number() || json->is_string();
}

}  // namespace

bool read_index_range(Reader& r, const Json& json, const std::string& name, IndexRange& out) {
  if (json.is_array()) {
    out = {static_cast<double>(json.items.size()), 0, 1, &json};
    return true;
  }
  if (!json.is_object()) {
    double count = 0;
    const Spec spec = spec::number().whole().from(0).up_to(kMaxCount);
    if (!r.read(json, count, spec, "index " + name)) return false;
    out = {count, 0, 1, nullptr};
    return true;
  }
  RangeEntry entry;
  if (!read_object(r, json, entry)) return false;
  if (entry.step == 0) {
    r.error(*json.find("step"), "step must not be 0", "a number other than 0");
    return false;
  }
  out = {count_of(entry), entry.from, entry.step, nullptr};
  return true;
}

bool index_value(Reader& r, const IndexRange& range, double k, const std::string& name,
                 Scope& scope) {
  Quantity value{range.from + k * range.step, kNumber};
  if (range.list) {
    const Json& item = range.list->items[static_cast<size_t>(k)];
    if (!r.read_quantity(item, value, "index " + name)) return false;
  }
  scope.set(name, value);
  return true;
}

double estimate_count(const Json& json, const Scope& scope) {
  if (json.is_array()) return static_cast<double>(json.items.size());
  double count = 1;
  if (!json.is_object()) {
    const bool known = quiet(&json, scope, count) && count >= 0;
    return known ? count : 1;
  }
  RangeEntry entry;
  const bool known = quiet(json.find("from"), scope, entry.from) &&
                     quiet(json.find("to"), scope, entry.to) &&
                     quiet(json.find("step"), scope, entry.step);
  return known && json.find("to") && entry.step != 0 ? count_of(entry) : 1;
}

std::string format_count(double count) {
  return count < 1e9 ? std::to_string(static_cast<long long>(count)) : format_number(count);
}

}  // namespace tenon::scene
