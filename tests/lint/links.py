#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Links of Markdown lead to files and headings that are there, addresses are well-formed, and the site has each page of docs/.

usage: links.py SOURCE_DIR
"""
import pathlib
import re
import sys

LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^()\s]+)\)|<(https?:[^>\s]*)>")
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)


def text_of(path):
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def anchors(path):
    """Those that GitHub makes of headings."""
    found = set()
    for title in re.findall(r"^#{1,6} (.*)$", text_of(path), re.M):
        slug = re.sub(r"[^\w\- ]", "", re.sub(r"`|\*", "", title).lower()).replace(" ", "-")
        number = 0
        while (name := f"{slug}-{number}" if number else slug) in found:
            number += 1
        found.add(name)
    return found


def check(root):
    pages = [p for p in [*root.glob("*.md"), *(root / ".github").rglob("*.md"), *(root / "docs").rglob("*.md"),
                         *root.glob("*/README.md"), *root.glob("formats/import/*/README.md")] if p.is_file()]
    links = 0
    for page in sorted(pages):
        text = re.sub(r"^    .*$", "", text_of(page), flags=re.M)
        for found in LINK.finditer(re.sub(r"`[^`\n]*`", lambda m: re.sub(r"[\[\]()<>]", "x", m[0]), text)):
            url = found[1] or found[2]
            links += 1
            if re.match(r"[a-z]+:", url):
                if not re.fullmatch(r"https?://[\w-]+(\.[\w-]+)+(/\S*)?", url):
                    yield f"{page}: not a well-formed address: {url}"
                continue
            name, _, anchor = url.partition("#")
            target = page.parent / name if name else page
            if not target.exists():
                yield f"{page}: {url} is not there"
            elif anchor and target.suffix == ".md" and anchor not in anchors(target):
                yield f"{page}: {url}: no such heading"
    nav = (root / "site/mkdocs.yml").read_text(encoding="utf-8")
    for page in (root / "docs").glob("*.md"):
        if not re.search(rf"\b{re.escape(page.name)}$", nav, re.M):
            yield f"site/mkdocs.yml: {page.name} is not in nav"
    if links < 50:
        yield f"only {links} links found"


def main():
    bad = list(check(pathlib.Path(sys.argv[1])))
    print(*bad, sep="\n", end="\n" if bad else "")
    sys.exit(bool(bad))


main()
