#include "tenon/studio/server/server.h"

#include <civetweb.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "tenon/studio/server/client.h"
#include "tenon/studio/server/folder.h"
#include "tenon/studio/server/jobs.h"

namespace tenon::studio {
namespace fs = std::filesystem;
namespace {

constexpr size_t kMostClients = 16;
constexpr size_t kMostIdle = 4;  // that no page listens to; each may hold its whole budget

std::string make_token() {
  std::random_device device;
  std::string token;
  for (int i = 0; i < 32; ++i) token += "0123456789abcdef"[device() & 15];
  return token;
}

// Takes as long for a wrong token as for the right one.
bool same_token(const std::string& a, const std::string& b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    difference |= static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

const char* media_type(const std::string& path) {
  static const std::map<std::string, const char*> types{{".html", "text/html; charset=utf-8"},
                                                        {".js", "text/javascript; charset=utf-8"},
                                                        {".css", "text/css; charset=utf-8"},
                                                        {".json", "application/json"},
                                                        {".svg", "image/svg+xml"},
                                                        {".wasm", "application/wasm"},
                                                        {".png", "image/png"},
                                                        {".jpg", "image/jpeg"},
                                                        {".woff2", "font/woff2"},
                                                        {".mp4", "video/mp4"},
                                                        {".webm", "video/webm"},
                                                        {".gif", "image/gif"},
                                                        {".glb", "model/gltf-binary"}};
  const auto found = types.find(fs::path(path).extension().string());
  return found == types.end() ? "application/octet-stream" : found->second;
}

}  // namespace

struct Server::Impl {
  ServerOptions options;
  std::string token;
  std::unique_ptr<Folder> folder;
  std::unique_ptr<RenderJobs> jobs;
  mg_context* context = nullptr;
  int port = 0;
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<Client>> clients;
  std::map<const mg_connection*, std::shared_ptr<Client>> by_connection;

  ~Impl() {
    if (context != nullptr) mg_stop(context);
  }

  void log(const std::string& line) const {
    if (options.log) options.log(line);
  }

  // Why a request is not for us, or nullptr.
  const char* reason_against(const mg_connection* connection, bool needs_origin) const {
    const mg_request_info* info = mg_get_request_info(connection);
    const std::string uri = info->local_uri != nullptr ? info->local_uri : "";
    const size_t slash = uri.find('/', 1);
    const std::string given = uri.substr(0, slash);
    const std::string here = std::to_string(port);
    const char* host = mg_get_header(connection, "Host");
    if (host == nullptr || (host != "127.0.0.1:" + here && host != "localhost:" + here))
      return "another host name";
    const char* origin = mg_get_header(connection, "Origin");
    if (origin == nullptr && needs_origin) return "no origin";
    if (origin != nullptr && origin != "http://127.0.0.1:" + here &&
        origin != "http://localhost:" + here)
      return "another origin";
    if (given.empty() || !same_token(given.substr(1), token)) return "no token or a wrong one";
    return nullptr;
  }

  void log_refusal(const mg_connection* connection, const char* reason) const {
    const mg_request_info* info = mg_get_request_info(connection);
    std::string uri = info->request_uri != nullptr ? info->request_uri : "";
    for (char& c : uri)
      if (static_cast<unsigned char>(c) < 32 || c == 127) c = '?';
    if (const size_t at = uri.find(token); at != uri.npos) uri.replace(at, token.size(), "TOKEN");
    log(std::string("refused: ") + info->request_method + " " + uri.substr(0, 200) + " (" + reason +
        ")");
  }

  std::string header_lines(const char* type, size_t size) const {
    const std::string ws =
        "ws://127.0.0.1:" + std::to_string(port) + " ws://localhost:" + std::to_string(port);
    return std::string("Content-Type: ") + type + "\r\nContent-Length: " + std::to_string(size) +
           "\r\nCache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY"
           "\r\nReferrer-Policy: no-referrer\r\nCross-Origin-Resource-Policy: same-origin"
           "\r\nCross-Origin-Opener-Policy: same-origin"
           "\r\nContent-Security-Policy: default-src 'self'; connect-src 'self' " +
           ws +
           "; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; "
           "script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; frame-ancestors 'none'"
           "\r\nConnection: close\r\n\r\n";
  }

  int answer(mg_connection* connection, int status, const char* words, const char* type,
             const std::string& body) const {
    const std::string head = "HTTP/1.1 " + std::to_string(status) + " " + words + "\r\n" +
                             header_lines(type, body.size());
    mg_write(connection, head.data(), head.size());
    const bool only_head =
        std::strcmp(mg_get_request_info(connection)->request_method, "HEAD") == 0;
    if (!only_head) mg_write(connection, body.data(), body.size());
    return status;
  }

  int serve(mg_connection* connection) const {
    const mg_request_info* info = mg_get_request_info(connection);
    if (const char* reason = reason_against(connection, false); reason != nullptr) {
      log_refusal(connection, reason);
      return answer(connection, 403, "Forbidden", "text/plain", "refused\n");
    }
    if (std::strcmp(info->request_method, "GET") != 0 &&
        std::strcmp(info->request_method, "HEAD") != 0) {
      log_refusal(connection, "only GET is served");
      return answer(connection, 405, "Method Not Allowed", "text/plain", "only GET\n");
    }
    std::string path = std::string(info->local_uri).substr(1 + token.size());
    if (path.empty()) {
      const std::string to = "/" + token + "/";
      mg_printf(connection, "HTTP/1.1 301 Moved\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n",
                to.c_str());
      return 301;
    }
    path.erase(0, 1);
    if (path.empty()) path = "index.html";
    if (jobs != nullptr && path.starts_with("jobs/")) {
      const Result<std::string> made = jobs->read(path.substr(5));
      if (made) return answer(connection, 200, "OK", media_type(path), *made);
    }
    const auto file = options.page.find(path);
    if (file == options.page.end()) {
      log_refusal(connection, "no such file");
      return answer(connection, 404, "Not Found", "text/plain", "no such file\n");
    }
    return answer(connection, 200, "OK", media_type(path), file->second);
  }

  // The session that a page asks for by its own name, or a new one. Nothing when there are too
  // many.
  std::shared_ptr<Client> find_client(const std::string& name) {
    const std::lock_guard lock(mutex);
    if (const auto known = clients.find(name); known != clients.end()) return known->second;
    if (clients.size() >= kMostClients) {
      // the one that has been left alone longest goes; its page has kept its work
      auto oldest = clients.end();
      for (auto at = clients.begin(); at != clients.end(); ++at) {
        if (at->second->attached()) continue;
        if (oldest == clients.end() || at->second->idle_since() < oldest->second->idle_since())
          oldest = at;
      }
      if (oldest == clients.end()) return nullptr;
      clients.erase(oldest);
    }
    auto client = std::make_shared<Client>(options.session, options.scene_text, options.scene_name,
                                           options.scene_file);
    clients[name] = client;
    return client;
  }

  // Sessions that were left longest go; their pages have kept the work, and bring it back.
  void drop_idle() {
    std::vector<std::shared_ptr<Client>> gone;  // ended when nobody waits for the lock
    const std::lock_guard lock(mutex);
    while (true) {
      size_t idle = 0;
      auto oldest = clients.end();
      for (auto at = clients.begin(); at != clients.end(); ++at) {
        if (at->second->attached()) continue;
        ++idle;
        if (oldest == clients.end() || at->second->idle_since() < oldest->second->idle_since())
          oldest = at;
      }
      if (idle <= kMostIdle) return;
      gone.push_back(oldest->second);
      clients.erase(oldest);
    }
  }

  std::shared_ptr<Client> client_of(const mg_connection* connection) {
    const std::lock_guard lock(mutex);
    const auto found = by_connection.find(connection);
    return found == by_connection.end() ? nullptr : found->second;
  }

  static int on_request(mg_connection* connection, void* data) {
    return static_cast<Impl*>(data)->serve(connection);
  }
  static int on_connect(const mg_connection* connection, void* data) {
    const auto* impl = static_cast<Impl*>(data);
    const char* reason = impl->reason_against(connection, true);
    if (reason == nullptr) return 0;
    impl->log_refusal(connection, reason);
    return 1;
  }
  static void on_ready(mg_connection* connection, void* data) {
    auto* impl = static_cast<Impl*>(data);
    const char* query = mg_get_request_info(connection)->query_string;
    char name[64] = "";
    if (query != nullptr) mg_get_var(query, std::strlen(query), "session", name, sizeof name);
    std::shared_ptr<Client> client = impl->find_client(name);
    if (client == nullptr) {
      const std::string text = R"({"event": "full"})";
      mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_TEXT, text.data(), text.size());
      mg_websocket_write(connection, MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE, "", 0);
      impl->log("refused: too many pages are open");
      return;
    }
    client->attach(connection);
    const std::lock_guard lock(impl->mutex);
    impl->by_connection[connection] = client;
  }
  static int on_data(mg_connection* connection, int bits, char* bytes, size_t size, void* data) {
    auto* impl = static_cast<Impl*>(data);
    const int opcode = bits & 0xf;
    if (opcode == MG_WEBSOCKET_OPCODE_CONNECTION_CLOSE) return 0;
    if (opcode == MG_WEBSOCKET_OPCODE_PING || opcode == MG_WEBSOCKET_OPCODE_PONG) return 1;
    std::shared_ptr<Client> client = impl->client_of(connection);
    if (client == nullptr || !client->listens(connection)) return 0;
    if (opcode == MG_WEBSOCKET_OPCODE_BINARY) {
      impl->log("refused: a binary message");
      return 0;
    }
    if (!client->add_piece(bytes, size, (bits & 0x80) != 0,
                           impl->options.session.max_message_bytes)) {
      impl->log("refused: a message larger than " +
                std::to_string(impl->options.session.max_message_bytes) + " bytes");
      return 0;
    }
    return 1;
  }
  static void on_close(const mg_connection* connection, void* data) {
    auto* impl = static_cast<Impl*>(data);
    std::shared_ptr<Client> client = impl->client_of(connection);
    if (client != nullptr) client->detach(connection);
    {
      const std::lock_guard lock(impl->mutex);
      impl->by_connection.erase(connection);
    }
    client.reset();
    impl->drop_idle();
  }

  Status start() {
    if (!options.folder.empty()) {
      std::error_code trouble;
      if (!fs::is_directory(options.folder, trouble))
        return Error{.message = "there is no such folder", .file = options.folder};
      folder = std::make_unique<Folder>(options.folder);
    }
    options.session.gallery = &options.gallery;
    options.session.files = folder.get();
    if (!options.program.empty()) jobs = std::make_unique<RenderJobs>(options.program);
    options.session.jobs = jobs.get();
    options.session.version = options.version;
    options.session.transport = "server";
    options.session.source = options.scene_source;
    options.session.timeline.clock = steady_seconds;
    const std::string address = "127.0.0.1:" + std::to_string(options.port);
    const char* settings[] = {"listening_ports",
                              address.c_str(),
                              "num_threads",
                              "40",
                              "request_timeout_ms",
                              "10000",
                              "websocket_timeout_ms",
                              "20000",
                              "enable_websocket_ping_pong",
                              "yes",
                              "tcp_nodelay",
                              "1",
                              "max_request_size",
                              "16384",
                              nullptr};
    mg_callbacks callbacks{};
    context = mg_start(&callbacks, this, settings);
    if (context == nullptr)
      return Error{.message = "the server cannot listen on its port",
                   .value = address,
                   .accepted = "a port that is free (--port)"};
    mg_server_port ports[1];
    if (mg_get_server_ports(context, 1, ports) == 1) port = ports[0].port;
    mg_set_request_handler(context, "/", on_request, this);
    mg_set_websocket_handler(context, ("/" + token + "/ws").c_str(), on_connect, on_ready, on_data,
                             on_close, this);
    return Ok{};
  }
};

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Server::~Server() = default;
int Server::port() const { return impl_->port; }
const std::string& Server::token() const { return impl_->token; }
std::string Server::address() const {
  return "http://127.0.0.1:" + std::to_string(port()) + "/" + token() + "/";
}

Result<std::unique_ptr<Server>> Server::start(const ServerOptions& options) {
  auto impl = std::make_unique<Impl>();
  impl->options = options;
  impl->token = options.token.empty() ? make_token() : options.token;
  if (Status s = impl->start(); !s) return s.error();
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Result<std::map<std::string, std::string>> load_page(const std::string& folder) {
  std::map<std::string, std::string> page;
  std::error_code trouble;
  fs::recursive_directory_iterator at(folder, trouble);
  for (; !trouble && at != fs::recursive_directory_iterator(); at.increment(trouble)) {
    if (!at->is_regular_file()) continue;
    std::ifstream file(at->path(), std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    page[fs::relative(at->path(), folder).generic_string()] = std::move(bytes);
  }
  if (!page.contains("index.html"))
    return Error{.message = "the page of the studio is not built",
                 .file = folder,
                 .accepted = "tools/build_studio, which makes it (node 18 and npm)"};
  return page;
}

}  // namespace tenon::studio
