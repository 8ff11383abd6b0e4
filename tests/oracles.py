"""Slow, obvious versions of the metrics, written from the papers."""

import decimal
import functools
import itertools
import math
from collections import Counter
from fractions import Fraction

import scipy.stats


def expanded_percentiles(values, confidence, n_units):
    """Ends of an interval by scipy: percentiles as Hesterberg (2015) expands them, and more; none below six units."""
    values = sorted(value for value in values if not math.isnan(value))
    if not values or n_units < 6:
        return [math.nan, math.nan]
    t = scipy.stats.t.ppf((1 + confidence) / 2, n_units - 3)
    tail = scipy.stats.norm.cdf(-t * n_units / (n_units - 1))
    # the first that at least such a share of the values does not exceed
    return [values[max(math.ceil(share * len(values) - 1e-9), 1) - 1] for share in (tail, 1 - tail)]


def ngrams(tokens, order):
    return [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]


def phrase_weight(ngram, weights):
    """The heaviest phrase inside an n-gram; 1 without any. `weights` maps token tuples to Fractions."""
    inside = [
        weight
        for phrase, weight in weights.items()
        if any(ngram[i : i + len(phrase)] == phrase for i in range(len(ngram) - len(phrase) + 1))
    ]
    return max(inside) if inside else Fraction(1)


def weighted_sums(prediction, references, weights, order, negative="literal"):
    """Numerator and denominator of equation (4) for one segment, in exact fractions."""
    numerator = denominator = Fraction(0)
    for ngram, count in Counter(ngrams(prediction, order)).items():
        weight = phrase_weight(ngram, weights)
        if weight < 0 and negative == "penalty":
            numerator += weight * count
            denominator += count
            continue
        per_reference = [Counter(ngrams(reference, order))[ngram] for reference in references]
        numerator += max(min(weight * count, weight * other) for other in per_reference)
        denominator += weight * count
    return numerator, denominator


def distances(reference, prediction):
    """The matrix of edit distances between prefixes, by its definition (Wagner and Fischer 1974)."""
    matrix = [[i + j for j in range(len(prediction) + 1)] for i in range(len(reference) + 1)]
    for i in range(1, len(reference) + 1):
        for j in range(1, len(prediction) + 1):
            level = matrix[i - 1][j - 1] + (reference[i - 1] != prediction[j - 1])
            matrix[i][j] = min(level, matrix[i - 1][j] + 1, matrix[i][j - 1] + 1)
    return matrix


def steps(reference, prediction, ties):
    """The kind of each step of an alignment, read off the matrix from its end; `ties` as `align` has them."""
    head = tail = 0
    if ties == "jiwer":
        while head < min(len(reference), len(prediction)) and reference[head] == prediction[head]:
            head += 1
        reference, prediction = reference[head:], prediction[head:]
        while tail < min(len(reference), len(prediction)) and reference[-1 - tail] == prediction[-1 - tail]:
            tail += 1
        reference, prediction = reference[: len(reference) - tail], prediction[: len(prediction) - tail]
    matrix = distances(reference, prediction)
    i, j, kinds = len(reference), len(prediction), []
    while i or j:
        deletes, inserts = i and matrix[i][j] == matrix[i - 1][j] + 1, j and matrix[i][j] == matrix[i][j - 1] + 1
        is_equal = i and j and reference[i - 1] == prediction[j - 1]
        levels = i and j and matrix[i][j] == matrix[i - 1][j - 1] + (not is_equal)
        both = "equal" if is_equal else "substitute"
        if ties == "jiwer":
            nearer = j and (not i or matrix[i][j - 1] < matrix[i - 1][j - 1])
            kind = "delete" if deletes else "insert" if nearer else both
        elif levels:
            kind = both
        else:
            kind = "insert" if inserts and (ties == "nlptutti" or not deletes) else "delete"
        kinds.append(kind)
        i -= kind != "insert"
        j -= kind != "delete"
    return ["equal"] * head + kinds[::-1] + ["equal"] * tail


def delta_bleu_sums(prediction, references, weights, order, formula="paper"):
    """Numerator and denominator of deltaBLEU for one segment; `weights` are Fractions, one per reference."""
    numerator = denominator = Fraction(0)
    for ngram, count in Counter(ngrams(prediction, order)).items():
        having = []
        for reference, weight in zip(references, weights, strict=True):
            matches = min(count, Counter(ngrams(reference, order))[ngram])
            if matches:
                having.append((weight, matches))
        if having and formula == "paper":
            numerator += max(weight * matches for weight, matches in having)
        elif having:
            numerator += max(weight for weight, _ in having) * max(matches for _, matches in having)
        denominator += max(weight * count for weight in weights)
    return numerator, denominator


def calibrated_accuracy(groups):
    """Deutsch et al. (2023): each threshold for ties is tried; groups are lists of (score, human score)."""
    groups = [group for group in groups if len(group) > 1]
    gaps = {abs(a[0] - b[0]) for group in groups for a, b in itertools.combinations(group, 2)}
    best = (-1.0, None)
    for threshold in sorted({0.0, *gaps}):
        shares = []
        for group in groups:
            pairs = list(itertools.combinations(group, 2))
            right = 0
            for (score, human), (other_score, other_human) in pairs:
                verdict = 0 if abs(score - other_score) <= threshold else 1 if score > other_score else -1
                right += verdict == (human > other_human) - (human < other_human)
            shares.append(Fraction(right, len(pairs)))
        share = float(sum(shares) / len(shares))
        if share > best[0]:
            best = (share, threshold)
    return best


def williams_t(metric, baseline, human):
    """Williams' t by the usual formula, in 80 digits; None where it is 0/0 or a root is of a negative number."""
    decimal.getcontext().prec = 80
    n, columns = len(human), [list(map(decimal.Decimal, column)) for column in (metric, baseline, human)]
    deviations = [[value - sum(column) / n for value in column] for column in columns]

    def r(a, b):
        covariance, *variances = (
            sum(x * y for x, y in zip(deviations[i], deviations[j], strict=True)) for i, j in ((a, b), (a, a), (b, b))
        )
        return covariance / (variances[0] * variances[1]).sqrt()

    ours, theirs, between = r(0, 2), r(1, 2), r(0, 1)
    determinant = 1 - ours**2 - theirs**2 - between**2 + 2 * ours * theirs * between
    variance = 2 * determinant * (n - 1) / (n - 3) + ((ours + theirs) / 2) ** 2 * (1 - between) ** 3
    if variance < decimal.Decimal("1e-60") or 1 + between < decimal.Decimal("1e-60"):
        return None
    return float((ours - theirs) * ((n - 1) * (1 + between) / variance).sqrt())


def soft_accuracy(scores, human):
    """Thompson et al. (2024), with all sign changes; a row of each matrix holds the items of a system."""

    def p_value(first, second):
        gaps = [Fraction(a) - Fraction(b) for a, b in zip(first, second, strict=True)]
        changed = [
            sum(sign * gap for sign, gap in zip(signs, gaps, strict=True))
            for signs in itertools.product([1, -1], repeat=len(gaps))
        ]
        return Fraction(sum(total >= sum(gaps) for total in changed), len(changed))

    pairs = list(itertools.combinations(range(len(scores)), 2))
    error = sum(abs(p_value(scores[a], scores[b]) - p_value(human[a], human[b])) for a, b in pairs)
    return float(1 - error / len(pairs))


def nist(predictions, references, order=5):
    """NIST by mteval's rules, with counters of tuples; texts are lists of tokens."""
    texts = [text for row in references for text in row]
    count = Counter(gram for text in texts for n in range(1, order + 1) for gram in ngrams(text, n))
    count[()] = sum(map(len, texts))
    length = sum(map(len, predictions))
    reference_length = sum(sum(map(len, row)) / len(row) for row in references)
    result = 0.0
    for n in range(1, order + 1):
        information = total = 0
        for prediction, row in zip(predictions, references, strict=True):
            best = Counter()
            for reference in row:
                best |= Counter(ngrams(reference, n))
            for gram, matches in (Counter(ngrams(prediction, n)) & best).items():
                information += matches * math.log2(count[gram[:-1]] / count[gram])
            total += len(ngrams(prediction, n))
        result += information / max(total, 1)
    if length == 0 or length >= reference_length:
        return result
    beta = math.log(0.5) / math.log(1.5) ** 2
    return result * math.exp(beta * math.log(length / reference_length) ** 2)


def cider(predictions, references, order=4, sigma=6.0, clipped=True):
    """CIDEr-D, or CIDEr, of each segment, with counters of tuples; texts are lists of tokens."""
    frequency = Counter()
    for row in references:
        frequency.update({gram for text in row for n in range(1, order + 1) for gram in ngrams(text, n)})

    def vector(text, n):
        weight = {gram: math.log(len(references) / max(1, frequency[gram])) for gram in ngrams(text, n)}
        return {gram: times * weight[gram] for gram, times in Counter(ngrams(text, n)).items()}

    scores = []
    for prediction, row in zip(predictions, references, strict=True):
        score = 0.0
        for reference in row:
            closeness = math.exp(-((len(prediction) - len(reference)) ** 2) / (2 * sigma**2)) if clipped else 1.0
            for n in range(1, order + 1):
                own, other = vector(prediction, n), vector(reference, n)
                dot = sum((min(own[g], other[g]) if clipped else own[g]) * other[g] for g in own.keys() & other.keys())
                norm = math.hypot(*own.values()) * math.hypot(*other.values())
                score += closeness * dot / norm if norm else 0.0
        scores.append(10 * score / len(row) / order)
    return scores


def sentences(tree):
    """All sentences of a network in the notation of decoded JSON, as lists of words."""
    if isinstance(tree, str):
        return [tree.split()]
    [(kind, parts)] = tree.items()
    if kind == "alt":
        return [sentence for part in parts for sentence in sentences(part)]
    return [sum(choice, []) for choice in itertools.product(*map(sentences, parts))]


def orders(words, window):
    """All orders in which the next word is among the first `window` from the first one that is left."""

    def extend(taken):
        if len(taken) == len(words):
            return [taken]
        first = min(set(range(len(words))) - set(taken))
        ahead = [position for position in range(first, min(first + window, len(words))) if position not in taken]
        return [order for position in ahead for order in extend([*taken, position])]

    return [[words[position] for position in order] for order in extend([])]


def hyter(prediction, trees, window):
    """The smallest rate of edits by length, and edits and length of the shortest sentence that has it."""
    best = []
    for sentence in [sentence for tree in trees for sentence in sentences(tree)]:
        edits = min(distances(sentence, order)[-1][-1] for order in orders(prediction, window))
        rate = Fraction(edits, len(sentence)) if sentence else (math.inf if edits else Fraction(0))
        best.append((rate, len(sentence), edits))
    rate, length, edits = min(best)
    return float(rate), edits, length


def hyter_of_sets(prediction, sentences, window):
    """As `hyter`, for a list of sentences: a search through the sets of words that have been read."""

    def edits_to(sentence):
        @functools.cache
        def edits(done, read):
            left = [position for position in range(len(prediction)) if position not in read]
            ways = [len(left) if done == len(sentence) else 1 + edits(done + 1, read)]
            for position in left:
                if position < left[0] + window:
                    after = read | {position}
                    ways.append(1 + edits(done, after))
                    if done < len(sentence):
                        ways.append((prediction[position] != sentence[done]) + edits(done + 1, after))
            return min(ways)

        return edits(0, frozenset())

    best = []
    for sentence in sentences:
        edits = edits_to(sentence)
        rate = Fraction(edits, len(sentence)) if sentence else (math.inf if edits else Fraction(0))
        best.append((rate, len(sentence), edits))
    rate, length, edits = min(best)
    return float(rate), edits, length


def edit_steps(prediction, reference, beam=math.inf):
    """An alignment of two strings with the fewest edits, TER's: from the end, both, else insert, else delete.

    It goes through cells of the matrix that are within Tercom's beam, and through the first and the last row.
    """
    ratio = len(reference) / max(len(prediction), 1)
    beam = math.ceil(ratio / 2 + beam) if ratio / 2 > beam else beam

    @functools.cache
    def cost(i, j):
        middle = math.floor(i * ratio)
        if i and not middle - beam <= j < (middle + beam if i < len(prediction) else math.inf):
            return math.inf
        if not (i and j):
            return i + j
        both = cost(i - 1, j - 1) + (prediction[i - 1] != reference[j - 1])
        return min(both, cost(i - 1, j) + 1, cost(i, j - 1) + 1)

    i, j, steps = len(prediction), len(reference), []
    while i or j:
        is_wrong = not (i and j) or prediction[i - 1] != reference[j - 1]
        if i and j and cost(i, j) == cost(i - 1, j - 1) + is_wrong:
            steps.append("substitute" if is_wrong else "equal")
        else:
            steps.append("insert" if i and cost(i, j) == cost(i - 1, j) + 1 else "delete")
        i, j = i - (steps[-1] != "delete"), j - (steps[-1] != "insert")
    return steps[::-1]


def edits_with_shifts(prediction, reference):
    """TER's edits (Snover et al. 2006) without its limits: each step makes the best of all shifts, while one helps."""
    if not reference:
        return len(prediction)
    steps = edit_steps(prediction, reference)
    edits = sum(step != "equal" for step in steps)
    errors = [step != "equal" for step in steps if step != "delete"]
    reference_errors = [step != "equal" for step in steps if step != "insert"]
    # for each word of the reference, how many words of the prediction stand before its place, and up to it
    places = [sum(s != "delete" for s in steps[:k]) for k in range(len(steps) + 1)]
    up_to = [places[k + 1] for k, step in enumerate(steps) if step != "insert"]
    tries = []
    for start, end in itertools.combinations(range(len(prediction) + 1), 2):
        block = prediction[start:end]
        for first in range(len(reference) - len(block) + 1):
            last = first + len(block)
            if reference[first:last] != block or not any(errors[start:end]) or not any(reference_errors[first:last]):
                continue
            if start < up_to[first] <= end:
                continue
            for target in {up_to[k] if k >= 0 else 0 for k in range(first - 1, last)}:
                rest = prediction[:start] + prediction[end:]
                place = target if target <= end else target - len(block)
                moved = rest[:place] + block + rest[place:]
                left = sum(step != "equal" for step in edit_steps(moved, reference))
                tries.append((left, -len(block), start, target, moved))
    best = min(tries, default=(edits, None))
    return 1 + edits_with_shifts(best[-1], reference) if best[0] < edits else edits


def edits_of_readings(first, second, are_equal):
    """The fewest edits between any of some texts and any of others, each a list of characters or of words."""

    def distance(left, right):
        row = list(range(len(right) + 1))
        for i, one in enumerate(left, start=1):
            before, row[0] = row[0], i
            for j, other in enumerate(right, start=1):
                before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (not are_equal(one, other)))
        return row[-1]

    return min(distance(left, right) for left in first for right in second)


def edits_with_joins(reference, prediction):
    """The fewest word edits where adjacent words that are, joined, one word of the other text cost nothing."""

    @functools.cache
    def fewest(i, j):
        if i == 0 or j == 0:
            return i + j
        ways = [
            fewest(i - 1, j) + 1,
            fewest(i, j - 1) + 1,
            fewest(i - 1, j - 1) + (reference[i - 1] != prediction[j - 1]),
        ]
        ways += [fewest(a, j - 1) for a in range(i - 1) if "".join(reference[a:i]) == prediction[j - 1]]
        ways += [fewest(i - 1, b) for b in range(j - 1) if "".join(prediction[b:j]) == reference[i - 1]]
        return min(ways)

    return fewest(len(reference), len(prediction))


def keyword_places(tokens, phrase, fits):
    """Where a phrase occurs in the joined tokens, from the left, without overlap; `fits` judges what is around it."""
    text, owner = "".join(tokens), [index for index, token in enumerate(tokens) for _ in token]
    places, start = [], 0
    while start + len(phrase) <= len(text):
        end = start + len(phrase)
        first, last = owner[start], owner[end - 1]
        before = "".join(c for c, own in zip(text[:start], owner, strict=False) if own == first)
        after = "".join(c for c, own in zip(text[end:], owner[end:], strict=True) if own == last)
        if text[start:end] == phrase and fits(before, after, text[end : end + 1]):
            places.append((start, end))
            start = end
        else:
            start += 1
    return places, owner


def weighted_edits(reference, prediction, weights, fits):
    """Fewest edits, the least that such edits cost, the reference's weighted length, and the phrases of both texts.

    Costs are Fractions; `weights` maps phrases to them.
    """
    sides = []
    for tokens in (reference, prediction):
        heavy, parts, inside = [[] for _ in tokens], [set() for _ in tokens], [[0] for _ in range(len(tokens) + 1)]
        counts = Counter()
        for phrase, weight in weights.items():
            places, owner = keyword_places(tokens, phrase, fits)
            counts[phrase] += len(places) * (weight >= 1)
            for start, end in places:
                for at in range(start, end):
                    heavy[owner[at]].append(weight)
                    parts[owner[at]].add((phrase, at - start))
                for token in range(owner[start] + 1, owner[end - 1] + 1):
                    inside[token].append(weight)
        sides.append(([max(of, default=Fraction(1)) for of in heavy], parts, list(map(max, inside)), +counts))
    (u, own, gaps, wanted), (v, others, other_gaps, predicted) = sides

    @functools.cache
    def least(i, j):
        if i == j == 0:
            return 0, Fraction(0)
        ways = []
        if i:
            ways.append((least(i - 1, j), max(u[i - 1], other_gaps[j])))
        if j:
            ways.append((least(i, j - 1), max(v[j - 1], gaps[i])))
        if i and j:
            if reference[i - 1] == prediction[j - 1]:
                ways.append((least(i - 1, j - 1), None))
            else:
                is_outside = own[i - 1] and own[i - 1] == others[j - 1]
                ways.append((least(i - 1, j - 1), Fraction(1) if is_outside else max(u[i - 1], v[j - 1])))
        return min((edits + (cost is not None), total + (cost or 0)) for (edits, total), cost in ways)

    return *least(len(reference), len(prediction)), sum(u), wanted, predicted
