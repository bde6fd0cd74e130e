#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks a site that Doxygen wrote: every link and image leads somewhere, every formula is one, the size is limited."""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

MAX_MEGABYTES = 30.0
EMPTY_SECTION = "#nested-classes"  # Doxygen 1.9.4 links to it at the top of classes whose nested classes are all private


class Page(HTMLParser):
    """The anchors and links of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links = set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.anchors.add(value)
            elif name in ("href", "src", "data") and value and not value.startswith("javascript:"):
                self.links.add(value)


def broken_links(site, pages):
    for name, page in sorted(pages.items()):
        for link in sorted(page.links):
            url = urlsplit(link)
            if url.scheme or url.netloc or link == EMPTY_SECTION:
                continue
            target = (site / name).parent / unquote(url.path) if url.path else site / name
            path = str(target.resolve().relative_to(site))
            if not target.exists():
                yield f"{name}: links to {link}, which does not exist"
            elif url.fragment and path in pages and unquote(url.fragment) not in pages[path].anchors:
                yield f"{name}: links to {link}, where {path} has no such place"


def raw_formulas(site, pages):
    """Pages of text in which dollars or LaTeX stand outside of formulas and code."""
    for name in sorted(pages):
        text = (site / name).read_text(errors="replace")
        text = re.sub(r"\\[(\[].*?\\[)\]]|<(pre|code|script)\b.*?</\1>|<div class=\"fragment\">.*?</div><!--", "", text, flags=re.S)
        found = re.search(r"\$\$|\\(frac|sqrt|sigma|operatorname)\b", text)
        if found:
            yield f"{name}: {found[0]} stands outside of a formula"


def main():
    site = Path(sys.argv[1]).resolve()
    pages = {str(p.relative_to(site)): Page(p.read_text(errors="replace")) for p in site.glob("*.html")}
    problems = [*broken_links(site, pages), *raw_formulas(site, pages)]
    if not pages:
        problems.append(f"{site}: there are no pages")
    megabytes = sum(f.stat().st_size for f in site.rglob("*") if f.is_file()) / 1e6
    if megabytes > MAX_MEGABYTES:
        problems.append(f"{site}: {megabytes:.1f} MB (at most {MAX_MEGABYTES:g})")
    print(*problems, sep="\n", end="\n" if problems else "")
    print(f"{len(pages)} pages, {megabytes:.1f} MB, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
