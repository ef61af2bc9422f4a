// A session with a thread of its own, and the connection that listens to it now, if any. It
// outlives connections: a page that comes back finds everything as it was.
#pragma once

#include <civetweb.h>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>

#include "tenon/studio/session/session.h"

namespace tenon::studio {

class Client {
 public:
  // `file`: where the scene lies in the folder, if it does.
  Client(const SessionOptions& options, const std::string& text, const std::string& name,
         const std::string& file);
  ~Client();

  void attach(mg_connection* connection);  // one that was there before is told and left
  void detach(const mg_connection* connection);
  bool listens(const mg_connection* connection);
  // A message of the page, in pieces; false: it is too large.
  bool add_piece(const char* data, size_t size, bool last, size_t most);
  double idle_since() const { return idle_since_; }
  bool attached();

 private:
  void run();
  void send(std::vector<Outgoing> messages);

  Session session_;
  std::mutex inbox_mutex_, connection_mutex_;
  std::condition_variable wake_;
  std::deque<std::string> inbox_;
  std::string partial_;
  mg_connection* connection_ = nullptr;
  std::atomic<double> idle_since_{0};
  bool stop_ = false;
  std::thread thread_;
};

double steady_seconds();

}  // namespace tenon::studio
