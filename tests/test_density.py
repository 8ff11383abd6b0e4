"""No statement of the code packs too much: what counts, and where it would be."""

import pytest
from conftest import ROOT
from density import counts
from test_layout import code_files


def counted():
    """Returns the counts of all files that have any, without those that are 0."""
    of_files = {}
    for path in code_files():
        found = {kind: count for kind, count in counts(path.read_text(encoding="utf-8")).items() if count}
        if found:
            of_files[path.relative_to(ROOT).as_posix()] = found
    return of_files


def test_no_statement_is_packed():
    assert counted() == {}, "write plainer statements: one thing each, and a name for its result"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("total = a.b.c.d.e.f.g.h.i.j.k.l", "dense statements"),
        ("if a.b.c.d.e.f.g.h.i.j.k.l:\n    pass", "dense statements"),
        ("for x in a.b.c.d.e.f.g.h.i.j.k.l:\n    pass", "dense statements"),
        ("with a.b.c.d.e.f.g.h.i.j.k.l:\n    pass", "dense statements"),
        ("while a.b.c.d.e.f.g.h.i.j.k.l:\n    pass", "dense statements"),
        ("def f():\n    try:\n        pass\n    finally:\n        raise a.b.c.d.e.f.g.h.i.j.k.l", "dense statements"),
        ("def f():\n    x = [a.b.c.d, e.f.g.h, i.j.k.l, m.n.o.p]", "dense statements"),
        ("a, b = f(), g()", "packed assignments"),
        ("self.a, self.b = x[0], y + 1", "packed assignments"),
        ("x = [f(b) for b in [c for c in d]]", "nested comprehensions"),
        ("x = [c for b in a if b for c in b if c]", "nested comprehensions"),
    ],
)
def test_what_counts(text, kind):
    assert {name for name, count in counts(text).items() if count} == {kind}
