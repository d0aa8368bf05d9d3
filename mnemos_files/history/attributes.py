"""What git's attributes and ignore rules say about a path, and the bytes that git would keep."""

import pygit2
from pygit2.enums import FilterMode, ObjectType

from mnemos_files.errors import RefusedError, UnavailableError
from mnemos_files.history.process import Git

_PROGRAMS = ("filter", "working-tree-encoding")
"""Attributes whose conversion libgit2 does not do: LFS, git-crypt, other encodings."""


class Attributes:
    """Conversions of one repository. Each answer is fresh: the files may change at any time."""

    def __init__(self, repo: pygit2.Repository, git: Git) -> None:
        self._repo = repo
        self._git = git

    def conversion(self, path: str) -> str:
        """The program or encoding through which git would pass this file, "" when none."""
        for name in _PROGRAMS:
            value = self._value(path, name)
            if isinstance(value, str):
                return f"{name}={value}"
        return ""

    def is_ignored(self, path: str) -> bool:
        """True when an ignore rule fits; tracked files are not looked at."""
        return self._repo.path_is_ignored(path)

    def blob_id(self, path: str, data: bytes) -> str:
        """Id of the blob that git would make of these bytes at this path."""
        return self._blob(path, data, None)

    def write_blob(self, repo: pygit2.Repository, path: str, data: bytes) -> pygit2.Oid:
        """Write the blob that git would make of these bytes with the given repository object.

        Raises:
            RefusedError: git would refuse to convert the line ends (core.safecrlf).
        """
        return pygit2.Oid(hex=self._blob(path, data, repo))

    def _blob(self, path: str, data: bytes, writer: pygit2.Repository | None) -> str:
        # The built-in conversions only touch carriage returns and `$Id$`.
        if b"\r" in data or b"$Id" in data:
            try:
                data = self._cleaned(path, data)
            except pygit2.GitError as error:
                if not _is_foreign_index(error):
                    raise RefusedError("filter", f"git refuses {path}: {error}") from error
                return self._hash_object(path, data, write=writer is not None)
        made = pygit2.hash(data) if writer is None else writer.create_blob(data)
        return str(made)

    def _cleaned(self, path: str, data: bytes) -> bytes:
        filters = self._repo.load_filter_list(path, FilterMode.CLEAN)
        if filters is None:
            return data
        if b"\0" not in data:
            return filters.apply_to_buffer(data)
        # pygit2 cuts the result at the first NUL. git takes such a file for binary unless the
        # attribute `text` is set, and then converts line by line: so do its pieces.
        if self._value(path, "text") is not True:
            return data
        return b"\0".join(filters.apply_to_buffer(piece) for piece in data.split(b"\0"))

    def _value(self, path: str, name: str) -> bool | str | None:
        try:
            return self._repo.get_attr(path, name)
        except pygit2.GitError as error:
            if not _is_foreign_index(error):
                raise UnavailableError(
                    f"git's attributes cannot be read: {error}",
                    remedy="Run `git status`; a damaged index is made anew by `rm .git/index`"
                    " and `git reset`, which forgets what was staged.",
                ) from error
        return self._asked(path, name)

    def _asked(self, path: str, name: str) -> bool | str | None:
        finished = self._git.run("check-attr", "-z", name, "--", path)
        if not finished.is_ok:
            raise _no_git(finished.errors)
        value = finished.output.split(b"\0")[2].decode("utf-8", "replace")
        return {"unspecified": None, "set": True, "unset": False}.get(value, value)

    def _hash_object(self, path: str, data: bytes, *, write: bool) -> str:
        flags = ("-w",) if write else ()
        finished = self._git.run(
            "hash-object", *flags, "--stdin", "-t", ObjectType.BLOB.name.lower(), f"--path={path}",
            payload=data,
        )  # fmt: skip
        if not finished.is_ok:
            raise _no_git(finished.errors)
        return finished.output.decode("ascii").strip()


def _is_foreign_index(error: pygit2.GitError) -> bool:
    """True for a split or sparse index, which libgit2 refuses to read."""
    return "mandatory extension" in str(error)


def _no_git(errors: str) -> UnavailableError:
    return UnavailableError(
        f"the git index is split or sparse and the git program could not help: {errors}",
        remedy="Install git, or run `git update-index --no-split-index` or"
        " `git sparse-checkout reapply --no-sparse-index`.",
    )
