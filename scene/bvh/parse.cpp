// Text -> MotionFile. The hierarchy is words between blanks; a frame of the motion is a line.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "tenon/scene/bvh/detail/parts.h"
#include "tenon/scene/bvh/motion_file.h"
#include "tenon/scene/document/joint.h"
#include "tenon/scene/formats/json_text.h"
#include "tenon/scene/formats/number_text.h"
#include "tenon/scene/formats/utf8.h"

namespace tenon::scene::bvh {
namespace {

constexpr double kLargestNumber = 1e9;  // of offsets and channels
constexpr const char* kChannelNames[] = {"xposition", "yposition", "zposition",
                                         "xrotation", "yrotation", "zrotation"};

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string show(std::string_view word) {
  return format_short(Json(std::string(word.substr(0, 60))), 60);
}

struct Word {
  std::string_view text;  // empty: the end of the file
  Place place;
};

// Words of a text, with their places; columns count characters.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = counted_ = 3;
  }

  // The next word; `same_line`: an empty one at the end of the line.
  Word next(bool same_line = false) {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == '\n')) {
      if (text_[at_] == '\n') {
        if (same_line) return {{}, place()};
        ++line_;
        column_ = 1;
        counted_ = at_ + 1;
      }
      ++at_;
    }
    const Place here = place();
    const size_t begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) && text_[at_] != '\n') ++at_;
    return {text_.substr(begin, at_ - begin), here};
  }
  Word peek() {
    const Words before = *this;
    const Word word = next();
    *this = before;
    return word;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
  size_t counted_ = 0;  // every character is counted once, however long its line is
  int line_ = 1, column_ = 1;

  Place place() {
    for (; counted_ < at_; ++counted_) {
      const bool inside = (static_cast<unsigned char>(text_[counted_]) & 0xc0) == 0x80;  // UTF-8
      if (!inside) ++column_;
    }
    return {line_, column_};
  }
};

std::optional<double> parse_number(std::string_view word) {
  const bool negative = !word.empty() && word[0] == '-';
  if (!word.empty() && (word[0] == '-' || word[0] == '+')) word.remove_prefix(1);
  const ParsedNumber number = parse_decimal(word);
  if (number.length == 0 || number.length != word.size() || number.overflow) return {};
  return negative ? -number.value : number.value;
}

bool is_text(std::string_view word) {
  while (!word.empty()) {
    const size_t length = utf8_length(word);
    if (length == 0 || static_cast<unsigned char>(word[0]) < 0x20 || word[0] == 0x7f) return false;
    word.remove_prefix(length);
  }
  return true;
}

class Parser {
 public:
  Parser(std::string_view text, std::string_view file, const Limits& limits)
      : words_(text), file_(file), limits_(limits) {}

  Result<MotionFile> parse() {
    const bool good = parse_hierarchy() && parse_motion();
    if (!good) return error_;
    return std::move(motion_);
  }

 private:
  Words words_;
  std::string file_;
  Limits limits_;
  MotionFile motion_;
  std::set<std::string> names_;
  Error error_;

  bool fail(const Word& at, std::string message, std::string accepted) {
    error_ = {.message = std::move(message),
              .file = file_,
              .line = at.place.line,
              .column = at.place.column,
              .value = at.text.empty() ? "the end of the file" : show(at.text),
              .accepted = std::move(accepted)};
    return false;
  }
  // As `fail`, where a line ends too early.
  bool fail_short(const Word& at, std::string message, std::string accepted) {
    const bool failed = fail(at, std::move(message), std::move(accepted));
    if (at.text.empty()) error_.value = "the end of the line";
    return failed;
  }

  bool expect(const char* keyword, const char* what) {
    const Word word = words_.next();
    if (lower(word.text) == lower(keyword)) return true;
    return fail(word, std::string("expected ") + what, std::string("\"") + keyword + "\"");
  }
  bool take_number(double& out, const char* what) {
    const Word word = words_.next();
    const std::optional<double> number = parse_number(word.text);
    if (!number || !(std::fabs(*number) <= kLargestNumber)) {
      return fail(word, std::string("expected a number, ") + what, "a decimal number up to 1e9");
    }
    out = *number;
    return true;
  }
  bool take_offset(Vec3& out) {
    return expect("OFFSET", "the offset of a joint") && take_number(out.x, "the offset along x") &&
           take_number(out.y, "the offset along y") && take_number(out.z, "the offset along z");
  }

  bool parse_hierarchy();
  bool begin_node(const Word& keyword, int parent);
  bool parse_channels(Node& node);
  bool parse_end_site(Node& node);
  bool parse_motion();
  bool parse_counts();
  bool parse_frame(size_t frame);
};

bool Parser::parse_channels(Node& node) {
  const Word keyword = words_.next();
  if (lower(keyword.text) != "channels") {
    return fail(keyword, "expected the channels of the joint", "\"CHANNELS\"");
  }
  const Word count = words_.next();
  const std::optional<double> number = parse_number(count.text);
  if (!number || *number != std::floor(*number) || *number < 0 || *number > 6) {
    return fail(count, "expected the number of channels", "0 to 6");
  }
  for (int i = 0; i < static_cast<int>(*number); ++i) {
    const Word word = words_.next();
    const auto found =
        std::find(std::begin(kChannelNames), std::end(kChannelNames), lower(word.text));
    const auto channel = static_cast<Channel>(found - std::begin(kChannelNames));
    if (found == std::end(kChannelNames)) {
      return fail(word, "unknown channel",
                  "Xposition, Yposition, Zposition, Xrotation, Yrotation or Zrotation");
    }
    if (std::find(node.channels.begin(), node.channels.end(), channel) != node.channels.end()) {
      return fail(word, "the channel stands twice", "each channel of a joint once");
    }
    node.channels.push_back(channel);
  }
  node.first_channel = motion_.channels;
  motion_.channels += node.channels.size();
  return true;
}

bool Parser::begin_node(const Word& keyword, int parent) {
  const Word name = words_.next();
  if (name.text.empty() || name.text == "{" || name.text == "}") {
    return fail(name, "a joint needs a name", "a word without blanks");
  }
  if (!is_text(name.text) || name.text == kWorldName) {
    return fail(name, "a joint cannot have this name",
                "UTF-8 text; 'world' is what joints call the world itself");
  }
  if (!names_.insert(std::string(name.text)).second) {
    return fail(name, "the name of the joint is already taken", "another name");
  }
  if (motion_.nodes.size() >= limits_.nodes) {
    return fail(keyword, "too many joints", "at most " + std::to_string(limits_.nodes));
  }
  Node node;
  node.name = std::string(name.text);
  node.parent = parent;
  node.place = name.place;
  if (!expect("{", "the body of the joint")) return false;
  if (!take_offset(node.offset) || !parse_channels(node)) return false;
  motion_.nodes.push_back(std::move(node));
  return true;
}

bool Parser::parse_end_site(Node& node) {
  Vec3 tip;
  if (!expect("Site", "'Site' after 'End'") || !expect("{", "the body of the end site")) {
    return false;
  }
  if (!take_offset(tip) || !expect("}", "the end of the end site")) return false;
  if (node.end_sites.size() >= limits_.nodes) {
    return fail(words_.peek(), "too many end sites", "at most " + std::to_string(limits_.nodes));
  }
  node.end_sites.push_back(tip);
  return true;
}

// Not by recursion: the depth of a tree is the file's, that of the stack is not.
bool Parser::parse_hierarchy() {
  if (!expect("HIERARCHY", "the first word of a BVH file")) return false;
  const Word root = words_.next();
  if (lower(root.text) != "root") return fail(root, "expected the root of the tree", "\"ROOT\"");
  if (!begin_node(root, kNoParent)) return false;
  for (int open = 0; open != kNoParent;) {
    const Word word = words_.next();
    const std::string keyword = lower(word.text);
    if (keyword == "joint") {
      if (!begin_node(word, open)) return false;
      open = static_cast<int>(motion_.nodes.size()) - 1;
    } else if (keyword == "end") {
      if (!parse_end_site(motion_.nodes[static_cast<size_t>(open)])) return false;
    } else if (keyword == "}") {
      open = motion_.nodes[static_cast<size_t>(open)].parent;
    } else {
      return fail(word, "expected what hangs on the joint, or its end",
                  "\"JOINT\", \"End Site\" or \"}\"");
    }
  }
  if (motion_.channels == 0) {
    return fail(words_.peek(), "no joint has any channel", "a tree of which something moves");
  }
  return true;
}

bool Parser::parse_counts() {
  const Word keyword = words_.next();
  const bool split = lower(keyword.text) == "frames";
  if (!split && lower(keyword.text) != "frames:") {
    return fail(keyword, "expected the number of frames", "\"Frames:\"");
  }
  if (split && !expect(":", "a colon after 'Frames'")) return false;
  const Word count = words_.next();
  const std::optional<double> frames = parse_number(count.text);
  if (!frames || *frames != std::floor(*frames) || *frames < 1 ||
      *frames > static_cast<double>(limits_.frames)) {
    return fail(count, "the number of frames is out of range",
                "1 to " + std::to_string(limits_.frames));
  }
  motion_.frames = static_cast<size_t>(*frames);
  if (motion_.frames > limits_.values / motion_.channels) {
    return fail(count, "the motion has too many numbers",
                "at most " + std::to_string(limits_.values) + ", frames times channels");
  }
  if (!expect("Frame", "the time between frames")) return false;
  const Word time = words_.next();
  const bool apart = lower(time.text) == "time";
  if (!apart && lower(time.text) != "time:") {
    return fail(time, "expected the time between frames", "\"Frame Time:\"");
  }
  if (apart && !expect(":", "a colon after 'Frame Time'")) return false;
  const Word step = words_.next();
  const std::optional<double> seconds = parse_number(step.text);
  if (!seconds || !(*seconds >= 1e-6) || !(*seconds <= 10)) {
    return fail(step, "the time between frames is out of range", "1e-6 to 10 seconds");
  }
  motion_.frame_time = *seconds;
  return true;
}

bool Parser::parse_frame(size_t frame) {
  const std::string which = "frame " + std::to_string(frame + 1);
  const std::string count = std::to_string(motion_.channels) + " numbers on a line";
  for (size_t i = 0; i < motion_.channels; ++i) {
    const Word word = words_.next(i > 0);
    const std::optional<double> number = parse_number(word.text);
    if (number && std::fabs(*number) <= kLargestNumber) {
      motion_.values.push_back(*number);
      continue;
    }
    const std::string message = which + ": expected number " + std::to_string(i + 1);
    if (i > 0) return fail_short(word, message, count);
    return fail(word, message, count);
  }
  const Word more = words_.next(true);
  if (!more.text.empty()) return fail(more, which + " has more numbers than channels", count);
  return true;
}

bool Parser::parse_motion() {
  if (!expect("MOTION", "the motion after the hierarchy") || !parse_counts()) return false;
  for (size_t frame = 0; frame < motion_.frames; ++frame) {
    if (!parse_frame(frame)) return false;
  }
  const Word more = words_.next();
  if (!more.text.empty()) {
    return fail(more, "the file goes on after its last frame",
                std::to_string(motion_.frames) + " frames, as it says");
  }
  return true;
}

}  // namespace

Result<MotionFile> parse(std::string_view text, std::string_view file, const Limits& limits) {
  return Parser(text, file, limits).parse();
}

bool is_motion_file(std::string_view name) {
  constexpr std::string_view kEnding = ".bvh";
  return name.size() >= kEnding.size() &&
         lower(name.substr(name.size() - kEnding.size())) == kEnding;
}

}  // namespace tenon::scene::bvh
