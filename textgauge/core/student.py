"""Student's t: tails, and the value that cuts one off."""

import math

import numpy as np

_LARGEST = 1e9  # of a value of t that is looked for


def t_p_value(t: float, degrees: int, alternative: str) -> float:
    """Returns the p-value of Student's t for a whole number of degrees of freedom; nan for nan.

    Abramowitz and Stegun (1964), equations 26.7.3 and 26.7.4, which are finite sums.

    >>> [round(t_p_value(2.0, 10, alternative), 4) for alternative in ("greater", "two-sided")]
    [0.0367, 0.0734]
    """
    if math.isnan(t):
        return math.nan
    angle = math.atan(t / math.sqrt(degrees))
    sine = math.sin(angle)
    cosine = math.cos(angle)
    is_odd = degrees % 2

    # each term of the series is the one before it, times cosine^2 and 1/2, 3/4, ... or, if odd, 2/3, 4/5, ...
    numbers = np.arange(1, degrees // 2)
    numerators = 2 * numbers - 1 + is_odd
    factors = numerators / (numerators + 1) * cosine**2
    series = np.cumprod(np.append(1.0, factors)).sum()

    # the probability between -t and t, with the sign of t
    inside = sine * series
    if is_odd:
        beside_angle = sine * cosine * series if degrees > 1 else 0.0
        inside = 2 / math.pi * (angle + beside_angle)
    tail = 1 - abs(inside) if alternative == "two-sided" else (1 - inside) / 2
    return float(min(max(tail, 0.0), 1.0))


def t_quantile(tail: float, degrees: int) -> float:
    """Returns the value above which Student's t lies with probability `tail`, below .5: the inverse of t_p_value.

    >>> round(t_quantile(0.025, degrees=10), 3)
    2.228
    """
    low = 0.0
    high = _LARGEST
    while low < (middle := (low + high) / 2) < high:
        if t_p_value(middle, degrees, "greater") > tail:
            low = middle
        else:
            high = middle
    return middle
