"""Synonyms of WordNet 3.0, packed as `read_wordnet` reads them; LICENSE.wordnet has WordNet's licence.

lab/build_wordnet_synonyms.py makes both files. Where a metric is published, joining.py makes a module of them.
"""

from importlib import resources

DATA = resources.files(__package__).joinpath("wordnet.b85").read_text(encoding="ascii")
