"""Pictures to a film: .gif by Pillow, .mp4 and others by ffmpeg."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fmbs.core.errors import ModelError

Picture = NDArray[np.uint8]  # (height, width, 3)


def write_film(path: Path, pictures: Iterable[Picture], fps: int) -> None:
    """By the path's ending."""
    if path.suffix == ".gif":
        _gif(path, pictures, fps)
    elif path.suffix in (".mp4", ".mkv", ".mov", ".webm"):
        _ffmpeg(path, pictures, fps)
    else:
        raise ModelError(f"animate: {path.name} must end with .mp4, .mkv, .mov, .webm or .gif.")


def _gif(path: Path, pictures: Iterable[Picture], fps: int) -> None:
    from PIL import Image

    frames = [Image.fromarray(picture) for picture in pictures]
    frames[0].save(path, save_all=True, append_images=frames[1:], duration=round(1000 / fps), loop=0)


def _ffmpeg(path: Path, pictures: Iterable[Picture], fps: int) -> None:
    program = ffmpeg()
    process: Any = None
    for picture in pictures:
        if process is None:
            height, width = picture.shape[:2]
            command = [program, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}"]
            command += ["-r", str(fps), "-i", "-", "-pix_fmt", "yuv420p", str(path)]
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        try:
            process.stdin.write(picture.tobytes())
        except BrokenPipeError:
            break
    _, message = process.communicate()
    if process.returncode:
        raise ModelError(f"animate: {path} cannot be written ({message.decode().strip().splitlines()[-1]}).")


def ffmpeg() -> str:
    """The program on the path, or the one that the package imageio-ffmpeg brings."""
    found = shutil.which("ffmpeg")
    if found:
        return found
    try:
        from imageio_ffmpeg import get_ffmpeg_exe
    except ImportError:
        raise ModelError(
            "animate: needs ffmpeg; install it (apt install ffmpeg, or pip install 'fmbs[viz]'), or write a .gif."
        ) from None
    return str(get_ffmpeg_exe())
