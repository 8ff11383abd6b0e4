"""All comparisons: each function adds its rows to the report for one language."""

from . import bleu
from . import bleu_relatives
from . import chrf_ter
from . import error_rates
from . import human_correlation
from . import meteor
from . import nist_cider_hyter
from . import perplexity
from . import readings
from . import rouge

COMPARISONS = {
    **bleu.COMPARISONS,
    **bleu_relatives.COMPARISONS,
    **rouge.COMPARISONS,
    **chrf_ter.COMPARISONS,
    **meteor.COMPARISONS,
    **error_rates.COMPARISONS,
    **readings.COMPARISONS,
    **nist_cider_hyter.COMPARISONS,
    **human_correlation.COMPARISONS,
    **perplexity.COMPARISONS,
}
