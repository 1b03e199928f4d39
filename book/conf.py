"""Builds the manual as a book (Sphinx, MyST): `docs/` unchanged, in the order of `docs/index.md`."""

import re
from pathlib import Path

from docutils import nodes
from docutils.transforms import Transform
from sphinx import addnodes

project = "Steadfast"
author = "the Steadfast maintainers"
copyright = author
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "Steadfast"
html_show_copyright = False
html_show_sphinx = False
html_copy_source = False
html_show_sourcelink = False
# Headings get the same anchors as on GitHub, down to this level.
myst_heading_anchors = 4
nitpicky = True
# Shortened JSON examples are not valid JSON, so they cannot be highlighted.
suppress_warnings = ["misc.highlighting_failure"]
exclude_patterns = ["schema"]

LINK = re.compile(r"\]\(([\w-]+)\.md\)")
ARTICLE_OR_NUMBER = re.compile(r"^(A|An|The|\d+\.) ")
TABLE_OF_CONTENTS = """
```{toctree}
:hidden:
:caption: %s

%s
```
"""
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)


def prepare(_app, page, source):
    """Turns the links in each section of the first page into the table of contents."""
    # Words after the language of a code block are for the tests only.
    source[0] = re.sub(r"^```(\w+),.*$", r"```\1", source[0], flags=re.MULTILINE)
    if page != "index":
        return
    _, *sections = SECTION.split(source[0])
    for caption, text in zip(sections[::2], sections[1::2]):
        pages = dict.fromkeys(LINK.findall(text))
        source[0] += TABLE_OF_CONTENTS % (caption, "\n".join(pages))
    source[0] += TABLE_OF_CONTENTS % ("Find", "Index <genindex>")


def outside_of_the_book(_app, env, reference, text):
    """Shows a source file that is not in the book by name, without a link."""
    path = reference["reftarget"].partition("#")[0]
    return text if path.startswith("../") and Path(env.srcdir, path).is_file() else None


class IndexOfTheBook(Transform):
    """The index has every heading, every term of the glossary, and every name that a table explains."""

    default_priority = 400

    def apply(self):
        for section in self.document.findall(nodes.section):
            self.enter(section, section[0].astext(), section["ids"][0])
        for table in self.document.findall(nodes.tgroup):
            *_, head, body = table
            has_terms = head.astext().startswith("term")
            for row in body:
                names = list(row[0].findall(nodes.literal))
                if has_terms:
                    self.explained(row[0], terms(row[0]) + terms(row[1]))
                elif names:
                    self.explained(row[0], [name.astext() for name in names])

    def explained(self, cell, names):
        anchor = nodes.make_id("index-" + cell.astext())
        cell["ids"].append(anchor)
        for name in names:
            self.enter(cell, name, anchor)

    @staticmethod
    def enter(node, text, anchor):
        text = ARTICLE_OR_NUMBER.sub("", text).replace(";", ",")
        node.append(addnodes.index(entries=[("single", text, anchor, "", None)]))


def terms(cell):
    """Returns the terms in a cell of the glossary, without their remarks in parentheses."""
    named = re.sub(r" \(.*?\)", "", cell.astext()).split(",")
    return [term.strip() for term in named if term.strip()]


def setup(app):
    app.connect("source-read", prepare)
    app.connect("missing-reference", outside_of_the_book)
    app.add_transform(IndexOfTheBook)
