"""Names on maps can be read in programs that know less of SVG than browsers."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.debian import CannotUnpackError, started, unpacked
from tests.outputs.python_tools import installed
from tests.web.browser import launched
from ziggurat.studio.cli import main

SCALE = 2
DARK = 120  # of 255; letters are darker, land and halos are brighter
LABELS = "svg => [...svg.querySelectorAll('text')].map(one => {" \
    "const box = one.getBBox(); return [box.x, box.y, box.width, box.height]})"  # fmt: skip
# Run with packages that only this test needs: counts the dark pixels of stretches of a picture.
COUNT = """
import json, sys
from PIL import Image
picture, boxes, scale, dark = json.load(sys.stdin)
Image.MAX_IMAGE_PIXELS = None
image = Image.open(picture).convert("L")
print(json.dumps([
    sum(image.crop([round(edge * scale) for edge in (x, y, x + w, y + h)]).histogram()[:dark])
    for x, y, w, h in boxes
]))
"""
CAIRO = "import cairosvg, sys; cairosvg.svg2png(url=sys.argv[1], write_to=sys.argv[2], scale={})"


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    return installed("cairosvg", "pillow")


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, list[list[float]]]:
    """A map, the picture that Chromium makes of it, and the places of its names."""
    folder = tmp_path_factory.mktemp("map")
    assert main(["map", "west", "-o", str(folder / "west.svg")]) == 0
    with launched() as browser:
        page = browser.new_page(device_scale_factor=SCALE)
        page.goto((folder / "west.svg").as_uri())
        svg = page.query_selector("svg")
        size = svg.evaluate(
            "svg => ({width: svg.width.baseVal.value, height: svg.height.baseVal.value})"
        )
        page.set_viewport_size({name: round(value) for name, value in size.items()})
        boxes = svg.evaluate(LABELS)
        page.screenshot(path=folder / "chromium.png")
    return folder / "west.svg", folder / "chromium.png", boxes


def draw_with_cairosvg(svg: Path, picture: Path, environment: dict[str, str]) -> None:
    command = [sys.executable, "-c", CAIRO.format(SCALE), str(svg), str(picture)]
    subprocess.run(command, env=environment, check=True)


def draw_with_rsvg(svg: Path, picture: Path, environment: dict[str, str]) -> None:
    program = shutil.which("rsvg-convert")
    try:
        start = (program,) if program else started(unpacked("librsvg2-bin"), "rsvg-convert")
    except CannotUnpackError as error:
        pytest.skip(str(error))
    command = [*start, "--zoom", str(SCALE), "--output", str(picture), str(svg)]
    subprocess.run(command, env=dict(os.environ), check=True)


@pytest.mark.slow
@pytest.mark.parametrize("draw", [draw_with_cairosvg, draw_with_rsvg])
def test_names_are_as_dark_as_in_browser(
    draw: Callable[[Path, Path, dict[str, str]], None],
    drawn: tuple[Path, Path, list[list[float]]],
    environment: dict[str, str],
    tmp_path: Path,
) -> None:
    svg, by_browser, boxes = drawn
    draw(svg, tmp_path / "picture.png", environment)
    expected = count_dark(by_browser, boxes, environment)
    pale = [
        (box, dark, wanted)
        for box, dark, wanted in zip(
            boxes, count_dark(tmp_path / "picture.png", boxes, environment), expected, strict=True
        )
        if dark < 0.8 * wanted
    ]
    assert sum(expected) > 100 * len(boxes)
    assert pale == []


def count_dark(picture: Path, boxes: list[list[float]], environment: dict[str, str]) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", COUNT],
        input=json.dumps([str(picture), boxes, SCALE, DARK]),
        capture_output=True, text=True, env=environment, check=True,
    )  # fmt: skip
    return json.loads(done.stdout)
