// Words -> records. Lines mean nothing to the grammar: a record ends where the next one begins, so
// files with one number per line and files with a body per line read the same.
#include <algorithm>
#include <cmath>
#include <set>

#include "tenon/scene/aero/world_state.h"
#include "tenon/scene/aero/world_words.h"

namespace tenon::scene::aero {
namespace {

constexpr std::string_view kLetters = "ZQtgsmpvaqwucnbiEXF";

bool is_letter(std::string_view word, char letter) { return word.size() == 1 && word[0] == letter; }

bool begins_record(std::string_view word) {
  if (word.size() == 1) return kLetters.find(word[0]) != std::string_view::npos;
  return parse_label(word, 'K') || parse_label(word, 'V');
}

bool is_part_type(const std::string& type) {
  return type == "sphere" || type == "box" || type == "cylinder";
}

class Parser {
 public:
  Parser(std::string_view text, size_t max_bodies, Notes& notes)
      : words_(split_words(text)), max_bodies_(max_bodies), notes_(notes) {}

  WorldState parse();

 private:
  std::vector<Word> words_;
  size_t max_bodies_;
  Notes& notes_;
  size_t at_ = 0;
  WorldState state_;
  std::set<int> body_numbers_, link_numbers_;
  BodyRecord* body_ = nullptr;  // what lower-case records belong to now: a body or a part,
  LinkRecord* link_ = nullptr;  // or a link
  bool parts_open_ = false;     // between E and X
  size_t parts_ = 0;

  bool done() const { return at_ >= words_.size(); }
  const Word& peek() const { return words_[at_]; }
  Place place() const {
    return done() ? (words_.empty() ? Place{1, 1} : words_.back().place) : peek().place;
  }

  std::vector<double> take_numbers();
  bool take_numbers(const Word& record, size_t count, std::vector<double>& out);
  bool take_vector(const Word& record, std::optional<Vec3>& out);
  std::optional<int> take_body(const char* what);
  std::string take_material();
  void skip_unknown(const Word& word);

  bool parse_record(const Word& word);
  void parse_body(const Word& word, int number);
  void parse_part(const Word& word);
  void parse_geometry(BodyRecord& record);
  void parse_link(const Word& word, int number);
  void parse_force(const Word& word);
  void parse_guided(const Word& word, ForceRecord& force);
  bool parse_small(const Word& word);
  bool parse_of_body(const Word& word);
  void parse_flags(const Word& word);
  void parse_color(const Word& word);
};

// All numbers that follow.
std::vector<double> Parser::take_numbers() {
  std::vector<double> numbers;
  while (!done()) {
    const std::optional<double> number = parse_number(peek().text);
    if (!number) break;
    numbers.push_back(*number);
    ++at_;
  }
  return numbers;
}

bool Parser::take_numbers(const Word& record, size_t count, std::vector<double>& out) {
  out = take_numbers();
  const std::string name(record.text);
  if (out.size() < count) {
    const bool broken = !done() && !begins_record(peek().text);
    notes_.error(
        broken ? peek().place : record.place,
        "'" + name + "' needs " + std::to_string(count) + (count == 1 ? " number" : " numbers"),
        broken ? show(peek().text) : std::to_string(out.size()), "numbers such as 0.5");
    if (broken) ++at_;
    return false;
  }
  if (out.size() > count) {
    notes_.warn(record.place, "more numbers after '" + name + "' than are known; left out",
                std::to_string(out.size()), std::to_string(count));
    out.resize(count);
  }
  return true;
}

bool Parser::take_vector(const Word& record, std::optional<Vec3>& out) {
  std::vector<double> n;
  if (!take_numbers(record, 3, n)) return false;
  out = Vec3{n[0], n[1], n[2]};
  return true;
}

std::optional<int> Parser::take_body(const char* what) {
  const std::optional<int> number = done() ? std::nullopt : parse_label(peek().text, 'K');
  if (!number) {
    notes_.error(place(), std::string(what) + " needs a body", done() ? "" : show(peek().text),
                 "K and its number, such as K1");
    return {};
  }
  ++at_;
  return number;
}

std::string Parser::take_material() {
  if (done() || begins_record(peek().text)) return {};
  return std::string(words_[at_++].text);
}

// An unknown record and what stands after it up to the next known one.
void Parser::skip_unknown(const Word& word) {
  notes_.warn(word.place, "unknown record; left out", show(word.text));
  while (!done() && !begins_record(peek().text) && peek().place.line == word.place.line) ++at_;
}

void Parser::parse_geometry(BodyRecord& record) {
  if (done() || begins_record(peek().text) || parse_number(peek().text)) {
    notes_.error(record.place, "a body needs a type", done() ? "" : show(peek().text),
                 "sphere, box, cylinder, plane, nail, mpoint, point, composed");
    take_numbers();
  } else {
    record.type = lower(words_[at_++].text);
  }
  record.geometry = take_numbers();
  // a word that should have been a number is not a material
  if (!done() && (peek().text[0] == '-' || (peek().text[0] >= '0' && peek().text[0] <= '9'))) {
    notes_.error(peek().place, "not a number", show(peek().text), "numbers such as 0.5");
    ++at_;
  }
  record.material = take_material();
}

void Parser::parse_body(const Word& word, int number) {
  link_ = nullptr;
  parts_open_ = false;
  if (!body_numbers_.insert(number).second) {
    notes_.error(word.place, "the body number is already taken", show(word.text), "another number");
  }
  if (state_.bodies.size() + parts_ >= max_bodies_) {
    notes_.error(word.place, "the file has too many bodies", "",
                 "at most " + std::to_string(max_bodies_));
    at_ = words_.size();
    return;
  }
  state_.bodies.push_back({});
  body_ = &state_.bodies.back();
  body_->number = number;
  body_->place = word.place;
  parse_geometry(*body_);
}

void Parser::parse_part(const Word& word) {
  link_ = nullptr;
  if (state_.bodies.empty() || state_.bodies.back().type != "composed") {
    notes_.warn(word.place, "parts belong to a composed body; left out", show(word.text));
    BodyRecord unused;
    unused.place = word.place;
    parse_geometry(unused);
    body_ = nullptr;
    return;
  }
  parts_open_ = true;
  // E may stand once before all parts, or before each
  if (done() || !is_part_type(lower(peek().text))) {
    body_ = nullptr;
    return;
  }
  if (state_.bodies.size() + ++parts_ > max_bodies_) {
    notes_.error(word.place, "the file has too many bodies", "",
                 "at most " + std::to_string(max_bodies_));
    at_ = words_.size();
    return;
  }
  std::vector<BodyRecord>& parts = state_.bodies.back().parts;
  parts.push_back({});
  body_ = &parts.back();
  body_->place = word.place;
  parse_geometry(*body_);
}

void Parser::parse_link(const Word& word, int number) {
  body_ = nullptr;
  link_ = nullptr;
  if (!link_numbers_.insert(number).second) {
    notes_.error(word.place, "the link number is already taken", show(word.text), "another number");
  }
  LinkRecord link;
  link.number = number;
  link.place = word.place;
  const std::optional<int> a = take_body("a link"), b = a ? take_body("a link") : std::nullopt;
  if (!a || !b) return;
  link.body_a = *a;
  link.body_b = *b;
  if (done() || begins_record(peek().text) || parse_number(peek().text)) {
    notes_.error(word.place, "a link needs a type", done() ? "" : show(peek().text),
                 "spring, damper, joint, rod");
  } else {
    link.type = lower(words_[at_++].text);
  }
  link.numbers = take_numbers();
  state_.links.push_back(std::move(link));
  link_ = &state_.links.back();
}

// guided K2 [point] magnitude, or the magnitude first.
void Parser::parse_guided(const Word& word, ForceRecord& force) {
  std::vector<double> before = take_numbers();
  const std::optional<int> target = take_body("a guided force");
  if (!target) return;
  force.target = *target;
  std::vector<double> numbers = take_numbers();
  if (before.size() == 1 && (numbers.empty() || numbers.size() == 3)) {
    numbers.push_back(before[0]);
    before.clear();
  }
  if (!before.empty() || (numbers.size() != 1 && numbers.size() != 4)) {
    notes_.error(word.place, "a guided force needs a magnitude, after the point if there is one",
                 std::to_string(before.size() + numbers.size()) + " numbers",
                 "guided K2 10, or guided K2 0 0.5 0 10");
    return;
  }
  if (numbers.size() == 4) force.target_point = Vec3{numbers[0], numbers[1], numbers[2]};
  force.magnitude = numbers.back();
  state_.forces.push_back(force);
}

void Parser::parse_force(const Word& word) {
  body_ = nullptr;
  link_ = nullptr;
  ForceRecord force;
  force.place = word.place;
  std::vector<double> times;
  if (!take_numbers(word, 2, times)) return;
  force.t0 = times[0];
  force.t1 = times[1];
  const std::optional<int> body = take_body("a force");
  if (!body) return;
  force.body = *body;
  const std::vector<double> point = take_numbers();
  if (point.size() == 3) {
    force.point = Vec3{point[0], point[1], point[2]};
  } else if (!point.empty()) {
    notes_.error(word.place, "the point of a force needs 3 numbers", std::to_string(point.size()),
                 "three numbers, or none for the centre of gravity");
  }
  const std::string kind = done() ? "" : lower(peek().text);
  if (kind != "inertial" && kind != "local" && kind != "guided") {
    notes_.error(place(), "unknown kind of force", done() ? "" : show(peek().text),
                 "inertial, local, guided");
    if (!done() && !begins_record(peek().text)) ++at_;
    take_numbers();
    return;
  }
  const Word kind_word = words_[at_++];
  if (kind == "guided") {
    force.kind = ForceKind::kGuided;
    return parse_guided(kind_word, force);
  }
  force.kind = kind == "local" ? ForceKind::kLocal : ForceKind::kInertial;
  std::vector<double> vector;
  if (!take_numbers(kind_word, 3, vector)) return;
  force.vector = {vector[0], vector[1], vector[2]};
  state_.forces.push_back(force);
}

// Flags of a body: b -gmk, together or apart.
void Parser::parse_flags(const Word& word) {
  bool any = false;
  while (!done() && peek().text.size() > 1 && peek().text[0] == '-' && !parse_number(peek().text)) {
    for (const char flag : peek().text.substr(1)) {
      body_->no_gravity |= flag == 'g';
      body_->no_mass |= flag == 'm';
      body_->no_collision |= flag == 'k';
      if (flag != 'g' && flag != 'm' && flag != 'k') {
        notes_.warn(peek().place, "unknown flag of a body; left out", show(peek().text),
                    "g: no gravity, m: no mass, k: no collisions");
      }
    }
    any = true;
    ++at_;
  }
  if (!any) notes_.warn(word.place, "flags of a body are missing", "", "b -g, -m, -k or together");
}

void Parser::parse_color(const Word& word) {
  std::vector<double> n;
  if (!take_numbers(word, 3, n)) return;
  for (double& value : n) {
    value = std::floor(value + 0.5);  // they are whole numbers
    if (value >= 0 && value <= 65535) continue;
    notes_.warn(word.place, "a colour has values from 0 to 65535; brought into that range",
                std::to_string(value));
    value = std::clamp(value, 0.0, 65535.0);
  }
  body_->c = Color{n[0] / 65535, n[1] / 65535, n[2] / 65535};
}

// Lower-case records of a body or a part.
bool Parser::parse_of_body(const Word& word) {
  std::optional<Vec3> unused;
  std::vector<double> n;
  switch (word.text[0]) {
    case 'm':
      if (take_numbers(word, 1, n)) body_->m = n[0];
      return true;
    case 'p':
      return take_vector(word, body_->p), true;
    case 'v':
      return take_vector(word, body_->v), true;
    case 'w':
      return take_vector(word, body_->w), true;
    case 'a':  // accelerations follow from the forces
    case 'u':
      return take_vector(word, unused), true;
    case 'q':
      if (take_numbers(word, 4, n)) body_->q = Quat{n[0], n[1], n[2], n[3]};
      return true;
    case 'c':
      return parse_color(word), true;
    case 'n':
      return take_vector(word, body_->n), true;
    case 'b':
      return parse_flags(word), true;
    case 'i':  // says nothing about the scene
      return take_numbers(word, 1, n), true;
    default:
      return false;
  }
}

bool Parser::parse_small(const Word& word) {
  std::vector<double> n;
  std::optional<Vec3> vector;
  switch (word.text[0]) {
    case 't':
      if (take_numbers(word, 1, n)) state_.t = n[0];
      return true;
    case 'g':
      return take_vector(word, state_.g), true;
    case 's':
      if (take_numbers(word, 1, n)) state_.s = n[0];
      return true;
    default:
      break;
  }
  if (link_ != nullptr && (word.text[0] == 'a' || word.text[0] == 'b')) {
    if (take_vector(word, vector)) (word.text[0] == 'a' ? link_->a : link_->b) = *vector;
    return true;
  }
  if (body_ != nullptr && parse_of_body(word)) return true;
  notes_.warn(word.place, "the record belongs to nothing; left out", show(word.text));
  take_numbers();
  return true;
}

bool Parser::parse_record(const Word& word) {
  if (const auto number = parse_label(word.text, 'K')) return parse_body(word, *number), true;
  if (const auto number = parse_label(word.text, 'V')) return parse_link(word, *number), true;
  if (parts_open_ && is_part_type(lower(word.text))) {
    --at_;
    return parse_part(word), true;
  }
  if (!begins_record(word.text)) return false;
  switch (word.text[0]) {
    case 'E':
      return parse_part(word), true;
    case 'X':
      // what follows belongs to the whole again
      parts_open_ = false;
      if (!state_.bodies.empty()) body_ = &state_.bodies.back();
      return true;
    case 'F':
      return parse_force(word), true;
    default:
      return parse_small(word);
  }
}

WorldState Parser::parse() {
  bool begun = false;
  while (!done() && !notes_.full()) {
    const Word word = words_[at_++];
    if (is_letter(word.text, 'Z')) {
      if (begun) {
        notes_.warn(word.place, "a state begins before the one before has ended");
        --at_;
        break;
      }
      begun = true;
      continue;
    }
    if (is_letter(word.text, 'Q')) break;
    if (!begun) notes_.warn(word.place, "the state does not begin with 'Z'", show(word.text));
    begun = true;
    if (!parse_record(word)) skip_unknown(word);
  }
  size_t more = 0;
  Place first;
  for (; at_ < words_.size(); ++at_) {
    if (!is_letter(words_[at_].text, 'Z')) continue;
    if (more++ == 0) first = words_[at_].place;
  }
  if (more > 0) {
    notes_.warn(first,
                "a sequence of " + std::to_string(more + 1) + " states; the first one is taken");
  }
  return std::move(state_);
}

}  // namespace

void Notes::error(Place place, std::string message, std::string value, std::string accepted) {
  if (full()) return;
  errors.push_back({.message = std::move(message),
                    .file = file,
                    .line = place.line,
                    .column = place.column,
                    .value = std::move(value),
                    .accepted = std::move(accepted)});
}

void Notes::warn(Place place, std::string message, std::string value, std::string accepted) {
  if (warnings.size() >= max_errors) return;
  warnings.push_back({.message = std::move(message),
                      .file = file,
                      .line = place.line,
                      .column = place.column,
                      .value = std::move(value),
                      .accepted = std::move(accepted)});
}

WorldState parse_world(std::string_view text, size_t max_bodies, Notes& notes) {
  return Parser(text, max_bodies, notes).parse();
}

}  // namespace tenon::scene::aero
