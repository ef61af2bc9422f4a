// {expression} and {condition ? 'text' : 'text'} in texts.
#include <cmath>

#include "tenon/scene/formats/expression.h"
#include "tenon/scene/formats/number_text.h"

namespace tenon::scene {
namespace {

constexpr int kMaxTexts = 8;  // texts inside one another

Substitution refuse(std::string message, std::string accepted, size_t offset) {
  Substitution s;
  s.message = std::move(message);
  s.accepted = std::move(accepted);
  s.offset = offset;
  return s;
}

// The first of `wanted` from `at` on that is neither in quotes nor inside braces or brackets.
size_t find_open(std::string_view text, size_t at, std::string_view wanted) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    // a text in quotes ends where its braces are closed again: 'link_{i > 2 ? 'a' : 'b'}'
    if (depth == 0 && !quoted && wanted.find(c) != wanted.npos) return at;
    if (c == '\'' && depth == 0) quoted = !quoted;
    if (c == '{' || (c == '(' && !quoted)) ++depth;
    if ((c == '}' || (c == ')' && !quoted)) && depth > 0) --depth;
  }
  return text.npos;
}

// The quote that ends the text which begins at `at`.
size_t find_quote(std::string_view text, size_t at) {
  for (int depth = 0; at < text.size(); ++at) {
    if (text[at] == '\'' && depth == 0) return at;
    depth += text[at] == '{' ? 1 : text[at] == '}' && depth > 0 ? -1 : 0;
  }
  return text.npos;
}

Substitution substitute_in(std::string_view text, const Scope& scope, int depth);

Substitution evaluate_number(std::string_view text, const Scope& scope, size_t offset) {
  Evaluation e = evaluate(text, scope);
  if (!e.ok) return refuse(std::move(e.message), std::move(e.accepted), offset + e.offset);
  const double v = e.value.value;
  const bool whole = v == std::floor(v) && std::fabs(v) < 1e15;
  Substitution s;
  s.text = whole ? std::to_string(static_cast<long long>(v)) : format_number(v);
  s.ok = true;
  return s;
}

// The inside of braces; `offset` is where it stands in the whole text.
Substitution evaluate_inside(std::string_view text, const Scope& scope, size_t offset, int depth) {
  if (text.find('\'') == text.npos) return evaluate_number(text, scope, offset);
  const size_t begin = text.find_first_not_of(' ');
  const size_t end = text.find_last_not_of(' ') + 1;
  if (text[begin] == '\'' && find_quote(text, begin + 1) == end - 1) {
    if (depth >= kMaxTexts) return refuse("texts are nested too deeply", "", offset);
    Substitution s = substitute_in(text.substr(begin + 1, end - begin - 2), scope, depth + 1);
    s.offset += offset + begin + 1;
    return s;
  }
  const size_t question = find_open(text, 0, "?");
  const size_t colon = question == text.npos ? text.npos : find_open(text, question + 1, ":");
  if (colon == text.npos) {
    return refuse("a text in quotes can only stand in a choice",
                  "{i > 0 ? 'link_{i - 1}' : 'world'}", offset);
  }
  Evaluation e = evaluate(text.substr(0, question), scope);
  if (!e.ok) return refuse(std::move(e.message), std::move(e.accepted), offset + e.offset);
  const size_t from = e.value.value != 0 ? question + 1 : colon + 1;
  const size_t to = e.value.value != 0 ? colon : text.size();
  return evaluate_inside(text.substr(from, to - from), scope, offset + from, depth);
}

Substitution substitute_in(std::string_view text, const Scope& scope, int depth) {
  Substitution s;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if ((c == '{' || c == '}') && text.substr(at + 1, 1) == text.substr(at, 1)) {
      s.text += c;
      ++at;
      continue;
    }
    if (c != '{') {
      s.text += c;
      continue;
    }
    const size_t close = find_open(text, at + 1, "}");
    if (close == text.npos) {
      return refuse("'{' is not closed", "{expression}, or {{ for a single brace", at);
    }
    if (close - at > kMaxExpressionBytes) return refuse("the expression is too long", "", at);
    Substitution inside =
        evaluate_inside(text.substr(at + 1, close - at - 1), scope, at + 1, depth);
    if (!inside.ok) return inside;
    s.text += inside.text;
    at = close;
  }
  s.ok = true;
  return s;
}

}  // namespace

Substitution substitute(std::string_view text, const Scope& scope) {
  return substitute_in(text, scope, 0);
}

}  // namespace tenon::scene
