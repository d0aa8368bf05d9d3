"""A made-up Obsidian vault of years, as people have them: nothing in it was written for us.

Daily notes, projects with the same file names in each, people with aliases, books, kanban boards,
drawings, canvases, attachments, templates with code in them; links of every form, tags in front
matter and text, dataview fields, callouts, tasks, comments, CRLF, byte-order marks, emoji and
scripts in names, front matter that is no YAML. The same number and seed give the same bytes.
"""

# ruff: noqa: S311 - repeatable, not secret

import base64
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from tests.benchmarks import wording

FIRST_DAY = date(2021, 1, 4)
PROJECTS = (
    "Atlas",
    "Harbour API",
    "🌱 Garden",
    "Büro-Umzug",
    "研究",
    "Q&A (internal)",
    "Old/Legacy",
)
COMMON = ("README", "Notes", "Index", "Meeting notes", "TODO")
TAGS = ("idea", "project/atlas", "project/harbour", "area/home", "area/home/garden", "回顾", "todo")
MOODS = ("good", "tired", "focused")


@dataclass(slots=True)
class Foreign:
    """The files of a vault by path, and what can be asked of it.

    `aliases` lead to paths, `tagged` says which notes have a tag, `links` which
    note each of some links leads to, `special` are one note of each odd kind with words of its own.
    """

    files: dict[str, bytes] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    tagged: dict[str, set[str]] = field(default_factory=dict)
    links: list[tuple[str, str]] = field(default_factory=list)
    special: dict[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> list[str]:
        """Paths that are read as notes."""
        hidden = (".obsidian/", ".trash/", "Templates/")
        return [p for p in self.files if p.endswith(".md") and not p.startswith(hidden)]

    def write(self, folder: Path) -> None:
        """All files below a folder."""
        for path, data in self.files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)


def make(count: int, seed: int = 7) -> Foreign:
    """A vault with about so many notes."""
    vault = Foreign()
    maker = Maker(vault, random.Random(seed))
    maker.specials()
    kinds = maker.kinds()
    while len(vault.files) < count:
        maker.rnd.choices([make_one for make_one, _ in kinds], [share for _, share in kinds])[0]()
    maker.settings()
    return vault


class Maker:
    """Adds one file after the other."""

    def __init__(self, vault: Foreign, rnd: random.Random) -> None:
        self.vault = vault
        self.rnd = rnd
        self._day = FIRST_DAY
        self._people: list[str] = []
        self._number = 0

    def kinds(self) -> list[tuple[Callable[[], None], int]]:
        """What there is, with shares."""
        return [
            (self.daily, 30),
            (self.project, 25),
            (self.person, 10),
            (self.book, 12),
            (self.zettel, 17),
            (self.board, 2),
            (self.drawing, 2),
            (self.attachment, 2),
        ]

    def daily(self) -> None:
        """A daily note: dataview fields, tasks, an embed."""
        self._day += timedelta(days=1)
        before = self._day - timedelta(days=1)
        path = f"Daily/{self._day:%Y}/{self._day.isoformat()}.md"
        text = (
            f"---\ndate: {self._day.isoformat()}\ntags: [daily, log/{self._day:%Y}]\n"
            "cssclasses:\n  - wide\n---\n"
            f"mood:: {self.rnd.choice(MOODS)}\n[weight:: {self.rnd.randrange(60, 90)}]\n\n"
            f"<< [[{before.isoformat()}]] | [[{self._day:%Y}-W{self._day:%V}|week]]\n\n"
            f"- [ ] call {self._person()} 📅 {self._day.isoformat()} #todo\n"
            f"- [x] {self._sentence()} ✅ {self._day.isoformat()}\n\n"
            f"{self._text(2)}\n\n![[{self.rnd.choice(COMMON)}#Log]]\n"
        )
        self._add(path, text, ("daily", f"log/{self._day:%Y}", "todo"))

    def project(self) -> None:
        """A note whose name every project has, with links of markdown."""
        name, folder = self.rnd.choice(COMMON), self.rnd.choice(PROJECTS)
        self._number += 1
        path = f"Projects/{folder}/{self._number // 5:04}/{name}.md"
        tag = self.rnd.choice(TAGS)
        text = (
            f"# {folder} {name} {self._number}\n\n#{tag} {self._sentence()}\n\n"
            f"> [!warning]- {self._sentence()}\n> {self._sentence()}\n> - nested\n\n"
            f"See [the notes](Notes.md#log), [above](../README.md) and [[{folder}/{name}|here]].\n"
            f"%% a comment %%\n\n## Log\n\n{self._text(3)} ^b{self._number}\n\n"
            f'```dataview\nTABLE mood FROM #daily WHERE contains(file.name, "[[x]]")\n```\n'
            f"$$ e^{{i\\pi}} + 1 = 0 $$ [^1]\n\n[^1]: {self._sentence()}\n"
        )
        self._add(path, text, (tag,))

    def person(self) -> None:
        """A person with aliases, as a list or as one text."""
        self._number += 1
        name = f"{self.rnd.choice(wording.PEOPLE)} {self._number}"
        nick = f"Nick {self._number}"
        is_list = self.rnd.random() < 0.7
        shown = f'\n  - "{nick}"\n  - {name.upper()} Jr.' if is_list else f" {nick}, Mr {name}"
        path = f"People/{name}.md"
        text = (
            f"---\naliases:{shown}\ntags: person\nborn: 19{self.rnd.randrange(50, 99)}-02-30\n"
            "contact:\n  mail: someone@example.org\n  phones: [1, 2]\n---\n"
            f"Met through [[{self._person()}]].\n\n{self._text(1)}\n"
        )
        self._people.append(nick)
        self.vault.aliases[nick] = path
        self._add(path, text, ("person",))

    def book(self) -> None:
        """Reading notes with quotations, in a file of Windows."""
        self._number += 1
        path = f"Library/{self._sentence()[:40].strip(' .`')} {self._number}.md".replace("/", "-")
        text = (
            f"---\ntitle: \"{self._sentence()[:50]}\"\nauthor: '[[{self._person()}]]'\n"
            f"rating: 4/5\ntags:\n  - book\n---\n\n> {self._sentence()}\n\n"
            f"{self._text(3)}\n\n* * *\n"
            "| col | [[a\\|b]] |\n|---|---|\n| 1 | 2 |\n"
        ).replace("\n", "\r\n")
        self._add(_legal(path), text, ("book",), bom=self.rnd.random() < 0.3)

    def zettel(self) -> None:
        """A short note with links to people, to headings and to blocks."""
        self._number += 1
        tag = self.rnd.choice(TAGS)
        path = f"Zettel/{202101010000 + self._number} {self._sentence()[:30].strip(' .`')}.md"
        text = (
            f"{self._text(2)}\n\nSource: [[{self._person()}#Work]], [[README#^b1]] #{tag}\n"
            f'<iframe src="https://example.org/{self._number}"></iframe>\n'
        )
        self._add(_legal(path), text, (tag,))

    def board(self) -> None:
        """A board of the kanban plugin."""
        self._number += 1
        text = (
            "---\n\nkanban-plugin: basic\n\n---\n\n## To do\n\n"
            f"- [ ] {self._sentence()}\n- [ ] [[{self._person()}]]\n\n## Done\n\n**Complete**\n"
            f"- [x] {self._sentence()}\n\n\n"
            '%% kanban:settings\n```\n{"kanban-plugin":"basic"}\n```\n%%'
        )
        self._add(f"Boards/Board {self._number}.md", text, ())

    def drawing(self) -> None:
        """A drawing of the excalidraw plugin: mostly compressed data."""
        self._number += 1
        noise = base64.b64encode(self.rnd.randbytes(3_000)).decode()
        lines = "\n\n".join(noise[at : at + 256] for at in range(0, len(noise), 256))
        text = (
            "---\n\nexcalidraw-plugin: parsed\ntags: [excalidraw]\n\n---\n"
            "==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu of this document. ⚠==\n\n"
            f"# Text Elements\n{self._sentence()} ^Ab3dE6\n\n%%\n# Drawing\n"
            f"```compressed-json\n{lines}\n```\n%%"
        )
        self._add(f"Drawings/Drawing {self._number}.excalidraw.md", text, ("excalidraw",))

    def attachment(self) -> None:
        """A picture, and a canvas that shows it."""
        self._number += 1
        picture = f"attachments/Pasted image {self._number}.png"
        self.vault.files[picture] = b"\x89PNG\r\n\x1a\n" + self.rnd.randbytes(2_000)
        nodes = [{"id": "1", "type": "file", "file": picture, "x": 0, "y": 0}]
        canvas = json.dumps({"nodes": nodes, "edges": []})
        self.vault.files[f"Canvas {self._number}.canvas"] = canvas.encode()

    def specials(self) -> None:
        """One note of each odd kind, each with a word of its own."""
        odd = {
            "crlf": ("Odd/Windows.md", "# Windows\r\n\r\nThe wombatone line ends.\r\n"),
            "bom": ("Odd/Marked.md", "\ufeff---\ntags: [odd]\n---\nThe wombattwo mark.\n"),
            "emoji": ("Odd/🦊 Fox 🌲.md", "A wombatthree in the wood.\n"),
            "script": ("Odd/日記 二〇二六.md", "wombatfour 今日は晴れです。\n"),
            "broken": (
                "Odd/Broken.md",
                "---\ncreated: <% tp.date.now() %>\n\tx: [\n---\nwombatfive\n",
            ),
            "empty": ("Odd/Only keys wombatsix.md", "---\nstatus: seed\n---\n"),
            "rule": ("Odd/Rule.md", "---\n\nwombatseven between two rules\n\n---\n"),
            "callout": ("Odd/Callout.md", "> [!tip]+ Title\n> wombateight\n"),
            "math": ("Odd/Math.md", "$$\\sum_{i} [[x]]$$ wombatnine\n"),
            "html": ("Odd/Html.md", "<details>wombatten</details>\n"),
            "long": ("Odd/Long wombateleven.md", "word " * 600 + "wombateleven\n"),
            "nonl": ("Odd/No newline.md", "wombattwelve"),
            "latin": ("Odd/Latin.md", "caf\xe9 wombatthirteen"),
        }
        for kind, (path, text) in odd.items():
            data = text.encode("latin-1" if kind == "latin" else "utf-8")
            self.vault.files[path] = data
            self.vault.special[kind] = path
        self._linked()

    def _linked(self) -> None:
        """Notes that links of every form lead to, from one note in a folder."""
        files = {
            "Links/Hub.md": (
                "[[Spoke One]] [[spoke two|x]] [[Nickname]] [[Spoke One#Plan]] [[Spoke Two#^here]] "
                "[[Links/Deep/Spoke Three|x]] ![[Spoke Four]] [a](Deep/Spoke%20Five.md#h) "
                "[b](../Odd/Rule.md) [c](<Deep/Spoke (six).md>) [[./Deep/Spoke Seven]]\n"
            ),
            "Links/Spoke One.md": "# Plan\n\nwombatplan\n",
            "Links/SPOKE TWO.md": "first\n\nsecond wombathere ^here\n",
            "Links/Named.md": "---\naliases:\n  - Nickname\n---\nx\n",
            "Links/Deep/Spoke Three.md": "x\n",
            "Elsewhere/Spoke Three.md": "x\n",
            "Links/Deep/Spoke Four.md": "x\n",
            "Links/Deep/Spoke Five.md": "x\n",
            "Elsewhere/Spoke Five.md": "x\n",
            "Links/Deep/Spoke (six).md": "x\n",
            "Links/Deep/Spoke Seven.md": "x\n",
        }
        self.vault.files.update((path, text.encode()) for path, text in files.items())
        self.vault.aliases["Nickname"] = "Links/Named.md"
        self.vault.links = [
            ("Links/Hub.md", path)
            for path in files
            if path != "Links/Hub.md" and not path.startswith("Elsewhere")
        ]

    def settings(self) -> None:
        """What Obsidian and its plugins keep, templates, a deleted note."""
        more = {
            ".obsidian/app.json": '{"alwaysUpdateLinks": true, "newLinkFormat": "shortest"}',
            ".obsidian/types.json": '{"types": {"tags": "tags", "rating": "text"}}',
            ".obsidian/workspace.json": '{"main": {}}',
            ".obsidian/plugins/dataview/data.json": '{"token": "x"}',
            ".trash/Gone.md": "wombatgone\n",
            ".gitignore": ".obsidian/workspace.json\r\n*.tmp\r\n",
            ".gitattributes": "*.png binary\n",
            "Home.md": "# My home\n\nwombathome\n",
            "Templates/Daily.md": "---\ndate: <% tp.date.now() %>\n---\n<%* wombatcode %>\n",
        }
        self.vault.files.update((path, text.encode()) for path, text in more.items())

    def _add(self, path: str, text: str, tags: tuple[str, ...], *, bom: bool = False) -> None:
        self.vault.files[path] = (b"\xef\xbb\xbf" if bom else b"") + text.encode()
        for tag in tags:
            self.vault.tagged.setdefault(tag, set()).add(path)

    def _person(self) -> str:
        return self.rnd.choice(self._people or ["Nobody yet"])

    def _sentence(self) -> str:
        names = {
            "project": self.rnd.choice(wording.PROJECTS),
            "lib": self.rnd.choice(wording.LIBS),
            "who": self.rnd.choice(wording.PEOPLE),
            "place": self.rnd.choice(wording.PLACES),
            "ident": f"ident{self.rnd.randrange(5_000)}",
            "num": str(self.rnd.randrange(2, 999)),
            "ver": f"{self.rnd.randrange(9)}.{self.rnd.randrange(30)}",
            "code": f"E{self.rnd.randrange(1000, 9999)}",
        }
        return self.rnd.choice(wording.FILLER).format(**names)

    def _text(self, paragraphs: int) -> str:
        made = " ".join(self._sentence() for _ in range(self.rnd.randrange(2, 6)))
        return "\n\n".join(
            [made, *(" ".join(self._sentence() for _ in range(3)) for _ in range(paragraphs - 1))]
        )


def _legal(path: str) -> str:
    """Without signs that no file of Obsidian has."""
    return "".join(sign for sign in path if sign not in '\\:*?"<>|#^[]')
