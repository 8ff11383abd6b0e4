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
    angle, is_odd = math.atan(t / math.sqrt(degrees)), degrees % 2
    tops = 2 * np.arange(1, (degrees - 2) // 2 + 1) - 1 + is_odd
    series = np.cumprod(np.append(1.0, tops / (tops + 1) * math.cos(angle) ** 2)).sum()
    if is_odd:
        inside = 2 / math.pi * (angle + (math.sin(angle) * math.cos(angle) * series if degrees > 1 else 0.0))
    else:
        inside = math.sin(angle) * series
    tail = 1 - abs(inside) if alternative == "two-sided" else (1 - inside) / 2
    return float(min(max(tail, 0.0), 1.0))


def t_quantile(tail: float, degrees: int) -> float:
    """Returns the value above which Student's t lies with probability `tail`, below .5: t_p_value turned round.

    >>> round(t_quantile(0.025, degrees=10), 3)
    2.228
    """
    low, high = 0.0, _LARGEST
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if t_p_value(middle, degrees, "greater") > tail else (low, middle)
    return middle
