"""What lies in a folder, for comparing before and after."""

from pathlib import Path


def texts(folder: Path) -> dict[str, str]:
    """Text of every file below a folder, hidden ones included; a link has `-> target`."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file():
            found[name] = path.read_text(encoding="utf-8")
    return found


def put(folder: Path, files: dict[str, str]) -> None:
    """Write files below a folder, their folders included."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def descriptors() -> int:
    """Number of files that this process has open."""
    return sum(1 for _ in Path("/proc/self/fd").iterdir())
