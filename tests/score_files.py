"""Files that the tests of score.py write, pages that they read, and a metric of one's own."""

import base64
import csv
import gzip
import html.parser
import io
import json
import re

import pytest
from conftest import ROOT, load, write, write_jsonl

from textgauge.programs.saying.values import dump_json

SCRIPT = ROOT / "scripts" / "score.py"
DATA = ROOT / "scripts" / "data"
WEIGHTS = DATA / "es_ko_weights.tsv"
PREDICTIONS = ["고양이가 침대에서 잠을 자고 있다.", "선이\u2028둘, 끝", 'the "cat", up', "  빈칸 "]
OTHERS = ["고양이가 방에서 잠을 자고 있다.", "선이 둘이다", "a dog", ""]
REFERENCES = ["고양이가 방에서 잠을 자고 있다.", "선이\u2028둘, 끝", 'the "cat" is up', "빈칸"]
MORE_REFERENCES = ["고양이가 침대에서 잔다.", "선이 둘", "the cat, up", "칸"]
BOTH = [list(pair) for pair in zip(REFERENCES, MORE_REFERENCES, strict=True)]


# a mean that is nan without words in the source, takes one more column, explains nothing, and is better when lower
TOY = '''
"""A metric of one's own."""
import numpy as np
from textgauge.core.columns import REFERENCES
from textgauge.core.columns import TEXTS
from textgauge.core.options import LOWERCASE
from textgauge.core.options import NORMALIZATION
from textgauge.core.text_metric import TextMetric


def statistics(predictions, references, sources):
    return np.array([[len(p.split()), len(s.split())] for p, s in zip(predictions, sources)], float)


def score(rows):
    with np.errstate(divide="ignore", invalid="ignore"):
        return {"toy": rows[..., 0] / rows[..., 1]}


class Toy(TextMetric):
    """Words by words of the source."""

    CITATION = ""
    COLUMNS = {"predictions": TEXTS, "references": REFERENCES, "sources": TEXTS}
    LOWER_IS_BETTER = True
    OPTIONS = {"lowercase": LOWERCASE, "normalization": NORMALIZATION}
'''


def table(references=REFERENCES):
    return {"out": PREDICTIONS, "ref": references, "ref2": MORE_REFERENCES, "human": [1, 2.5, 3, 2]}


def rows(columns):
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def write_lines(end="\n", start=""):
    write("out.txt", start + PREDICTIONS[0], *PREDICTIONS[1:], end=end)
    write("other.txt", *OTHERS, end=end)
    write("ref.txt", *REFERENCES, end=end)  # no BOM: in both files it would match itself
    write("ref2.txt", *MORE_REFERENCES, end=end)


def write_delimited(name, delimiter):
    with open(name, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=delimiter)
        writer.writerow(table())
        writer.writerows(zip(*table().values(), strict=True))


def write_gzip(name):
    with gzip.open(name, "wt", encoding="utf-8") as file:
        file.write("".join(json.dumps(row) + "\n" for row in rows(table())))


def write_nested():
    """As lm-evaluation-harness writes the samples of a model."""
    write_jsonl("d.jsonl", *({"doc": {"ref": r}, "resps": [[p]]} for p, r in zip(PREDICTIONS, REFERENCES, strict=True)))


def write_outputs():
    write_jsonl("d.jsonl", *rows(table()))
    write_jsonl("other.jsonl", *rows({**table(), "out": OTHERS}))


def write_trn():
    names = [f"spk{number % 2}-{number:03}" for number in range(len(PREDICTIONS))]
    hypotheses = [f"{text} ({name})" for text, name in zip(PREDICTIONS, names, strict=True)]
    write("out.trn", *hypotheses[::-1])
    write("ref.trn", ";; a comment", "", *(f"{text}  ({name}) " for text, name in zip(REFERENCES, names, strict=True)))


def write_stm():
    """Segments of ten seconds, one that is not scored, and words whose order in the file says nothing."""
    times = [(10 * number, 10 * number + 9.5) for number in range(len(PREDICTIONS))]
    segments = [f"a.wav 1 anna {b} {e} <o,f0> {text}" for (b, e), text in zip(times, REFERENCES, strict=True)]
    write("ref.stm", *segments, "a.wav 1 anna 90 99 ignore_time_segment_in_scoring", "b.wav 1 anna 0 9")
    words = [
        f"a.wav  1 {begin + 0.2 * place} 0.1 {word} 0.99"
        for (begin, _), text in zip(times, PREDICTIONS, strict=True)
        for place, word in enumerate(text.split())
    ]
    write("out.ctm", "a.wav 1 95 1 uh", *words[::-1])


def expected(name="bleu", predictions=PREDICTIONS, references=REFERENCES, **options):
    """Returns what `compute` does, as JSON has it."""
    result = load(name).compute(predictions=predictions, references=references, confidence=0.95, **options)
    return json.loads(dump_json(result))


def result_of(content, system="out", metric="bleu"):
    return {
        key: value for key, value in content["systems"][system][metric].items() if key not in ("signature", "errors")
    }


LINES = ["-p", "out.txt", "-r", "ref.txt"]
COLUMNS = ["--prediction-column", "out", "--reference-column", "ref"]


@pytest.fixture
def toy(tmp_path):
    folder = tmp_path / "own"
    folder.mkdir()
    (folder / "toy.py").write_text(TOY)
    return folder / "toy.py"


def open_text(path):
    return io.StringIO(path.read_text(encoding="utf-8"))


def in_english(source):
    """Returns a page without the Korean texts that its switch puts in."""
    return re.sub(r' data-other[\w-]*="[^"]*"', "", source)


def unpacked(source):
    """Returns a page with those segments as elements that its script makes on demand."""
    articles = "".join(packed_in(source)["html"])
    return re.sub(r"(?<=</article>)(?=\s*</div>\s*<button)", lambda _: articles, source)


def packed_in(source):
    """Returns what the script of a page unpacks."""
    packed = re.search(r'id="segments-packed">(.*?)<', source)
    return json.loads(gzip.decompress(base64.b64decode(packed[1]))) if packed else {"html": []}


class Page(html.parser.HTMLParser):
    """Collects marked texts, addresses, and the order of the segments, and checks that tags are balanced."""

    VOID = {"meta", "br", "input", "wbr"}

    def __init__(self, source):
        super().__init__()
        self.marks, self.tags, self.ids, self.addresses, self.text, self.order = [], [], [], [], "", []
        self._open = []
        self.feed(source)
        self.close()
        assert not self._open

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.ids += [value for name, value in attributes if name == "id"]
        self.addresses += [value for name, value in attributes if name in ("src", "href", "xlink:href", "action")]
        if tag not in self.VOID:
            self._open.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self._open.pop()[0] == tag

    def handle_data(self, data):
        tag, attributes = self._open[-1] if self._open else ("", {})
        if tag in ("style", "script"):
            return
        self.text += data
        if tag == "mark":
            self.marks.append((attributes["class"], data))
        if tag == "a" and data.startswith("Segment "):
            self.order.append(int(data.removeprefix("Segment ")))


@pytest.fixture
def page(run, tmp_path):
    def make(*arguments):
        result = run(*arguments, "--html", "r.html")
        assert result.exit_code == 0, result.stderr
        source = (tmp_path / "r.html").read_text(encoding="utf-8")
        page = Page(unpacked(source))
        assert "http:" not in source and "https:" not in source and "url(" not in source.replace("url(#", "")
        assert not {"link", "img", "iframe"} & set(page.tags)
        assert all(address.startswith("#") for address in page.addresses)
        assert len(set(page.ids)) == len(page.ids)
        return page

    return make


ENCODED = (["고양이가 방에서 잔다.", "한 둘"], ["고양이가 방에서 자", "둘"])


def write_encoded(encoding):
    for name, lines in (
        ("out.txt", ENCODED[0]),
        ("ref.txt", ENCODED[1]),
        ("d.csv", ["out,ref", *map(",".join, zip(*ENCODED, strict=True))]),
    ):
        with open(name, "wb") as file:
            file.write("\r\n".join(lines).encode(encoding))
