"""A headless Chromium, driven through its own pipe; needs nothing but the program."""

import base64
import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
CHROMIUM = os.environ.get("SERVIDA_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
PATIENCE = 60.0  # seconds that something may take to come about
KEYS = {"Enter": (13, "\r"), " ": (32, " "), "Backspace": (8, ""), "ArrowLeft": (37, ""), "ArrowRight": (39, "")}
KEYS |= {"ArrowUp": (38, ""), "ArrowDown": (40, ""), "Tab": (9, ""), "Escape": (27, "")}


class Browser:
    """One page in a browser of its own; `problems` are what it complained about."""

    def __init__(self, profile: Path):
        read, self._out = os.pipe()
        self._in, write = os.pipe()
        options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--remote-debugging-pipe"]
        options += [f"--user-data-dir={profile}", "--disable-dev-shm-usage", "about:blank"]
        script = f'exec "$0" "$@" 3<&{read} 4>&{write}'
        command = ["bash", "-c", script, str(CHROMIUM), *options]
        self._process = subprocess.Popen(command, pass_fds=(read, write), stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self._number, self._session, self._rest = 0, "", b""
        self.problems: list[str] = []
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target["targetId"] for target in targets if target["type"] == "page")
        self._session = self.call("Target.attachToTarget", targetId=page, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()
        os.close(self._in)
        os.close(self._out)

    def call(self, method: str, **params: Any) -> Any:
        """The result of a command of the DevTools protocol."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (found := self._next()).get("id") != self._number:
            self._note(found)
        assert "error" not in found, found
        return found["result"]

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            read = os.read(self._in, 1 << 20)
            assert read, "the browser has ended"
            self._rest += read
        first, _, self._rest = self._rest.partition(b"\0")
        message: dict[str, Any] = json.loads(first)
        return message

    def _note(self, event: dict[str, Any]) -> None:
        if event.get("method") == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(event["params"]["exceptionDetails"]))
        if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error":
            self.problems.append(event["params"]["entry"]["text"])

    def run(self, script: str) -> Any:
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def until(self, script: str) -> None:
        """Waits until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not self.run(f"(async () => Boolean(await ({script})))()"):
            assert time.monotonic() < end, f"{script}; the page: {self.run('document.body.innerText')}"
            time.sleep(0.05)

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)
        self.until("document.documentElement?.dataset.ready === '' && location.href.startsWith('http')")

    def press(self, *keys: str) -> None:
        for key in keys:
            code, text = KEYS.get(key) or (ord(key), key)
            about = {"key": key, "windowsVirtualKeyCode": code}
            self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **about)
            self.call("Input.dispatchKeyEvent", type="keyUp", **about)

    def click(self, selector: str) -> None:
        """A real click into the middle of an element."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.run(f"{element}.scrollIntoView({{ block: 'center' }})")
        middle = "((r) => [r.x + r.width / 2, r.y + r.height / 2])"
        x, y = self.run(f"{middle}({element}.getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def choose(self, selector: str, value: str) -> None:
        """A value for a field or a list."""
        self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.value = {json.dumps(value)};"
            "e.dispatchEvent(new Event('change', { bubbles: true })); })()"
        )

    def text(self, selector: str) -> str:
        return str(self.run(f"document.querySelector({json.dumps(selector)}).innerText"))

    def look(self, language: str = "en-US", *, width: int = 1200, dark: bool = False) -> None:
        """As whom, and how, the page is seen."""
        self.call("Network.setUserAgentOverride", userAgent="test", acceptLanguage=language)
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 600
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])

    def picture(self, path: Path) -> None:
        found = self.call("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(found["data"]))
