"""Helper of scripts/site.

pages       preprocessor of mdBook: links of the repository become those of the site
files SITE  puts the files there that pages link to
check SITE  follows every link of the site
"""

import json
import posixpath
import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
# Not text: mdBook has put it where the page looks for it.
PICTURES = {".svg", ".png"}
# Where source files stand, as text that browsers show.
FILES = "files"
# What a link may not be looked for in: blocks of code, code in a line.
CODE = re.compile(r"(^ {0,3}(?P<fence>```+|~~~+)[^\n]*\n.*?^ {0,3}(?P=fence)[ ]*$|(?P<tick>`+)(?!`).+?(?<!`)(?P=tick)(?!`))", re.M | re.S)
LINK = re.compile(r"(\]\()([^)\s]+)(\))")


class Wrong(Exception):
    """What is wrong with a page, for people."""


def target(page, link):
    """What a link of a page leads to in the repository: path from the root, and the anchor."""
    path, _, anchor = link.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page, anchor


def outside(link):
    return bool(urlsplit(link).scheme)


def is_source(path):
    """Whether a page leads to this file as to a text that is no page."""
    return not path.endswith(".md") and Path(path).suffix not in PICTURES


def links(text):
    """The links of a page, outside of code."""
    last = 0
    for code in CODE.finditer(text):
        yield from LINK.finditer(text, last, code.start())
        last = code.end()
    yield from LINK.finditer(text, last)


def place(path):
    """Where a file of the repository stands in the site (pages still by their source's name)."""
    if path == "README.md":
        return "index.md"
    if is_source(path):
        return f"{FILES}/{path}.txt"
    if not path.startswith("docs/"):
        raise Wrong(f"{path} is not in docs/")
    return path.removeprefix("docs/")


def translated(page, text):
    """A page with the links that it has in the site."""
    here = posixpath.dirname(place(page))
    out, last = [], 0
    for link in links(text):
        if outside(link[2]):
            continue
        path, anchor = target(page, link[2])
        if not (ROOT / path).is_file():
            raise Wrong(f"{page}: link to {link[2]}: there is no file {path}")
        there = posixpath.relpath(place(path), here or ".") if path != page else ""
        out += [text[last : link.start(2)], there + (f"#{anchor}" if anchor else "")]
        last = link.end(2)
    return "".join(out) + text[last:]


def chapters(items):
    for item in items:
        if isinstance(item, dict) and "Chapter" in item:
            yield item["Chapter"]
            yield from chapters(item["Chapter"]["sub_items"])


def pages():
    """mdBook gives context and book, and takes the book."""
    _, book = json.load(sys.stdin)
    for chapter in chapters(book.get("items", book.get("sections", []))):
        page = posixpath.normpath(posixpath.join("docs", chapter["source_path"]))
        chapter["content"] = translated(page, chapter["content"])
        chapter["path"] = place(page)
    json.dump(book, sys.stdout)


def files(site):
    """Copies of the source files that pages link to."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
        name = page.relative_to(ROOT).as_posix()
        for link in links(page.read_text()):
            path, _ = target(name, link[2])
            if not outside(link[2]) and is_source(path):
                there = site / place(path)
                there.parent.mkdir(parents=True, exist_ok=True)
                there.write_bytes((ROOT / path).read_bytes())


class Html(HTMLParser):
    """Links and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("href", "src") and value:
                self.links.append(value)
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)


def check(site):
    """Every link leads to a file of the site, and to an anchor that is there."""
    found = {p: Html(p.read_text()) for p in sorted(site.rglob("*.html"))}
    count, broken = 0, []
    for page, html in found.items():
        # This one is served for any address: its links start at the root.
        if page.name == "404.html":
            continue
        for link in html.links:
            if outside(link):
                continue
            count += 1
            path, _, anchor = link.partition("#")
            there = (page.parent / unquote(path.partition("?")[0])).resolve() if path else page.resolve()
            known = found.get(there)
            if not there.is_file() or (anchor and known and unquote(anchor) not in known.anchors):
                broken.append(f"{page.relative_to(site)}: {link}")
    if broken:
        raise Wrong("links that lead nowhere:\n  " + "\n  ".join(broken))
    print(f"site: {len(found)} pages, {count} links, all lead somewhere", file=sys.stderr)


def main():
    try:
        match sys.argv[1:]:
            # mdBook asks first whether this is for its kind of output.
            case ["pages", "supports", _]:
                pass
            case ["pages"]:
                pages()
            case ["files", site]:
                files(Path(site).resolve())
            case ["check", site]:
                check(Path(site).resolve())
            case _:
                sys.exit(__doc__)
    except Wrong as wrong:
        sys.exit(f"site: error: {wrong}")


main()
