"""Which libraries code imports."""

import ast
import functools
from collections.abc import Iterable


@functools.lru_cache(maxsize=512)  # many metrics take the same files along
def imported_libraries(code: str) -> tuple[frozenset[str], frozenset[str]]:
    """Returns the top-level names of the modules that code imports absolutely: at its top, and anywhere."""
    tree = ast.parse(code)
    # also below `if TYPE_CHECKING`: a package that is needed, and that no statement imports as a whole
    conditional = [node for statement in tree.body if isinstance(statement, ast.If) for node in statement.body]
    return _libraries([*tree.body, *conditional]), _libraries(ast.walk(tree))


def _libraries(nodes: Iterable[ast.AST]) -> frozenset[str]:
    """Returns the top-level names of the modules that these nodes import absolutely."""
    names = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.add(node.module.partition(".")[0])
    return frozenset(names)
