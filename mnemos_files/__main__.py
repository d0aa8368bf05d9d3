"""`python -m mnemos_files`."""

from mnemos_files.cli.main import main

if __name__ == "__main__":
    main()
