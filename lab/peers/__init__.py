"""The registry of peers: how other libraries that compute what our metrics compute are called, each written once.

`agreement.py` tries whether both sides give the same values, and `benchmark.py` takes their times. Start with peer.py.
"""

from . import bleu, error_rates, ngrams, rouge_meteor, scores

PEERS = [*bleu.PEERS, *rouge_meteor.PEERS, *ngrams.PEERS, *error_rates.PEERS, *scores.PEERS]

# what the table does not run: metric, peer, why; scripts of Hugging Face are in no package
NOT_RUN = [
    ("bleu", "Hugging Face `bleu`", "its definition is written down anew and compared above"),
    ("bleu", "Hugging Face `sacrebleu`", "it calls sacreBLEU"),
    ("chrf", "Hugging Face `chrf`", "it calls sacreBLEU"),
    ("ter", "Hugging Face `ter`", "it calls sacreBLEU"),
    (
        "ter",
        "torchmetrics",
        "it takes seconds for a text of a hundred words. It is written after sacreBLEU, but differs from it on some "
        "short pairs, on which ours does not",
    ),
    ("rouge", "Hugging Face `rouge`", "it calls rouge_score, and its median of random resamples is random"),
    ("meteor", "Hugging Face `meteor`", "it calls nltk with WordNet, which nltk downloads"),
    ("nist", "Hugging Face `nist_mt`", "it calls nltk"),
    ("cer", "Hugging Face `cer`", "it calls jiwer"),
    ("wer", "Hugging Face `wer`", "it calls jiwer"),
    ("perplexity", "Hugging Face `perplexity`", "the tests compare its definition, written down anew"),
    ("rouge", "ROUGE-1.5.5.pl", "it needs Perl's XML::DOM; rouge-metric is a port"),
    ("nist", "mteval-v13m.pl", "no package has it; the tests have its worked example and a slow version of its rules"),
    ("cider", "vrama91/cider", "it needs Python 2; the tests have its published values"),
    ("delta_bleu", "mgalley/sacreBLEU", "no package has the fork; the tests have its published values"),
    ("cer", "ClovaCall, ESPnet", "no package has their cleaning; the tests write its rules down"),
    ("wer", "ESPnet's sWER", "no package has the script; the tests write its rules down"),
    ("human_correlation", "mt-metrics-eval", "no package of that name is it; the tests have its published values"),
    ("human_correlation", "psych's r.test", "it needs R; the tests have a published value"),
]
