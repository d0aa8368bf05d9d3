"""A page as a browser's parser reads it."""

from xml.etree.ElementTree import Element

import html5lib


def parsed(text: str) -> Element:
    """The tree of a page; anything that the standard calls an error fails."""
    return html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(text)


def name(element: Element) -> str:
    """The tag without its namespace."""
    return str(element.tag).rpartition("}")[2]


def all_of(tree: Element, *names: str) -> list[Element]:
    """The elements of these names, in the order of the page."""
    return [each for each in tree.iter() if isinstance(each.tag, str) and name(each) in names]


def said(element: Element) -> str:
    """The text of an element, blanks pressed together."""
    return " ".join("".join(element.itertext()).split())


def by_id(tree: Element, wanted: str) -> Element:
    """The element with this id."""
    (found,) = [each for each in tree.iter() if each.get("id") == wanted]
    return found


def faults(tree: Element) -> list[str]:
    """What is wrong with the ways through a page, and what leads out of it."""
    ids = [each.get("id") for each in tree.iter() if each.get("id") is not None]
    found = [f"twice: {each}" for each in set(ids) if ids.count(each) > 1]
    for each in tree.iter():
        found += [f"{key}={value}" for key, value in each.attrib.items() if _is_bad(key, value)]
        aims = [(each.get("href") or "#")[1:], *(each.get("aria-labelledby") or "").split()]
        aims += [each.get("for") or ""]
        found += [f"nowhere: {aim}" for aim in aims if aim and aim not in ids]
    return found


def _is_bad(key: str, value: str) -> bool:
    leads_out = key in ("href", "{http://www.w3.org/1999/xlink}href") and value[:1] != "#"
    return leads_out or key in ("src", "srcset", "style", "action") or str(key).startswith("on")
