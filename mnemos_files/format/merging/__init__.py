"""Two changed versions of one file made one. Pure."""

from mnemos_files.format.merging.merge import merge
from mnemos_files.format.merging.values import FILE, TEXT, Merged

__all__ = ["FILE", "TEXT", "Merged", "merge"]
