import sys

from mnemos_files.cli.progress import Progress


def test_what_is_quick_draws_no_bar_and_loads_no_rich(capsys):
    with Progress("reading notes") as progress:
        for done in range(100):
            progress(done, 100)

    assert capsys.readouterr().err == ""


def test_a_pipe_gets_no_bar_however_long_it_takes(capsys):
    progress = Progress("reading notes", patience_seconds=0)

    progress(1, 2)

    assert not sys.stderr.isatty()
    assert capsys.readouterr().err == ""
