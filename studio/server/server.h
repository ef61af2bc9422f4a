// The studio's local server: the page, and sessions over WebSockets. Loopback only. Every address
// begins with a random token, Host and Origin must be the server's own, pages come from memory, and
// files from one folder (folder.h). What is refused is logged.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tenon/studio/session/session.h"

namespace tenon::studio {

struct ServerOptions {
  int port = 0;                             // 0: any that is free
  std::string token;                        // empty: a random one
  std::map<std::string, std::string> page;  // "index.html" -> bytes
  std::vector<SceneOffer> gallery;
  std::string folder;      // empty: none
  std::string scene_text;  // what new sessions open; empty: an empty scene
  std::string scene_name;
  std::string scene_file;    // its path in the folder, where it lies there
  std::string scene_source;  // as the user named it; pages restore what they kept of the same one
  std::string version;
  SessionOptions session;
  std::string program;  // the tenon command, for films in the background; empty: none
  std::function<void(const std::string&)> log;  // a line; may be called from any thread
};

class Server {
 public:
  // Error: the port is taken, there is no folder.
  static Result<std::unique_ptr<Server>> start(const ServerOptions& options);
  ~Server();
  int port() const;
  const std::string& token() const;
  std::string address() const;  // to open in a browser

  struct Impl;

 private:
  explicit Server(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The files of a folder by relative path; error where there is no index.html.
Result<std::map<std::string, std::string>> load_page(const std::string& folder);

}  // namespace tenon::studio
