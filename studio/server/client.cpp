#include "tenon/studio/server/client.h"

#include <chrono>

namespace tenon::studio {

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Client::Client(const SessionOptions& options, const std::string& text, const std::string& name,
               const std::string& file)
    : session_(options) {
  if (!text.empty()) session_.open_first(text, name, file);
  idle_since_ = steady_seconds();
  thread_ = std::thread([this] { run(); });
}

Client::~Client() {
  {
    const std::lock_guard lock(inbox_mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Client::attach(mg_connection* connection) {
  mg_connection* before = nullptr;
  {
    const std::lock_guard lock(connection_mutex_);
    before = connection_;
    connection_ = connection;
    if (before != nullptr) {
      const std::string text = R"({"event": "taken_over"})";
      mg_websocket_write(before, MG_WEBSOCKET_OPCODE_TEXT, text.data(), text.size());
      mg_websocket_write(before, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, "", 0);
    }
  }
  const std::lock_guard lock(inbox_mutex_);
  inbox_.clear();
  partial_.clear();
}

void Client::detach(const mg_connection* connection) {
  const std::lock_guard lock(connection_mutex_);
  if (connection_ != connection) return;
  connection_ = nullptr;
  idle_since_ = steady_seconds();
}

bool Client::listens(const mg_connection* connection) {
  const std::lock_guard lock(connection_mutex_);
  return connection_ == connection;
}

bool Client::attached() {
  const std::lock_guard lock(connection_mutex_);
  return connection_ != nullptr;
}

bool Client::add_piece(const char* data, size_t size, bool last, size_t most) {
  const std::lock_guard lock(inbox_mutex_);
  if (partial_.size() + size > most) {
    partial_.clear();
    return false;
  }
  partial_.append(data, size);
  if (last) {
    inbox_.push_back(std::move(partial_));
    partial_.clear();
    wake_.notify_all();
  }
  return true;
}

// The page draws about sixty times a second; a session that has nothing to do sleeps.
void Client::run() {
  constexpr double kTick = 1.0 / 60;
  double last = steady_seconds();
  bool busy = false;
  while (true) {
    std::deque<std::string> messages;
    {
      std::unique_lock lock(inbox_mutex_);
      const auto called = [this] { return stop_ || !inbox_.empty(); };
      if (busy) {
        const double left = std::max(0.0, last + kTick - steady_seconds());
        wake_.wait_for(lock, std::chrono::duration<double>(left), called);
      } else {
        wake_.wait(lock, called);
        last = steady_seconds();
      }
      if (stop_) return;
      messages.swap(inbox_);
    }
    for (const std::string& message : messages) session_.receive(message);
    const double now = steady_seconds();
    // a page that is gone needs no playing; what it has left to compute can wait for it
    if (busy && attached() && now - last >= 0.9 * kTick) {
      session_.advance(now - last);
      last = now;
    }
    busy = session_.busy() && attached();
    send(session_.take_outgoing());
  }
}

// Blocks while the page does not read, so that nothing piles up: the run waits for its viewer.
void Client::send(std::vector<Outgoing> messages) {
  const std::lock_guard lock(connection_mutex_);
  for (const Outgoing& message : messages) {
    if (connection_ == nullptr) return;
    const int opcode = message.binary ? MG_WEBSOCKET_OPCODE_BINARY : MG_WEBSOCKET_OPCODE_TEXT;
    if (mg_websocket_write(connection_, opcode, message.bytes.data(), message.bytes.size()) <= 0) {
      connection_ = nullptr;
      idle_since_ = steady_seconds();
    }
  }
}

}  // namespace tenon::studio
