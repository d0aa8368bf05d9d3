from mnemos_files.vault.dirty import Dirty, Taken


def test_what_was_taken_is_not_handed_out_again() -> None:
    dirty = Dirty()
    dirty.add_path("a.md")
    dirty.add_path("a.md")
    dirty.add_folder("b")

    assert dirty.take() == Taken(frozenset({"a.md"}), frozenset({"b"}))
    assert dirty.take() == Taken()


def test_too_many_paths_are_everything_once() -> None:
    dirty = Dirty(most=3)
    for i in range(5):
        dirty.add_path(f"{i}.md")

    assert dirty.take() == Taken(all=True)
    dirty.add_path("a.md")
    assert dirty.take() == Taken(frozenset({"a.md"}))
