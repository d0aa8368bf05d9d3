"""Files of memories, as a person reads them."""

A, B, C = (f"01KBC3W6H5M0V2T8N4Q9F7K3Q{end}" for end in "ABC")


def note(text: str = "bcrypt caps its input at 72 bytes.", **keys: str) -> str:
    """A memory; a key with the value "-" is left out."""
    given = {
        "id": A,
        "type": "decision",
        "title": "Use Argon2id",
        "project": "api",
        "importance": "5",
        "agent": "claude-code",
        "session": '"[[Home]]"',
        "created": "2026-11-01T10:00:00Z",
        "source_kind": "user",
        "trust_tier": "curated",
    } | keys
    lines = [f"{key}: {value}" for key, value in given.items() if value != "-"]
    return "\n".join(["---", *lines, "---", text, ""])


def at(name: str, folder: str = "observations/api") -> str:
    """Path of a memory."""
    return f"{folder}/2026-11-01-{name}.md"
