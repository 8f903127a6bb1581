"""Chromium without a window, spoken to through its DevTools protocol; the standard library alone."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find():
    """Its path, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One process; the protocol's messages go through its descriptors 3 and 4, a NUL after each."""

    def __init__(self, path):
        self.profile = tempfile.mkdtemp(prefix="fencepost-browser-")
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()

        def at_3_and_4():
            # Duplicates both first, since either may itself be 3 or 4.
            first, second = os.dup(to_read), os.dup(to_write)
            os.dup2(first, 3)
            os.dup2(second, 4)

        options = ["--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run",
                   "--disable-background-networking", "--disable-component-update",
                   "--disable-dev-shm-usage", "--hide-scrollbars", "--force-color-profile=srgb",
                   f"--user-data-dir={self.profile}"]
        if os.geteuid() == 0:
            options.append("--no-sandbox")  # which does not work for root
        self.process = subprocess.Popen([path, *options, "about:blank"], pass_fds=(3, 4),
                                        preexec_fn=at_3_and_4, stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.text = b""
        self.last = 0
        self.events = []

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def receive(self, until):
        while b"\0" not in self.text:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.from_browser], [], [], left)[0]:
                raise TimeoutError("the browser does not answer")
            piece = os.read(self.from_browser, 1 << 20)
            if not piece:
                raise EOFError("the browser has ended")
            self.text += piece
        message, self.text = self.text.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + 60
        while True:
            answer = self.receive(until)
            if answer.get("id") == self.last:
                break
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]


class Page:
    """A tab of its own."""

    def __init__(self, browser, width, height, phone=False, scheme="light"):
        self.browser = browser
        self.target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=self.target,
                                    flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=2 if phone else 1, mobile=phone)
        self.call("Emulation.setTouchEmulationEnabled", enabled=phone)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme},
                            {"name": "prefers-reduced-motion", "value": "reduce"}])

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def open(self, address):
        self.browser.events.clear()
        self.call("Page.navigate", url=address)
        until = time.monotonic() + 60
        while not self.said("Page.loadEventFired"):
            self.browser.events.append(self.browser.receive(until))

    def said(self, method):
        return [e["params"] for e in self.browser.events
                if e.get("method") == method and e.get("sessionId") == self.session]

    def evaluate(self, code):
        """The value of a JavaScript expression; what it throws is raised."""
        answer = self.call("Runtime.evaluate", expression=code, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description"))
        return answer["result"].get("value")

    def click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    def write(self, text):
        self.call("Input.insertText", text=text)

    def picture(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))

    def close(self):
        self.browser.call("Target.closeTarget", targetId=self.target)
