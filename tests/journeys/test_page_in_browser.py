"""The page in a real browser: ``pip install -e '.[dev,browser]' && pytest -n 0 -m browser``.

Needs Chromium, from the system or from `playwright install chromium`. With PAGE_PICTURES=DIR the
pictures are kept there.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemos_files.report.page import render
from mnemos_files.report.page_facts import facts
from tests.benchmarks.notes import make, write
from tests.conftest import NOON, Clock, WordEmbedder
from tests.report.vaults import filled

playwright = pytest.importorskip("playwright.sync_api", reason="the extra `browser` is not there")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="as above")

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}
SCREENS = [
    pytest.param(size, scheme, id=f"{size['width']}-{scheme}")
    for size in (PHONE, DESK)
    for scheme in ("light", "dark")
]


@pytest.fixture(scope="module")
def browser() -> Iterator:
    """Headless Chromium, the system's where there is one."""
    path = shutil.which("chromium") or shutil.which("google-chrome")
    with playwright.sync_playwright() as running:
        # Without a sandbox: in a container root cannot have one, and the page is our own.
        started = running.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def small(store, clock: Clock, tmp_path: Path) -> Path:
    """The page of a vault with one of everything."""
    filled(store, clock)
    return _written(render(facts(store)), tmp_path)


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a vault of 2,000 memories."""
    from mnemos_files.store.open import open_store  # noqa: PLC0415 - as the fixtures of conftest

    folder = tmp_path_factory.mktemp("large")
    root = folder / "vault"
    notes = make(2_000)
    write(notes, root)
    for before, note in zip(notes[::7], notes[1::7], strict=False):
        link = f'supersedes: "[[{Path(before.path).stem}]]"\nsource_kind:'
        (root / note.path).write_text(note.text.replace("source_kind:", link, 1), encoding="utf-8")
    options = {"clock": Clock(NOON), "embedder": WordEmbedder()}
    store = open_store(root, cache_folder=folder / "cache", **options)
    store.finish()
    text = render(facts(store))
    store.close()
    assert len(text.encode()) <= 3_000_000
    return _written(text, folder)


def _written(text: str, folder: Path) -> Path:
    file = folder / "page.html"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.fixture
def show(browser) -> Iterator:
    """Opens a page; whatever it asks of the network, or complains of, fails the test."""
    contexts, complaints = [], []

    def opener(file: Path, size=DESK, scheme: str = "light", **options: object):
        # axe is put into the page, which the page's own policy forbids.
        context = browser.new_context(viewport=size, color_scheme=scheme, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.on("request", lambda asked: asked.url == file.as_uri() or complaints.append(asked.url))
        page.goto(file.as_uri())
        return page

    yield opener
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.mark.parametrize(("size", "scheme"), SCREENS)
def test_axe_finds_nothing_in_a_page_with_everything(show, small: Path, size, scheme) -> None:
    page = show(small, size, scheme, bypass_csp=True)
    for summary in page.query_selector_all("summary"):
        summary.click()

    found = axe.Axe().run(page)

    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize(("size", "scheme"), SCREENS)
@pytest.mark.parametrize("kind", ["small", "large"])
def test_nothing_is_wider_than_the_screen(show, request, kind, size, scheme) -> None:
    page = show(request.getfixturevalue(kind), size, scheme)

    for place in ("totals", "links", "look", "use", "memories"):
        page.evaluate(f"document.getElementById('{place}').scrollIntoView()")
        if folder := os.environ.get("PAGE_PICTURES"):
            name = f"{kind}-{size['width']}-{scheme}-{place}.png"
            page.screenshot(path=Path(folder) / name)
    assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


@pytest.mark.parametrize("kind", ["small", "large"])
def test_a_link_leads_to_the_card_also_when_the_filter_hides_it(show, request, kind) -> None:
    page = show(request.getfixturevalue(kind))
    page.fill("#words", "no memory says this")
    page.wait_for_function("document.getElementById('told').textContent.startsWith('0 of ')")

    link = page.locator(".graph li a").first
    anchor = link.get_attribute("href")
    link.click()

    page.wait_for_function(
        """anchor => { const box = document.querySelector(anchor).getBoundingClientRect();
                       return box.height > 0 && box.top >= 0 && box.top < innerHeight }""",
        arg=anchor,
    )


def test_the_filter_finds_words_and_states(show, small: Path) -> None:
    page = show(small)
    shown = "[...document.querySelectorAll('article:not([hidden]) h4')].map(e => e.textContent)"

    page.fill("#words", "argon2id 64")
    page.wait_for_function("document.getElementById('told').textContent === '1 of 9 memories'")
    assert [title.strip() for title in page.evaluate(shown)] == ["Use Argon2id"]

    page.fill("#words", "")
    page.select_option("#state", "raw")
    page.wait_for_function("document.getElementById('told').textContent === '1 of 9 memories'")
    assert page.evaluate(shown)[0].startswith("Hashes are slow")

    page.click("#clear")
    assert page.evaluate(f"{shown}.length") == 9


def test_the_first_key_offers_the_content_and_focus_is_seen(show, small: Path) -> None:
    page = show(small)

    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    style = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(style) == "solid"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main') !== null")


def test_without_script_everything_but_the_filter_is_there(show, small: Path) -> None:
    page = show(small, java_script_enabled=False)

    assert page.locator("#filter").is_hidden()
    assert page.locator("article").count() == 9
    assert page.locator("article").first.is_visible()


def test_orders_of_a_stored_text_do_not_run(show, small: Path) -> None:
    page = show(small)

    assert page.locator("script").count() == 1
    assert page.locator("img").count() == 0
    assert "<script>alert" in page.locator("main").inner_text()
