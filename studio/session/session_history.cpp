// The history of a project: what undoing and redoing go through, also of how the run is seen and of
// sync points. Of two scenes that differ in how they are seen only that is kept.
#include <algorithm>

#include "tenon/studio/session/session.h"

namespace tenon::studio {

const std::set<std::string>& view_sections() {
  static const std::set<std::string> sections{"cameras", "shots",       "lights",
                                              "title",   "description", "tags"};
  return sections;
}

namespace {

Json encode_said(const Timeline::Said& said) {
  Json view = Json::object();
  for (const std::string& section : view_sections())
    if (const Json* value = said.tree->find(section)) view.set(section, *value);
  return Json::object().set("ops", said.operations).set("view", std::move(view));
}

// What a take says, with the view of another moment.
std::optional<Timeline::Said> decode_said(const Json* in, const Timeline::Said& now) {
  const Json *ops = in != nullptr ? in->find("ops") : nullptr,
             *view = in != nullptr ? in->find("view") : nullptr;
  if (ops == nullptr || !ops->is_array() || view == nullptr || !view->is_object() || !now.tree)
    return std::nullopt;
  Json tree = *now.tree;
  std::erase_if(tree.members, [](const scene::JsonMember& member) {
    return view_sections().contains(member.key);
  });
  for (const std::string& section : view_sections())
    if (const Json* value = view->find(section)) tree.set(section, *value);
  return Timeline::Said{*ops, std::make_shared<const Json>(std::move(tree))};
}

bool is_step(const Json& x) { return x.is_number() && x.number >= 0 && x.number <= kMostSteps; }

}  // namespace

uint64_t Session::reachable(int id, double step) const {
  const Take& t = timeline_.take(id);
  return std::min(static_cast<uint64_t>(step), std::max({t.at, t.end, t.wanted}));
}

Json Session::encode_syncs(const std::vector<SyncPoint>& syncs) {
  Json list = Json::array();
  for (const SyncPoint& s : syncs) {
    list.push(Json::object()
                  .set("id", s.id)
                  .set("take", s.take)
                  .set("name", s.name)
                  .set("step", static_cast<double>(s.step)));
  }
  return list;
}

// Those of takes that there are, at steps that they had once.
std::vector<SyncPoint> Session::decode_syncs(const Json* list) const {
  std::vector<SyncPoint> all;
  for (size_t i = 0; list != nullptr && i < list->items.size(); ++i) {
    const Json& in = list->items[i];
    const Result<double> id = read_number(in, "id", 0, 1e6), take = read_number(in, "take", 0, 1e6);
    const Result<double> step = read_number(in, "step", 0, kMostSteps);
    if (!id || !take || !step || !timeline_.contains(static_cast<int>(*take))) continue;
    const Json* text = in.find("name");
    all.push_back({static_cast<int>(*id), static_cast<int>(*take),
                   reachable(static_cast<int>(*take), *step), text != nullptr ? text->string : ""});
  }
  return all;
}

Json Session::encode_entry(const HistoryEntry& entry) {
  Json out = Json::array({entry.from_take, static_cast<double>(entry.from_step), entry.to_take,
                          static_cast<double>(entry.to_step), entry.label, entry.merge});
  if (entry.seen) {
    out.push(Json::object()
                 .set("take", entry.seen->take)
                 .set("before", encode_said(entry.seen->before))
                 .set("after", encode_said(entry.seen->after)));
  }
  if (entry.syncs) {
    out.push(Json::object()
                 .set("syncs_before", encode_syncs(entry.syncs->before))
                 .set("syncs_after", encode_syncs(entry.syncs->after)));
  }
  return out;
}

std::optional<Session::HistoryEntry> Session::decode_entry(const Json& in) {
  const std::vector<Json>& at = in.items;
  if (at.size() < 6 || !std::all_of(at.begin(), at.begin() + 4, is_step)) return std::nullopt;
  const int from = static_cast<int>(at[0].number), to = static_cast<int>(at[2].number);
  if (!timeline_.contains(from) || !timeline_.contains(to)) return std::nullopt;
  HistoryEntry entry{
      from,         to,          reachable(from, at[1].number), reachable(to, at[3].number),
      at[4].string, at[5].string};
  if (at.size() == 6) return entry;
  if (at[6].find("syncs_before") != nullptr) {
    entry.syncs = HistoryEntry::Syncs{decode_syncs(at[6].find("syncs_before")),
                                      decode_syncs(at[6].find("syncs_after"))};
    return entry;
  }
  const Json* take = at[6].find("take");
  if (take == nullptr || !is_step(*take) || !timeline_.contains(static_cast<int>(take->number)))
    return std::nullopt;
  const int id = static_cast<int>(take->number);
  if (!timeline_.ensure_tree(id)) return std::nullopt;
  const Timeline::Said now = timeline_.said_of(id);
  const std::optional<Timeline::Said> before = decode_said(at[6].find("before"), now),
                                      after = decode_said(at[6].find("after"), now);
  if (!before || !after) return std::nullopt;
  entry.seen = HistoryEntry::Seen{id, *before, *after};
  return entry;
}

}  // namespace tenon::studio
