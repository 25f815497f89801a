# SPDX-License-Identifier: GPL-2.0-or-later
"""Hooks of mkdocs: pages that are made stand in the navigation, anchors are those of GitHub."""
import pathlib

from pymdownx.slugs import slugify


def _pages(folder, pattern="*.md"):
    """All pages of a folder, README.md first."""
    names = sorted(folder.glob(pattern), key=lambda p: (p.name != "README.md", p.name))
    return [f"{folder.name}/{p.name}" for p in names]


def on_config(config):
    docs = pathlib.Path(config.docs_dir)
    made = {"FORMATS": _pages(docs / "formats"), "API": _pages(docs / "api"),
            "DECISIONS": _pages(docs / "decisions"), "MAN": _pages(docs / "man")}
    for section in config.nav:
        for entries in section.values():
            for entry in entries:
                if isinstance(entry, dict):
                    (title, name), = entry.items()
                    entry[title] = made.get(name, name)
    config.mdx_configs["toc"]["slugify"] = slugify(case="lower")
    return config
