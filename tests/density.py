"""Code that packs too much into one statement: what tests/test_density.py counts in each file."""

import ast
from collections.abc import Iterator

MOST_OPERATIONS = 10  # in a statement
_OPERATIONS = (
    ast.Attribute,
    ast.BinOp,
    ast.BoolOp,
    ast.Call,
    ast.Compare,
    ast.comprehension,
    ast.IfExp,
    ast.Lambda,
    ast.NamedExpr,
    ast.Starred,
    ast.Subscript,
)
_COMPREHENSIONS = (ast.DictComp, ast.GeneratorExp, ast.ListComp, ast.SetComp)
_TABLES = (ast.Dict, ast.List, ast.Set, ast.Tuple)
_WITH_BLOCKS = (ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler, ast.FunctionDef, ast.Try, ast.match_case)
# what counts of a statement that has a block
_HEADS = {
    ast.AsyncFor: ("target", "iter"),
    ast.AsyncWith: ("items",),
    ast.For: ("target", "iter"),
    ast.If: ("test",),
    ast.Match: ("subject",),
    ast.While: ("test",),
    ast.With: ("items",),
}


def counts(text: str) -> dict[str, int]:
    """Returns how often a module does what no new one may.

    >>> counts("a, b = f(1), g(2)")
    {'dense statements': 0, 'packed assignments': 1, 'nested comprehensions': 0}
    """
    tree = ast.parse(text)
    return {
        "dense statements": sum(_operations(parts) > MOST_OPERATIONS for parts in _statements(tree)),
        "packed assignments": sum(map(_is_packed, ast.walk(tree))),
        "nested comprehensions": sum(map(_is_nested, ast.walk(tree))),
    }


def _statements(block: ast.AST) -> Iterator[list[ast.AST]]:
    """Yields what counts of each statement in a block, and in the blocks of its statements."""
    declares = isinstance(block, (ast.ClassDef, ast.Module))
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        for statement in getattr(block, name, []):
            if type(statement) in _HEADS:
                yield _children(statement, _HEADS[type(statement)])
            elif isinstance(statement, (ast.AnnAssign, ast.Assign)):
                yield from _assigned(statement, declares)
            elif not isinstance(statement, _WITH_BLOCKS):
                yield [statement]
            yield from _statements(statement)


def _children(statement: ast.AST, names: tuple[str, ...]) -> list[ast.AST]:
    """Returns the parts of a statement with these names."""
    parts: list[ast.AST] = []
    for name in names:
        part = getattr(statement, name)
        parts += part if isinstance(part, list) else [part]
    return parts


def _assigned(statement: ast.AnnAssign | ast.Assign, declares: bool) -> Iterator[list[ast.AST]]:
    """Yields what counts of an assignment, not its annotation; a table of a module or class counts by its entries."""
    value = statement.value
    if declares and isinstance(value, ast.Dict):
        yield from ([entry] for entry in value.values)
    elif declares and isinstance(value, _TABLES):
        yield from ([entry] for entry in value.elts)
    elif isinstance(statement, ast.Assign):
        yield [statement]
    elif value is not None:
        yield [statement.target, value]


def _operations(parts: list[ast.AST]) -> int:
    nodes = (node for part in parts for node in ast.walk(part))
    return sum(isinstance(node, _OPERATIONS) for node in nodes)


def _is_packed(node: ast.AST) -> bool:
    """Returns whether a statement assigns two or more computed values to as many names."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Tuple):
        return False
    if not isinstance(node.targets[0], ast.Tuple):
        return False
    return sum(map(_is_computed, node.value.elts)) > 1


def _is_computed(value: ast.AST) -> bool:
    operations = (node for node in ast.walk(value) if isinstance(node, _OPERATIONS))
    return not all(isinstance(node, ast.Attribute) for node in operations)


def _is_nested(node: ast.AST) -> bool:
    """Returns whether a comprehension has another one inside, or two loops of which both have conditions."""
    if not isinstance(node, _COMPREHENSIONS):
        return False
    inner = [other for other in ast.walk(node) if isinstance(other, _COMPREHENSIONS) and other is not node]
    conditional = [generator for generator in node.generators if generator.ifs]
    return bool(inner) or len(conditional) > 1
