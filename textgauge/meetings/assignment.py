"""Who is who: the cheapest way to pair the speakers of both sides."""

import math

import numpy as np


def cheapest_assignment(costs: np.ndarray) -> list[int]:
    """Returns the column of each row, each column once, so that the sum of the costs is the least.

    The idea is Kuhn's (1955), in the form of shortest augmenting paths (Jonker and Volgenant 1987): rows are added one
    by one, and a row that finds its column taken moves others along the cheapest path to a free one. scipy's
    `linear_sum_assignment` has the same sum; this needs no scipy, and so has the same columns everywhere, where several
    are as cheap. Meetings have few speakers, for which lists take less time than arrays.

    >>> cheapest_assignment(np.array([[1.0, 2.0], [1.0, 9.0]]))
    [1, 0]

    Args:
        costs: (size, size).
    """
    size = len(costs)
    start = size  # a column beside the others, in which the row that is added stands
    row_of = [-1] * (size + 1)
    # prices: a cost less those of its row and its column is never negative
    row_prices = [0.0] * size
    column_prices = [0.0] * (size + 1)
    costs_of_rows = costs.tolist()
    for added in range(size):
        row_of[start] = added
        column = start
        reached: list[int] = []
        others = list(range(size))  # columns that are not reached
        nearest = [math.inf] * size  # for each column how far it is along the cheapest path
        before = [start] * size  # the column before it on that path
        while row_of[column] >= 0:
            reached.append(column)
            row = row_of[column]
            for other in others:
                left = costs_of_rows[row][other] - row_prices[row] - column_prices[other]
                if left < nearest[other]:
                    nearest[other] = left
                    before[other] = column
            following = min(others, key=nearest.__getitem__)

            step = nearest[following]
            for passed in reached:
                row_prices[row_of[passed]] += step
                column_prices[passed] -= step
            for other in others:
                nearest[other] -= step
            others.remove(following)
            column = following
        while column != start:
            row_of[column] = row_of[before[column]]
            column = before[column]
    columns = [0] * size
    for column, row in enumerate(row_of[:size]):
        columns[row] = column
    return columns
