"""A headless Chromium, driven through its debugging pipe: no port, no further package."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.conftest import missing

FLAGS = ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-dev-shm-usage",
         "--disable-background-networking", "--no-first-run", "--window-size=1000,900"]  # fmt: skip


class Chromium:
    """Opens a page; `evaluate` runs JavaScript in it; `requests` are the addresses that it asked for."""

    def __init__(self, profile: Path) -> None:
        program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
        if program is None:
            missing("Chromium (Debian package chromium)")
        (read, self._write), (self._read, write) = os.pipe(), os.pipe()
        command = ["bash", "-c", f'exec "$@" 3<&{read} 4>&{write}', "chromium", program, *FLAGS]
        command += [f"--user-data-dir={profile}", "--remote-debugging-pipe", "about:blank"]
        self._process = subprocess.Popen(command, pass_fds=(read, write), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(read)
        os.close(write)
        self._buffer, self._number = b"", 0
        self.requests: list[str] = []
        self.errors: list[str] = []
        pages: list[Any] = []
        for _ in range(50):
            pages = [t for t in self._call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
            if pages:
                break
            time.sleep(0.1)
        self._session = None
        self._session = self._call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Network", "Page", "Runtime"):
            self._call(f"{domain}.enable")

    _session: str | None = None

    def open(self, page: Path) -> None:
        self._call("Page.navigate", url=page.as_uri())

    def evaluate(self, code: str) -> Any:
        result = self._call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, result["exceptionDetails"]
        return result["result"].get("value")

    def wait(self, code: str, seconds: float = 30.0) -> None:
        """Until the code is true."""
        end = time.monotonic() + seconds
        while not self.evaluate(code):
            assert time.monotonic() < end, f"{code} is still false; errors: {self.errors}"
            time.sleep(0.05)

    def _call(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self._buffer:
                piece = os.read(self._read, 1 << 20)
                assert piece, "Chromium ended"
                self._buffer += piece
            line, _, self._buffer = self._buffer.partition(b"\0")
            answer = json.loads(line)
            if answer.get("method") == "Network.requestWillBeSent":
                self.requests.append(answer["params"]["request"]["url"])
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(json.dumps(answer["params"]["exceptionDetails"])[:500])
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._read)
        os.close(self._write)
