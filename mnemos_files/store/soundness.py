"""Whether a vault is whole enough to be written to."""

from dataclasses import dataclass

from mnemos_files.errors import RefusedError
from mnemos_files.index.index import Index
from mnemos_files.store.place import Place
from mnemos_files.store.refresh import Refresher


@dataclass(frozen=True, slots=True)
class Soundness:
    """Looks out for notes that nobody meant to lose: an unmounted disk, a signed-out sync."""

    place: Place
    index: Index
    refresher: Refresher

    def check(self) -> None:
        """Refuse to write where most notes have vanished, or where nothing may be written at all.

        Raises:
            RefusedError: they have.
            MnemosError: the reason why nothing may be written.
        """
        if self.place.refusal is not None:
            raise self.place.refusal
        if self.refresher.missing or not self.place.is_sound(len(self.index.entries)):
            self.refresher.refresh()
        for lost in self.notices():
            raise RefusedError(
                "missing-notes",
                lost,
                remedy="Bring them back; if they are meant to be gone, run "
                "`mnemos-files reindex --accept-missing`.",
            )

    def notices(self) -> tuple[str, ...]:
        """What to say of missing notes; empty when none are."""
        missing, known = self.refresher.missing, len(self.index.entries)
        if not missing:
            return ()
        return (f"{missing} of {known} notes are missing from the vault's folder",)
