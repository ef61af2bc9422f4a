"""Drives Chromium through its DevTools protocol over a pipe: no library, no port, no window.

Source: chromedevtools.github.io/devtools-protocol; messages are JSON texts that end in a zero byte, on
file descriptors 3 (to the browser) and 4 (from it).
"""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

FLAGS = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--remote-debugging-pipe",
         "--no-first-run", "--disable-background-networking", "--disable-component-update",
         "--disable-sync", "--hide-scrollbars"]
# Mesa draws twice as fast as the browser's own software renderer
DRAWING = ["--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist",
           "--enable-unsafe-swiftshader"]


def find_chromium():
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    def __init__(self, width=960, height=540, flags=DRAWING):
        self.folder = tempfile.mkdtemp(prefix="tenon-browser-")
        out_read, self.out = os.pipe()
        self.back, in_write = os.pipe()
        # the browser finds them as 3 and 4
        launch = ["sh", "-c", f'exec "$@" 3<&{out_read} 4>&{in_write}', "sh", find_chromium(), *FLAGS,
                  *flags, f"--user-data-dir={self.folder}", f"--window-size={width},{height}", "about:blank"]
        self.process = subprocess.Popen(launch, pass_fds=(out_read, in_write),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(out_read)
        os.close(in_write)
        self.rest, self.number, self.events = b"", 0, []
        deadline = time.monotonic() + 60
        while True:  # a browser that starts has no page for a moment
            pages = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
            if pages or time.monotonic() > deadline:
                break
            time.sleep(0.1)
        self.session = self.call("Target.attachToTarget", targetId=pages[0]["targetId"],
                                 flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def close(self):
        try:
            self.call("Browser.close", limit=10)
            self.process.wait(10)
        except Exception:  # it is gone, or it has to go
            self.process.kill()
            self.process.wait()
        for descriptor in (self.out, self.back):
            os.close(descriptor)
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, limit=60, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if getattr(self, "session", None) and not method.startswith(("Target.", "Browser.")):
            message["sessionId"] = self.session
        os.write(self.out, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + limit
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self, deadline):
        while b"\0" not in self.rest:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.back], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.back, 1 << 16)
            if not piece:
                raise RuntimeError("the browser has ended")
            self.rest += piece
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def open(self, path):
        self.events.clear()
        self.call("Page.navigate", url=f"file://{path}")

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"])[:800])
        return result["result"].get("value")

    def wait_for(self, expression, limit=30):
        deadline = time.monotonic() + limit
        while time.monotonic() < deadline:
            value = self.evaluate(expression)
            if value:
                return value
            time.sleep(0.05)
        raise TimeoutError(f"{expression} did not come true")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def drag(self, x0, y0, x1, y1, **more):
        self.mouse("mousePressed", x0, y0, button="left", clickCount=1, **more)
        for k in range(1, 6):
            self.mouse("mouseMoved", x0 + (x1 - x0) * k / 5, y0 + (y1 - y0) * k / 5, button="left",
                       buttons=1, **more)
        self.mouse("mouseReleased", x1, y1, button="left", clickCount=1, **more)

    def key(self, key, **more):
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **more)

    def screenshot(self, path=None):
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        if path:
            path.write_bytes(data)
        return data

    def complaints(self):
        """What the page wrote to its console as a warning or error, and what it did not catch."""
        self.evaluate("1")  # lets events through
        found = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"].get("text"))
            if event.get("method") == "Runtime.consoleAPICalled" and event["params"]["type"] in ("error", "warning"):
                found.append(str(event["params"]["args"])[:400])
            if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
                found.append(event["params"]["entry"]["text"])
        return found
