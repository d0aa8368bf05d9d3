"""Parameters that several operations share."""

from typing import Annotated

from mnemos_files.operations.arguments import Param

AgentId = Annotated[str, Param("only memories of this agent; empty = any", max_length=100)]
Project = Annotated[
    str, Param("only this project and what holds for all; empty = everything", max_length=100)
]
MemoryId = Annotated[str, Param("id or vault path, as search gives it", max_length=400)]

Author = Annotated[
    str, Param("your own name, such as claude-code; the commit carries it", max_length=100)
]
Subject = Annotated[
    str, Param("project it is about; empty = holds for all projects", max_length=100)
]
SessionId = Annotated[str, Param("id that session_start gave", max_length=200)]

AGENT_DEFAULT = "default"
