"""Parameters that several operations share."""

from typing import Annotated

from mnemos_files.operations.arguments import Param

AgentId = Annotated[str, Param("only of this agent; empty = of any", max_length=100)]
Project = Annotated[str, Param("this project and global ones; empty = all", max_length=100)]
MemoryId = Annotated[str, Param("id or vault path, as search gives it", max_length=400)]

Author = Annotated[str, Param("your name, such as claude-code", max_length=100)]
Subject = Annotated[str, Param("empty = holds for all projects", max_length=100)]
SessionId = Annotated[str, Param("id that session_start gave", max_length=200)]

AGENT_DEFAULT = "default"


def quarantine(tier: str) -> list[str]:
    """A notice for what was written to a memory of this tier, when nobody will be shown it."""
    told = "it is quarantined (raw): searches and contexts leave it out until mnemos_promote"
    return [told] if tier == "raw" else []
