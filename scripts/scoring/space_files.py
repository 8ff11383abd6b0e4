"""What a Space needs besides the metric, its siblings, its card and its examples."""

from pathlib import Path

_HERE = Path(__file__).resolve().parent
_MODULES = ("grid.py", "inputs.py", "opening.py", "option_values.py", "plots.py", "scatter.py", "values.py")


def app_files() -> dict[str, Path]:
    """Returns the files of the app: the place of each in the folder of a Space, and where it is in this clone."""
    modules = [*(_HERE / name for name in _MODULES), *sorted((_HERE / "drawing").glob("*.*"))]
    files = {f"scoring/{path.relative_to(_HERE).as_posix()}": path for path in modules}
    return {"app.py": _HERE.parents[1] / "spaces" / "app.py", **files}
