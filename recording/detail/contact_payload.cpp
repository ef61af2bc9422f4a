// The chunks that contacts have: their table, and the impulses of events.
#include <algorithm>

#include "tenon/recording/detail/payload.h"
#include "tenon/recording/diagnostics_table.h"

namespace tenon::recording_detail {
namespace {

// A column of the table of contacts: one word of a RecordedContact.
struct ContactColumn {
  const char* name;
  ColumnType type;
  uint64_t (*get)(const RecordedContact&);
  void (*set)(RecordedContact&, uint64_t);
};

template <auto Member>
constexpr ContactColumn integer(const char* name) {
  using Value = std::remove_cvref_t<decltype(std::declval<RecordedContact&>().*Member)>;
  return {name, ColumnType::kInteger,
          [](const RecordedContact& c) { return static_cast<uint64_t>(c.*Member); },
          [](RecordedContact& c, uint64_t word) { c.*Member = static_cast<Value>(word); }};
}
template <auto Member>
constexpr ContactColumn number(const char* name) {
  return {name, ColumnType::kDouble,
          [](const RecordedContact& c) { return std::bit_cast<uint64_t>(c.*Member); },
          [](RecordedContact& c, uint64_t word) { c.*Member = std::bit_cast<double>(word); }};
}
template <auto Member, int I>
constexpr ContactColumn component(const char* name) {
  return {name, ColumnType::kDouble,
          [](const RecordedContact& c) { return std::bit_cast<uint64_t>((c.*Member)[I]); },
          [](RecordedContact& c, uint64_t word) { (c.*Member)[I] = std::bit_cast<double>(word); }};
}

using C = RecordedContact;
constexpr ContactColumn kContactColumns[] = {
    integer<&C::step>("step"),
    number<&C::time>("time"),
    integer<&C::a>("a"),
    integer<&C::b>("b"),
    component<&C::point_W, 0>("x"),
    component<&C::point_W, 1>("y"),
    component<&C::point_W, 2>("z"),
    component<&C::normal_W, 0>("nx"),
    component<&C::normal_W, 1>("ny"),
    component<&C::normal_W, 2>("nz"),
    number<&C::distance>("distance_m"),
    component<&C::impulse_W, 0>("jx"),
    component<&C::impulse_W, 1>("jy"),
    component<&C::impulse_W, 2>("jz"),
    integer<&C::acts>("acts"),
};

// place of the event in its chunk, impulse
std::vector<ColumnType> impulse_types() { return {ColumnType::kInteger, ColumnType::kDouble}; }

}  // namespace

std::vector<std::string> contact_labels() {
  std::vector<std::string> labels;
  for (const ContactColumn& column : kContactColumns)
    labels.push_back(column_label(column.name, column.type));
  return labels;
}

std::vector<std::byte> encode_contacts(std::span<const RecordedContact> contacts) {
  Table table{static_cast<uint32_t>(contacts.size()), {}};
  for (const RecordedContact& contact : contacts)
    for (const ContactColumn& column : kContactColumns) table.words.push_back(column.get(contact));
  return encode_table(table, column_types(contact_labels()));
}

std::optional<std::vector<RecordedContact>> decode_contacts(std::span<const std::byte> bytes,
                                                            std::span<const std::string> labels,
                                                            bool check_crc) {
  const auto table = decode_table(bytes, column_types(labels), check_crc);
  if (!table) return std::nullopt;
  // columns that this version knows; all of them must be there, which also bounds what the rows of
  // a hostile file take by what they are made from
  std::vector<const ContactColumn*> known(labels.size(), nullptr);
  for (const ContactColumn& column : kContactColumns) {
    const std::string label = column_label(column.name, column.type);
    const auto found = std::find(labels.begin(), labels.end(), label);
    if (found == labels.end()) return std::nullopt;
    known[static_cast<size_t>(found - labels.begin())] = &column;
  }
  std::vector<RecordedContact> contacts(table->rows);
  for (size_t r = 0; r < contacts.size(); ++r)
    for (size_t c = 0; c < labels.size(); ++c)
      if (known[c]) known[c]->set(contacts[r], table->words[r * labels.size() + c]);
  return contacts;
}

std::vector<std::byte> encode_event_impulses(std::span<const RecordedEvent> events) {
  Table table;
  for (size_t i = 0; i < events.size(); ++i) {
    const auto impulse = std::bit_cast<uint64_t>(events[i].impulse);
    if (impulse == 0) continue;
    table.words.insert(table.words.end(), {uint64_t{i}, impulse});
    ++table.rows;
  }
  if (table.rows == 0) return {};
  return encode_table(table, impulse_types());
}

bool decode_event_impulses(std::span<const std::byte> bytes, bool check_crc,
                           std::span<RecordedEvent> events) {
  const auto table = decode_table(bytes, impulse_types(), check_crc);
  if (!table) return false;
  for (size_t r = 0; r < table->rows; ++r) {
    const uint64_t event = table->words[2 * r];
    if (event >= events.size()) return false;
    events[static_cast<size_t>(event)].impulse = std::bit_cast<double>(table->words[2 * r + 1]);
  }
  return true;
}

}  // namespace tenon::recording_detail
