"""Makes textgauge/meteor/wordnet.b85 and LICENSE.wordnet of WordNet's files, as Debian's wordnet-base has them.

    sudo apt-get install wordnet-base
    python -m lab.build_wordnet_synonyms

The table holds the synsets with at least two words (no phrases), each with its part of speech, and the exceptions to
regular inflection. A word with irregular forms is in it even if it is alone in its synsets, because its forms count as
its synonyms.
"""

import base64
import re
import zlib
from pathlib import Path
from typing import Annotated

import typer

SOURCE = Path("/usr/share/wordnet")
TARGET = Path(__file__).parents[1] / "textgauge" / "meteor"
PARTS_OF_SPEECH = ("noun", "verb", "adj", "adv")
_WIDTH = 120
_SYNTACTIC_MARKER = re.compile(r"\((a|p|ip)\)$")  # of the position of an adjective, such as galore(ip)


def main(
    source: Annotated[Path, typer.Option(help="Folder with data.noun, noun.exc, ...", exists=True)] = SOURCE,
    target: Annotated[Path, typer.Option(help="The folder to write to.", exists=True)] = TARGET,
) -> None:
    """Writes the packed synonyms and the licence."""
    packed = base64.b85encode(zlib.compress(table(source).encode(), 9)).decode("ascii")
    lines = re.sub(f".{{{_WIDTH}}}", "\\g<0>\n", packed)
    (target / "wordnet.b85").write_text(f"{lines}\n", encoding="ascii")
    (target / "LICENSE.wordnet").write_text(f"{licence(source)}\n", encoding="utf-8")


def licence(source: Path) -> str:
    """Returns WordNet's licence, which is at the head of each of its files, with a number before each line."""
    lines = [line for line in _read(source / "data.noun") if line.startswith("  ")]
    return "\n".join(re.sub(r"^ +\d+ ?", "", line).rstrip() for line in lines).strip()


def table(source: Path) -> str:
    """Returns paragraphs: the synsets of each part of speech, a line for each; then the exceptions, form and bases."""
    synsets, exceptions = [], []
    for name in PARTS_OF_SPEECH:
        every = [_words(line) for line in _read(source / f"data.{name}") if not line.startswith("  ")]
        known = {word for words in every for word in words}
        irregular = _exceptions(_read(source / f"{name}.exc"), known)
        kept = {words for words in every if len(words) > 1}
        in_kept = {word for words in kept for word in words}
        alone = {(base,) for _, *bases in irregular for base in bases if base not in in_kept}
        synsets.append("\n".join(" ".join(words) for words in sorted(kept | alone)))
        exceptions.append("\n".join(" ".join(entry) for entry in irregular))
    return "\n\n".join([*synsets, *exceptions])


def _read(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _words(line: str) -> tuple[str, ...]:
    """Returns the words of a synset (wndb(5WN)): number of words in hexadecimal, then each with a sense number."""
    fields = line.split()
    lemmas = fields[4 : 4 + 2 * int(fields[3], 16) : 2]
    lemmas = [_SYNTACTIC_MARKER.sub("", lemma).lower() for lemma in lemmas]
    return tuple(sorted({lemma for lemma in lemmas if "_" not in lemma}))


def _exceptions(lines: list[str], known: set[str]) -> list[tuple[str, ...]]:
    """Returns the forms to which no rule applies, with those of their bases that are words of this part of speech.

    There may be none: "his" is in the list of nouns only so that no s is taken off.
    """
    bases: dict[str, dict[str, None]] = {}
    for line in lines:
        form, *bases_of_form = line.split()
        if "_" not in form:
            known_bases = [base for base in bases_of_form if base in known]
            bases.setdefault(form, {}).update(dict.fromkeys(known_bases))
    return [(form, *known_bases) for form, known_bases in sorted(bases.items())]


if __name__ == "__main__":
    typer.run(main)
