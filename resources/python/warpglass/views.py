# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures that play, inside a notebook, without a display and without a network."""
import html
import os
import tempfile

from .programs import call, window_program


class View:
    """A view of a recording as one HTML page; a notebook shows it, save() writes it."""

    def __init__(self, page, height=620):
        self.html, self.height = page, height

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.html, quote=True)}" width="100%" height="{int(self.height)}" '
                'style="border:0" sandbox="allow-scripts" loading="lazy"></iframe>')

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)
        return path


def view_of(file, name, compare=None, height=620, **options):
    """Options of `warpglass page` by their names: select="line=31", lang="zh_CN", theme="dark", align="barrier".

    Raises WarpglassError for a view that the recording does not have.
    """
    words = ["page", file, "--view", name]
    for option, value in {"compare": compare, **options}.items():
        if value is not None:
            words += ["--" + option.replace("_", "-"), value]
    with tempfile.TemporaryDirectory(prefix="warpglass-") as folder:
        page = os.path.join(folder, "view.html")
        call(window_program(), *words, "-o", page)
        with open(page, encoding="utf-8") as text:
            return View(text.read(), height)


def table(head, rows, caption=""):
    """A small table as HTML; numbers stand right."""
    def cell(value, tag="td"):
        number = isinstance(value, (int, float))
        text = "" if value is None else f"{value:,.6g}" if isinstance(value, float) else f"{value:,}" if number else str(value)
        return f'<{tag} style="text-align:{"right" if number else "left"}">{html.escape(text)}</{tag}>'
    body = "".join("<tr>" + "".join(map(cell, row)) + "</tr>" for row in rows)
    title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<tr>{''.join(cell(word, 'th') for word in head)}</tr>{body}</table>"
