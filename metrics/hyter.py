"""HyTER: the edit rate between a prediction and the nearest of all sentences in a network (Dreyer and Marcu 2012).

The rate is the edits divided by the length of the sentence. The sentence with the smallest rate is found exactly; it
does not always have the fewest edits. The words of the prediction may be reordered within a window. We know of no
public implementation.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from rapidfuzz.distance import Levenshtein

from textgauge.core.columns import REFERENCES, TEXTS, clean_texts  # From: -e .
from textgauge.core.metric import check_width, error_rate  # From: -e .
from textgauge.core.options import LOWERCASE, NORMALIZATION, choice, count  # From: -e .
from textgauge.core.text_metric import TextMetric  # From: -e .
from textgauge.edits.distances import runs_of  # From: -e .
from textgauge.edits.network_distances import EditCosts, least_cost, trace  # From: -e .
from textgauge.edits.networks import Network, Tree, compile_network, only_path, read_network, texts_of  # From: -e .
from textgauge.error_rates.edit_alignments import pieces  # From: -e .
from textgauge.tokens.chunks import split_texts  # From: -e .
from textgauge.tokens.tokenizers import TOKENIZER, encode  # From: -e .

_NETWORKS = REFERENCES._replace(
    help="for each segment a string or a non-empty list of strings, each a network in the chosen `notation`; the "
    "nearest of all their sentences counts."
)


def statistics(
    predictions: list[str], references: list[list[str]], networks: list[list[Tree]], *, tokenizer: Any, window: int
) -> np.ndarray:
    """Returns rows [edits, words of the sentence, rate if finite, 1 if it is infinite, 1], (n_segments, 5).

    >>> texts = {"predictions": ["개가 짖는다"], "references": ["(개가|강아지가) (크게|) 짖는다"]}
    >>> Hyter().statistics(**texts, notation="compact").tolist()
    [[0.0, 2.0, 0.0, 0.0, 1.0]]
    """
    rows = []
    for prediction, graphs, _ in _compiled(predictions, networks, tokenizer):
        edits, length, _ = _nearest(prediction, graphs, window)
        rows.append((edits, length))
    edits, lengths = np.array(rows, dtype=np.float64).reshape(-1, 2).T
    rates = error_rate(edits, lengths)
    is_finite = np.isfinite(rates)
    return np.column_stack([edits, lengths, np.where(is_finite, rates, 0.0), ~is_finite, np.ones(len(rows))])


def _compiled(predictions: list[str], networks: list[list[Tree]], tokenizer: Any):
    """Yields for each segment the words of its prediction as numbers, its networks, and the tokens of all."""
    texts = list(predictions)
    for row in networks:
        for tree in row:
            texts += texts_of(tree)
    tokens = encode(texts, tokenizer)
    words = split_texts(tokens.ids, tokens.lengths)
    # each network takes the words of its own texts from here, since they are in the same order
    words_of_networks = (ids.tolist() for ids in words[len(predictions) :])
    for prediction, row in zip(words[: len(predictions)], networks, strict=True):
        yield prediction, [compile_network(tree, words_of_networks) for tree in row], tokens


def _nearest(prediction: np.ndarray, graphs: list[Network], window: int) -> tuple[int, int, int]:
    """Returns edits and length of the sentence with the smallest rate, and the index of its network.

    If rates are equal, it takes the shorter sentence, and if lengths are equal too, the first network.
    """
    nearest = []
    for index, graph in enumerate(graphs):
        edits, length = _smallest_rate(prediction, graph, window)
        rate: Any = np.inf if edits else 0
        if length:
            rate = Fraction(edits, length)
        nearest.append((rate, length, index, edits))
    _, length, index, edits = min(nearest)
    return edits, length, index


def _smallest_rate(prediction: np.ndarray, graph: Network, window: int) -> tuple[int, int]:
    """Returns edits and length of the path with the smallest rate edits / length; the shortest path with that rate.

    The idea is Dinkelbach's (1967): if some path has the rate a / b, the path with the smallest b edits - a length has
    a smaller rate, unless no path has. So each rate leads to a smaller one by one walk through the graph, and a few
    walks are enough. They begin with the rate 1, for which an empty path is only found if it is the best. The plain
    version, which compares all sentences, is `hyter` of tests/oracles.py.
    """
    path = only_path(graph)
    if path is not None and window == 1:
        return Levenshtein.distance(prediction.tolist(), path), len(path)
    numerator = 1
    denominator = 1
    while True:
        edits, length = _cheapest(prediction, graph, window, numerator, denominator)
        is_no_better = edits * denominator == numerator * length
        if path is not None or not edits or not length or is_no_better:
            return edits, length
        numerator = edits
        denominator = length


def _cheapest(prediction: np.ndarray, graph: Network, window: int, numerator: int, denominator: int):
    """Returns edits and length of the path with the smallest `denominator` edits - `numerator` length."""
    costs, scale = _costs(graph, numerator, denominator)
    cost, length = divmod(least_cost(graph.arcs, prediction, window, costs), scale)
    return (cost + numerator * length) // denominator, length


def _costs(graph: Network, numerator: int, denominator: int) -> tuple[EditCosts, int]:
    """Returns the costs of steps, and the factor in them: a number larger than the length of any path."""
    scale = len(graph.arcs) + 1
    return EditCosts(edit=denominator * scale, length=1 - numerator * scale), scale


def score(rows: np.ndarray) -> dict[str, np.ndarray]:
    """Returns hyter, all edits divided by all words, and mean_hyter, the mean rate of the segments; both in [0, inf].

    Rows have the shape (..., 5). Without any word in the nearest sentences hyter is 0 if there is no edit, else inf.

    >>> {key: value.item() for key, value in score(np.array([[1, 2, 0.5, 0, 1], [1, 4, 0.25, 0, 1]]).sum(0)).items()}
    {'hyter': 0.3333333333333333, 'mean_hyter': 0.375, 'edits': 2, 'reference_length': 6}
    """
    check_width(rows, 5)
    edits, length, total, infinite, segments = np.moveaxis(rows, -1, 0)
    with np.errstate(invalid="ignore"):
        mean = np.where(infinite > 0, np.inf, total / segments)
    return {
        "hyter": error_rate(edits, length),
        "mean_hyter": mean,
        "edits": edits.astype(np.int64),
        "reference_length": length.astype(np.int64),
    }


def explain(
    predictions: list[str], references: list[list[str]], networks: list[list[Tree]], *, tokenizer: Any, window: int
) -> dict[str, Any]:
    """Returns the nearest sentence of one segment, and its alignment with the prediction.

    Keys: `alignment`, a list of [kind, reference piece, prediction piece] with the kinds "equal", "substitute",
    "delete" and "insert"; `reference` and `prediction`, lists of words, those of the prediction in the order in which
    they are compared; `reference_index`, the network of the sentence.

    >>> texts = {"prediction": "개가 짖는다", "reference": "(개가|강아지가) (크게|) 운다"}
    >>> Hyter().explain(**texts, notation="compact")["alignment"]
    [['equal', '개가', '개가'], ['substitute', '운다', '짖는다']]
    """
    [(prediction, graphs, tokens)] = _compiled(predictions, networks, tokenizer)
    words = tokens.words()
    edits, length, index = _nearest(prediction, graphs, window)
    costs, _ = _costs(graphs[index], edits, max(length, 1))
    steps = trace(graphs[index].arcs, prediction, window, costs)
    reference = [words[word] for word, _ in steps if word >= 0]
    ordered = [words[prediction[position]] for _, position in steps if position >= 0]
    alignment = pieces(runs_of(_kind(prediction, *step) for step in steps), reference, ordered, " ")
    return {"alignment": alignment, "reference": reference, "prediction": ordered, "reference_index": index}


def _kind(prediction: np.ndarray, word: int, position: int) -> str:
    if position < 0:
        return "delete"
    if word < 0:
        return "insert"
    return "equal" if prediction[position] == word else "substitute"


class Hyter(TextMetric):
    """HyTER is the edit rate to the nearest of very many sentences with the same meaning, written as one network.

    Returns:
        hyter, at least 0, all edits divided by all words of the nearest sentences; mean_hyter, the mean of the
        segments; edits and reference_length in words.

    Examples:
        >>> hyter = Hyter()  # or evaluate.load("./metrics/hyter.py")
        >>> texts = {"predictions": ["그 냥이가 잠을 집에서 잔다"]}
        >>> texts["references"] = ["그 (고양이가|냥이가) (방에서|집 안에서|) 잠을 잔다"]
        >>> hyter.compute(**texts, notation="compact")
        {'hyter': 0.25, 'mean_hyter': 0.25, 'edits': 1, 'reference_length': 4}
        >>> hyter.compute(**texts, notation="compact", window=3)
        {'hyter': 0.2, 'mean_hyter': 0.2, 'edits': 1, 'reference_length': 5}
    """

    CITATION = """\
@inproceedings{dreyer-marcu-2012-hyter,
    title = "{H}y{TER}: Meaning-Equivalent Semantics for Translation Evaluation",
    author = "Dreyer, Markus and Marcu, Daniel",
    booktitle = "Proceedings of the 2012 Conference of the North {A}merican Chapter of the Association for Computational
        Linguistics: Human Language Technologies",
    year = "2012",
    pages = "162--171",
    url = "https://aclanthology.org/N12-1017",
}
"""
    COLUMNS = {"predictions": TEXTS, "references": _NETWORKS}
    LOWER_IS_BETTER = True
    USUAL_RANGE = (0, 2)
    OPTIONS = {
        "notation": choice(
            "text",
            "notation",
            "`text`: each string is one sentence; `compact`, such as `(a|b c|) d`, where nothing after a bar is the "
            'empty sentence, and `\\(`, `\\)`, `\\|`, `\\\\` are text; `json`: a string, {"seq": [...]} or '
            '{"alt": [...]} of any of these.',
            ("text", "compact", "json"),
        ),
        "window": count(
            1,
            "window",
            "how far words of the prediction may be reordered: the next word is one of the first `window` words that "
            "are left; 1 keeps the order. Each further word doubles the time.",
            high=8,
        ),
        "tokenizer": TOKENIZER._replace(default="whitespace"),
        "lowercase": LOWERCASE,
        "normalization": NORMALIZATION,
    }

    def _prepare(self, columns, options):
        """Adds the networks, which are read before normalization could turn another character into a bracket."""

        def clean(tree: Tree) -> Tree:
            if isinstance(tree, str):
                [text] = clean_texts([tree], lowercase=options["lowercase"], normalization=options["normalization"])
                return text
            kind, branches = tree
            return kind, list(map(clean, branches))

        networks = []
        for row, texts in enumerate(columns["references"]):
            networks_of_row = []
            for index, text in enumerate(texts):
                network = read_network(text, options["notation"], f"references[{row}][{index}]")
                networks_of_row.append(clean(network))
            networks.append(networks_of_row)
        return {**columns, "networks": networks}, options
