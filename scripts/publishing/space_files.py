"""What a Space needs besides the metric, its siblings, its card and its examples."""

from pathlib import Path

_SCRIPTS = Path(__file__).resolve().parents[1]
_MODULES = (
    "drawing/*.*",
    "reading/card.py",
    "reading/columns.py",
    "reading/compressed.py",
    "reading/option_values.py",
    "reading/records.py",
    "space_app/*.*",
)


def app_files() -> dict[str, Path]:
    """Returns the files of the app: the place of each in the folder of a Space, and where it is in this clone."""
    modules = [path for pattern in _MODULES for path in sorted(_SCRIPTS.glob(pattern))]
    files = {path.relative_to(_SCRIPTS).as_posix(): path for path in modules}
    return {"app.py": _SCRIPTS.parent / "spaces" / "app.py", **files}
