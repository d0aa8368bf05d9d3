"""Parameters that several operations share."""

from typing import Annotated

from mnemos_files.operations.arguments import Param

AgentId = Annotated[str, Param("agent that the memory belongs to; empty = any", max_length=100)]
Project = Annotated[str, Param("project; search then also sees global memories", max_length=100)]
MemoryId = Annotated[str, Param("id or vault path, as search gives it", max_length=400)]

AGENT_DEFAULT = "default"
