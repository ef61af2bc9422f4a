// Names of a panel -> where its series come from.
#include <algorithm>

#include "tenon/render/plot/detail/quantity.h"
#include "tenon/scene/formats/did_you_mean.h"

namespace tenon::plot {
namespace {

constexpr size_t kMaxSeries = 20;  // more are no longer told apart

// Whether `text` is what `pattern` says, "*" for any letters.
bool matches(std::string_view pattern, std::string_view text) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (size_t i = star; i <= text.size(); ++i)
    if (matches(rest, text.substr(i))) return true;
  return false;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

template <class Table>
std::vector<std::string> names_of(Table table) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.push_back(entry.name);
  return names;
}

struct Parsed {
  std::string object, quantity;
};
// "NAME.QUANTITY", split at the last dot.
Result<Parsed> split_quantity(const std::string& name, const std::string& rest,
                              const std::string& kinds) {
  const size_t dot = rest.rfind('.');
  if (dot == std::string::npos || dot == 0 || dot + 1 == rest.size())
    return Error{.message = "the quantity is missing",
                 .value = name,
                 .accepted = "NAME.QUANTITY with one of " + kinds};
  return Parsed{rest.substr(0, dot), rest.substr(dot + 1)};
}

Result<std::vector<size_t>> find_places(const std::string& pattern, const std::string& kind,
                                        const std::vector<std::string>& names) {
  std::vector<size_t> places;
  // a name that has a star itself comes before what the star may stand for
  const auto exact = std::find(names.begin(), names.end(), pattern);
  if (exact != names.end()) return std::vector<size_t>{static_cast<size_t>(exact - names.begin())};
  for (size_t i = 0; i < names.size(); ++i)
    if (matches(pattern, names[i])) places.push_back(i);
  if (!places.empty()) return places;
  return Error{.message = "the recording has no " + kind + " of this name" +
                          scene::did_you_mean(pattern, names),
               .value = pattern,
               .accepted = names.empty()      ? "nothing: there is no " + kind
                           : names.size() > 8 ? "a name of 'tenon info RUN'"
                                              : listed(names)};
}

// Quantities that stand for three.
std::vector<std::string> spread(const std::string& quantity) {
  if (quantity == "position") return {"x", "y", "z"};
  if (quantity == "velocity") return {"vx", "vy", "vz"};
  if (quantity == "angular-velocity") return {"wx", "wy", "wz"};
  return {quantity};
}

Error unknown_quantity(const std::string& kind, const std::string& quantity,
                       const std::vector<std::string>& names) {
  return {.message = "no such quantity of a " + kind + scene::did_you_mean(quantity, names),
          .value = quantity,
          .accepted = listed(names)};
}

// Parts of a panel: "+" counts only where a new name begins, for bodies may be called "a+b".
std::vector<std::string> split_terms(const std::string& panel) {
  std::vector<std::string> terms{""};
  for (size_t i = 0; i < panel.size(); ++i) {
    const std::string_view rest = std::string_view(panel).substr(i + 1);
    bool begins = rest.starts_with("body:") || rest.starts_with("joint:");
    for (const StepTable& table : step_tables()) begins = begins || rest.starts_with(table.name);
    if (panel[i] == '+' && begins) {
      terms.emplace_back();
    } else {
      terms.back() += panel[i];
    }
  }
  return terms;
}

}  // namespace

std::vector<std::string> split_panels(const std::string& list) {
  std::vector<std::string> panels{""};
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '\\' && i + 1 < list.size() && list[i + 1] == ',') {
      panels.back() += list[++i];
    } else if (list[i] == ',') {
      panels.emplace_back();
    } else if (list[i] != ' ' || !panels.back().empty()) {
      panels.back() += list[i];
    }
  }
  std::erase(panels, "");
  return panels;
}

Result<std::vector<Term>> Resolver::resolve(const std::string& panel) {
  std::vector<Term> terms;
  for (const std::string& name : split_terms(panel))
    if (Status added = add(name, terms); !added) return added.error();
  if (terms.size() > kMaxSeries)
    return Error{.message = "too many series in one panel, " + std::to_string(terms.size()),
                 .value = panel,
                 .accepted = "at most " + std::to_string(kMaxSeries)};
  for (const Term& term : terms) {
    if (term.unit == terms.front().unit) continue;
    const auto unit = [](const Term& t) { return t.unit.empty() ? "a number" : t.unit; };
    return Error{
        .message = "series of different units cannot share a panel: " + terms.front().name +
                   " is in " + unit(terms.front()) + ", " + term.name + " in " + unit(term),
        .value = panel,
        .accepted = "a comma instead of the plus"};
  }
  return terms;
}

Status Resolver::add(const std::string& name, std::vector<Term>& terms) {
  if (name.starts_with("body:")) return add_body(name, terms);
  if (name.starts_with("joint:")) return add_joint(name, terms);
  if (name == "phases") {
    for (size_t phase = 0; phase < kPhaseCount; ++phase)
      terms.push_back({.from = Term::From::kPhases,
                       .name = tenon::name(static_cast<Phase>(phase)),
                       .unit = "ms",
                       .title = "Time per step and phase",
                       .phase = phase});
    return Ok{};
  }
  for (const StepTable& table : step_tables()) {
    if (name != table.name) continue;
    for (const StepColumn& column : table.columns)
      terms.push_back({.name = column.name,
                       .unit = table.unit,
                       .title = table.title,
                       .small_positive = table.small_positive,
                       .column = &column});
    return Ok{};
  }
  std::vector<std::string> names = names_of(step_tables());
  for (const char* more : {"phases", "body:NAME.x", "joint:NAME.angle"}) names.push_back(more);
  return Error{.message = "nothing of this name can be plotted" + scene::did_you_mean(name, names),
               .value = name,
               .accepted = listed(names)};
}

Status Resolver::add_body(const std::string& name, std::vector<Term>& terms) {
  std::vector<std::string> known = names_of(body_quantities());
  for (const char* more : {"position", "velocity", "angular-velocity"}) known.push_back(more);
  const auto parsed = split_quantity(name, name.substr(5), listed(known));
  if (!parsed) return parsed.error();
  const std::vector<std::string>& bodies = reader_.run().body_names;
  const auto places = find_places(parsed->object, "body", bodies);
  if (!places) return places.error();
  for (const size_t place : *places) {
    for (const std::string& wanted : spread(parsed->quantity)) {
      const auto table = body_quantities();
      const auto found = std::find_if(table.begin(), table.end(),
                                      [&](const BodyQuantity& q) { return wanted == q.name; });
      if (found == table.end()) return unknown_quantity("body", parsed->quantity, known);
      terms.push_back({.from = Term::From::kBody,
                       .name = bodies[place] + "." + wanted,
                       .unit = found->unit,
                       .title = name.substr(5),
                       .place = place,
                       .body = &*found});
    }
  }
  return Ok{};
}

Status Resolver::add_joint(const std::string& name, std::vector<Term>& terms) {
  std::vector<std::string> known = names_of(joint_quantities());
  known.insert(known.begin(), "angle");
  const auto parsed = split_quantity(name, name.substr(6), listed(known));
  if (!parsed) return parsed.error();
  const RunRecord& run = reader_.run();
  const auto places = find_places(parsed->object, "joint", run.joint_names);
  if (!places) return places.error();
  if (!run.joint_track)
    return Error{.message = "the recording does not hold what joints do",
                 .value = name,
                 .accepted = "a run with --joints"};
  for (const size_t place : *places) {
    std::string wanted = parsed->quantity;
    if (wanted == "angle") {
      const Result<std::string> turn = find_turn(place);
      if (!turn) return turn.error();
      wanted = *turn;
    }
    const auto table = joint_quantities();
    const auto found = std::find_if(table.begin(), table.end(),
                                    [&](const JointQuantity& q) { return wanted == q.name; });
    if (found == table.end()) return unknown_quantity("joint", wanted, known);
    terms.push_back({.from = Term::From::kJoint,
                     .name = run.joint_names[place] + "." + parsed->quantity,
                     .unit = found->unit,
                     .title = name.substr(6),
                     .small_positive = found->small_positive,
                     .place = place,
                     .joint = &*found});
  }
  return Ok{};
}

Result<std::string> Resolver::find_turn(size_t place) {
  if (joints_.empty()) {
    auto table = read_joint_table(reader_);
    if (!table) return table.error();
    joints_ = std::move(*table);
  }
  const JointDescription& joint = joints_[place];
  std::string turns;
  int count = 0;
  for (const char* turn : {"rx", "ry", "rz"}) {
    if (joint.freedoms.find(turn) == std::string::npos) continue;
    turns += (count++ > 0 ? ", " : "") + std::string(turn);
  }
  if (count == 1) return turns;
  return Error{.message = count == 0 ? "this joint, a " + joint.type + ", does not turn"
                                     : "this joint, a " + joint.type + ", turns in several ways",
               .value = joint.name + ".angle",
               .accepted = count == 0 ? "another joint" : turns};
}

}  // namespace tenon::plot
