"""Tags in a text, as Obsidian reads them. Pure."""

import re

# A blank or the beginning of a line before it; letters, digits, `_`, `-`, `/` and signs like emoji
# in it; a number alone is none.
_TAG = re.compile(
    r"""(?<!\S)\#([^\s\u2000-\u206f\u2e00-\u2e7f'!"\#$%&()*+,.:;<=>?@^`{|}~\[\]\\]+)""", re.VERBOSE
)


def find_tags(prose: str) -> tuple[str, ...]:
    """Tags of a text without its code (`links.without_code`), without `#`, each once."""
    if "#" not in prose:
        return ()
    found = (match[1].strip("/") for match in _TAG.finditer(prose))
    return tuple(dict.fromkeys(tag for tag in found if tag and not tag.isdigit()))
