// Names, title, step and duration, which world files do not have and Tenon keeps in comments.
#include <map>
#include <set>

#include "tenon/scene/aero/world_state.h"
#include "tenon/scene/aero/world_words.h"

namespace tenon::scene::aero {
namespace {

constexpr size_t kLongestName = 200;

// Gives the records of one kind the names of their lines. `label_of` says what one is called that
// has none.
template <class Record, class LabelOf>
void apply_names(std::vector<Record>& records, const std::map<int, const Remark*>& by_line,
                 LabelOf label_of, Notes& notes) {
  std::set<std::string> taken;
  for (const Record& r : records) {
    if (!by_line.contains(r.place.line)) taken.insert(label_of(r));
  }
  for (Record& r : records) {
    const auto found = by_line.find(r.place.line);
    if (found == by_line.end()) continue;
    const Remark& remark = *found->second;
    if (remark.value.empty() || remark.value.size() > kLongestName) {
      notes.warn(remark.place, "a name has 1 to 200 characters; left out", show(remark.value));
    } else if (!taken.insert(remark.value).second) {
      notes.warn(remark.place, "the name is already taken; left out", show(remark.value),
                 "another name, or none for " + label_of(r));
    } else {
      r.name = remark.value;
    }
  }
}

void apply_seconds(const Remark& remark, std::optional<double>& seconds, Notes& notes) {
  const std::optional<double> number = parse_number(remark.value);
  if (number && *number > 0) {
    seconds = number;
  } else {
    notes.warn(remark.place, "not a time; left out", show(remark.value), "seconds such as 0.01");
  }
}

}  // namespace

void apply_remarks(std::string_view text, WorldState& state, Notes& notes) {
  const std::vector<Remark> remarks = find_remarks(text);
  std::map<int, const Remark*> names;
  for (const Remark& remark : remarks) {
    if (remark.key == "name") {
      names[remark.place.line] = &remark;
    } else if (remark.key == "title") {
      state.title = remark.value;
    } else if (remark.key == "description") {
      state.description = remark.value;
    } else if (remark.key == "step") {
      apply_seconds(remark, state.step, notes);
    } else if (remark.key == "duration") {
      apply_seconds(remark, state.duration, notes);
    } else {
      notes.warn(remark.place, "unknown remark; left out", show(remark.key),
                 "title, description, step, duration, name");
    }
  }
  if (names.empty()) return;
  apply_names(
      state.bodies, names, [](const BodyRecord& r) { return "K" + std::to_string(r.number); },
      notes);
  apply_names(
      state.links, names, [](const LinkRecord& r) { return "V" + std::to_string(r.number); },
      notes);
  apply_names(
      state.forces, names,
      [&](const ForceRecord& r) {
        return "F" + std::to_string(static_cast<size_t>(&r - state.forces.data()) + 1);
      },
      notes);
}

}  // namespace tenon::scene::aero
