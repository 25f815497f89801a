#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks a built site: links and anchors within lead somewhere, those to outside are well-formed, and no page or style loads
anything from outside.

usage: check.py SITE
"""
import pathlib
import re
import sys
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

LOADS = {("script", "src"), ("img", "src"), ("iframe", "src"), ("link", "href"), ("source", "src"), ("video", "src"),
         ("audio", "src"), ("embed", "src"), ("object", "data"), ("image", "href"), ("use", "href")}


class Page(HTMLParser):
    """Links, loads and anchors of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors |= {values[k] for k in ("id", "name") if values.get(k)}
        for key, value in attrs:
            key = key.replace("xlink:", "")
            if value is None or (tag, key) not in LOADS | {("a", "href")}:
                continue
            # rel="canonical" and the like are not loaded.
            loaded = (tag, key) in LOADS and not (tag == "link" and set((values.get("rel") or "").split()) <=
                                                   {"canonical", "next", "prev", "edit"})
            (self.loads if loaded else self.links).append(value)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)


def outside(url):
    return urlsplit(url).netloc != ""


def check(site):
    pages = {p: Page(p.read_text(encoding="utf-8")) for p in sorted(site.rglob("*.html"))}
    links = 0
    for path, page in pages.items():
        for url in page.links + page.loads:
            parts = urlsplit(url)
            links += 1
            if parts.scheme in ("data", "blob", "javascript"):
                if parts.scheme == "javascript":
                    yield f"{path}: {url}"
            elif parts.scheme or parts.netloc:
                if parts.scheme not in ("http", "https", "mailto") or not (parts.netloc or parts.scheme == "mailto") or \
                        not re.fullmatch(r"[\w.-]+(:\d+)?", parts.netloc or "x"):
                    yield f"{path}: not a well-formed address: {url}"
                if url in page.loads:
                    yield f"{path}: loads {url}"
            else:
                target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
                if target.is_dir():
                    target /= "index.html"
                if path.name == "404.html" and parts.path.startswith("/"):
                    target = site / parts.path.lstrip("/")
                if not target.exists():
                    yield f"{path}: {url} is not there"
                elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
                    yield f"{path}: {url}: no such anchor"
    for style in site.rglob("*.css"):
        for url in re.findall(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)", style.read_text(encoding="utf-8")):
            if outside("".join(url)):
                yield f"{style}: loads {''.join(url)}"
    for path in pages:
        # Reports of samples are whole in themselves; what they load was looked at above.
        if path.parent.name != "samples" and "Content-Security-Policy" not in path.read_text(encoding="utf-8"):
            yield f"{path}: has no policy that keeps it from loading from outside"
    print(f"{len(pages)} pages, {links} links")
    if len(pages) < 50:
        yield "few pages"


def main():
    bad = list(check(pathlib.Path(sys.argv[1]).resolve()))
    print(*bad[:50], sep="\n", end="\n" if bad else "", file=sys.stderr)
    sys.exit(bool(bad))


main()
