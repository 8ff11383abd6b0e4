"""A population of Korean segments, with the outputs of systems of known quality, as rows of metrics."""

import json
import random
import string
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from textgauge.programs.comparing.rows import Rows
from textgauge.programs.scoring.specs import Scorer, load_scorers

DATA = Path(__file__).resolve().parents[2] / "scripts" / "data"
SPECS = [
    "bleu:tokenizer=char",
    "cer",
    "rouge:tokenizer=char,rouge_types=rougeL,",
    f"weighted_bleu:weights={DATA / 'es_ko_weights.tsv'},tokenizer=char",
    "wer",
    "chrf",
    "bleu",
    "rouge:rouge_types=rouge1,",
]
MEETING_SPECS = ["cpcer", "cpwer"]
EQUAL = "abcde"  # systems of one quality
WORSE = "z"  # a system that is a little worse
SIZE, SEED = 4000, 1
_OF_SAMPLE = 4  # metrics
_MOST_SENTENCES = 8
_SPEAKERS = (2, 6)  # of a meeting; the last number is left out
_UTTERANCES = (1.5, 0.8)  # of a speaker in a meeting, lognormal
_OF_ANOTHER_SPEAKER = (0.5, 5.0)  # share of the utterances of a meeting, beta: few in most of them, many in some
_SHARED, _OWN, _WORSE_BY = (1.2, 2.0), 0.12, 0.05  # difficulty of a segment, a system's own luck, and what is worse


class Population(NamedTuple):
    """Segments of which samples are drawn."""

    scorers: Sequence[Scorer]
    systems: Sequence[str]
    values: np.ndarray  # (segments, systems, statistics of all metrics side by side)
    ends: list[int]  # where the statistics of each metric end

    def rows(
        self, values: np.ndarray, systems: Sequence[str], n_scores: int, clusters: np.ndarray | None = None
    ) -> Rows:
        """Returns rows of some systems by the first metrics, as a comparison has them; values has all systems."""
        n_scores = min(n_scores, len(self.scorers))
        kept = values[:, [list(self.systems).index(system) for system in systems], : self.ends[n_scores - 1]]
        return Rows(self.scorers[:n_scores], list(systems), kept, self.ends[:n_scores], clusters)

    def documents(self, size: int = 10) -> np.ndarray:
        """Returns numbers of segments by document, (documents, size): those of one document are about as difficult."""
        start, end = self.ends[:2]
        of_first_system = self.values[:, 0, start:end]
        difficulty = of_first_system[:, 0] / of_first_system.max(axis=1).clip(1)
        noise = np.random.default_rng(SEED).normal(0, 0.25, len(difficulty))
        order = np.argsort(difficulty + noise)
        n_documents = len(order) // size
        return order[: n_documents * size].reshape(n_documents, size)


def made_population(size: int = SIZE, systems: str = EQUAL + WORSE, scale: float = 1.0, loops: int = 0) -> Population:
    """Makes segments of one to eight bundled Korean sentences, and outputs with words lost, changed and added.

    Args:
        size: how many segments.
        systems: their names, a letter each.
        scale: of the number of errors.
        loops: one output of so many repeats itself fifteen times; 0 for none.
    """
    rng = random.Random(SEED)
    sentences = _sentences()
    words = [word for sentence in sentences for word in sentence.split()]
    references, outputs = [], {system: [] for system in systems}
    for _ in range(size):
        count = min(_MOST_SENTENCES, max(1, int(rng.lognormvariate(0, 0.7))))
        references.append(" ".join(rng.choices(sentences, k=count)))
        difficulty = rng.betavariate(*_SHARED)
        for system in outputs:
            share = difficulty + rng.gauss(0, _OWN) + (_WORSE_BY if system == WORSE else 0)
            output = _damaged(rng, references[-1], scale * min(1.0, max(0.0, share)), words)
            is_loop = loops and rng.randrange(loops) == 0
            outputs[system].append(" ".join([output] * 15) if is_loop else output)
    return _population(references, outputs)


def bundled_population() -> Population:
    """Returns the sample: a hundred sentences of news with the outputs of two translators.

    By the first metrics alone: BLEU of words is 0 for most draws of ten of these sentences.
    """
    text = (DATA / "es_ko_sample.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    outputs = {}
    for name in ("GoogleTranslate", "KakaoI"):
        outputs[name] = [row[name] for row in rows]
    return _population([row["reference"] for row in rows], outputs, SPECS[:_OF_SAMPLE])


def meeting_population(size: int, systems: str = EQUAL[:2]) -> Population:
    """Makes meetings of two to five speakers, short and long, and outputs with errors in words and in speakers."""
    rng = random.Random(SEED)
    sentences = _sentences()
    words = [word for sentence in sentences for word in sentence.split()]
    references = []
    outputs = {system: [] for system in systems}
    for _ in range(size):
        speakers = string.ascii_uppercase[: rng.randrange(*_SPEAKERS)]
        said = []
        for speaker in speakers:
            count = max(1, round(rng.lognormvariate(*_UTTERANCES)))
            said += [{"speaker": speaker, "text": text} for text in rng.choices(sentences, k=count)]
        rng.shuffle(said)
        references.append(said)
        difficulty = rng.betavariate(*_SHARED)
        for meetings in outputs.values():
            share = min(1.0, max(0.0, difficulty + rng.gauss(0, _OWN)))
            of_another = rng.betavariate(*_OF_ANOTHER_SPEAKER)
            heard = []
            for utterance in said:
                speaker = rng.choice(speakers) if rng.random() < of_another else utterance["speaker"]
                heard.append({"speaker": speaker, "text": _damaged(rng, utterance["text"], share, words)})
            meetings.append(heard)
    return _population(references, outputs, MEETING_SPECS)


def _population(
    references: Sequence[Any], outputs: dict[str, Sequence[Any]], specs: Sequence[str] = SPECS
) -> Population:
    scorers = load_scorers(specs, None)
    of_metrics = []
    for scorer in scorers:
        of_systems = []
        for texts in outputs.values():
            of_systems.append(scorer.metric.statistics(predictions=texts, references=references, **scorer.options))
        of_metrics.append(np.stack(of_systems, axis=1))
    ends = np.cumsum([rows.shape[-1] for rows in of_metrics]).tolist()
    return Population(scorers, list(outputs), np.concatenate(of_metrics, axis=-1), ends)


def _sentences() -> list[str]:
    sentences = []
    for name in ("es_ko_ratings", "es_ko_sample", "ko_similarity_ratings"):
        text = (DATA / f"{name}.jsonl").read_text(encoding="utf-8")
        sentences += [json.loads(line)["reference"] for line in text.splitlines()]
    return sentences


def _damaged(rng: random.Random, text: str, share: float, words: Sequence[str]) -> str:
    """Returns a text about this share of whose words are lost, replaced, misspelt or followed by another one."""
    kept = []
    for word in text.split():
        chance = rng.random()
        if chance < 0.35 * share:
            continue
        if chance < 0.6 * share:
            word = rng.choice(words)
        elif chance < 0.9 * share and len(word) > 1:
            index = rng.randrange(len(word))
            word = word[:index] + rng.choice("가나다라마은는이를에") + word[index + 1 :]
        kept.append(word)
        if rng.random() < 0.15 * share:
            kept.append(rng.choice(words))
    return " ".join(kept) or rng.choice(words)
