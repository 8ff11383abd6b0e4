"""What metrics say of their cases, from the clone or from published folders: published_folders.py clone|folders FOLDER.

It writes a pickle to standard output: metric -> texts. With `folders` no package can be imported, as where nothing is
installed; the examples in the docstrings of all files are run, and the metrics are pickled into FOLDER with rows.
"""

import copy
import doctest
import pickle
import re
import sys
import warnings
from pathlib import Path

import cases

ROOT = Path(__file__).parents[1]


def explained(metric, columns, options):
    """Returns the explanation of the first segment, or why there is none."""
    segment = {key: column[0] for key, column in columns.items()}
    renamed = {"predictions": "prediction", "references": "reference"}
    segment = {renamed.get(key, key): value for key, value in segment.items()}
    try:
        return repr(dict(metric.explain(**segment, **options)))
    except (NotImplementedError, TypeError, ValueError) as error:
        return f"{type(error).__name__}: {error}"


def said(load, name):
    """Yields all that a metric says of its cases, as texts."""
    columns, signed, others = cases.CASES[name]
    for options in [*signed, *others]:
        metric = load(name)
        yield repr(metric.compute(**copy.deepcopy(columns), **options))
        if options in signed:
            yield metric.signature(**options)
        yield explained(metric, copy.deepcopy(columns), options)
        metric.add_batch(**copy.deepcopy(columns))
        yield repr(pickle.loads(pickle.dumps(metric)).compute(**options))
        yield repr(metric.compute(**options))
    yield load(name).inputs_description


def failed_examples(metric):
    """Returns what the examples of all files of a published metric got wrong."""
    package = type(metric).__module__.rpartition(".")[0]
    modules = [module for name, module in sorted(sys.modules.items()) if name.startswith(f"{package}.")]
    report = []
    # a published folder has its own class of errors, whose module has another name
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    for module in modules:
        for test in doctest.DocTestFinder(exclude_empty=True).find(module):
            runner.run(test, out=report.append)
    return "".join(report), runner.summarize(verbose=False).attempted


def main(kind, folder):
    """Writes what is found."""
    if kind == "folders":
        sys.modules["textgauge"] = None
    warnings.simplefilter("ignore")
    import evaluate

    def load(name):
        place = ROOT / "metrics" / f"{name}.py" if kind == "clone" else Path(folder, name)
        return evaluate.load(str(place), keep_in_memory=True)

    found = {}
    for name in cases.CASES:
        found[name] = {"texts": [re.sub(r" at 0x\w+|tests/\w+|\./\S+", "", text) for text in said(load, name)]}
        if kind == "folders":
            metric = load(name)
            found[name]["failed"], found[name]["attempted"] = failed_examples(metric)
            metric.add_batch(**copy.deepcopy(cases.CASES[name][0]))
            Path(folder, f"{name}.pickle").write_bytes(pickle.dumps(metric))
    sys.stdout.buffer.write(pickle.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
