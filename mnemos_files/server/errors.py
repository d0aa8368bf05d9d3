"""What a client reads when a call fails."""

from mnemos_files.errors import MnemosError, NotFoundError


def describe(error: MnemosError) -> str:
    """`code: message. remedy`, in plain sentences."""
    parts = [f"{error.code}: {_sentence(error.message)}", _sentence(error.remedy)]
    if isinstance(error, NotFoundError) and error.candidates:
        unnamed = [name for name in error.candidates if name not in error.message + error.remedy]
        parts.append(f"Nearest: {', '.join(unnamed)}." if unnamed else "")
    return " ".join(part for part in parts if part)


def describe_unexpected(error: Exception) -> str:
    """A sentence for an error of ours, without its text, which may hold paths of the machine."""
    return (
        f"internal: an error in the server stopped this call ({type(error).__name__}). "
        "Search before you repeat a write; the server's log on standard error has the details."
    )


def _sentence(text: str) -> str:
    text = text.strip()
    return text if not text or text[-1] in ".!?" else f"{text}."
