"""Counts of what should become less, for each file: what is kept of them may not rise."""


def lowest(kept, found):
    """Returns the counts to keep: what was found, and no more than what was kept; all of it where nothing was."""
    if kept is None:
        return found
    of_files = {}
    for path, kinds in found.items():
        before = kept.get(path, {})
        allowed = {kind: min(count, before[kind]) for kind, count in kinds.items() if kind in before}
        if allowed:
            of_files[path] = allowed
    return of_files
