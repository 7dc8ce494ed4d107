"""A second implementation of the formulas of docs/statistics.md, from the values themselves. One JSON case per line."""

import functools
import json
import math
import sys


def mean(values):
    return sum(values) / len(values)


def integral(function, low, high, steps=2000):
    """Simpson's rule."""
    width = (high - low) / steps
    inner = sum((4 if step % 2 else 2) * function(low + step * width) for step in range(1, steps))
    return (function(low) + inner + function(high)) * width / 3


@functools.cache
def student(degrees):
    """The 0.975 quantile of t: where the area of the density from 0 on is 0.475. With t = √degrees·tan(angle)."""
    scale = math.exp(math.lgamma((degrees + 1) / 2) - math.lgamma(degrees / 2)) / math.sqrt(math.pi)
    low, high = 0, math.pi / 2
    for _ in range(60):
        middle = (low + high) / 2
        if scale * integral(lambda angle: math.cos(angle) ** (degrees - 1), 0, middle, 200) < 0.475:
            low = middle
        else:
            high = middle
    return math.sqrt(degrees) * math.tan(low)


def wilson(share, size, quantile):
    """Solves |share − x| − 1/2N = quantile·√(x(1 − x)/N) for x on both sides of the share."""

    def end(bound):
        near, far = share, bound
        if abs(share - bound) <= 1 / (2 * size):
            return bound
        for _ in range(100):
            x = (near + far) / 2
            if abs(share - x) - 1 / (2 * size) < quantile * math.sqrt(x * (1 - x) / size):
                near = x
            else:
                far = x
        return near

    return [end(0), end(1)]


def bounded(value, error, low, high, degrees):
    if error <= 1e-9 * (high - low):
        return None
    share = (value - low) / (high - low)
    size = max(1, share * (1 - share) / (error / (high - low)) ** 2)
    return [low + (high - low) * end for end in wilson(share, size, student(degrees))]


def variance(values):
    return sum((value - mean(values)) ** 2 for value in values) / (len(values) - 1) if len(values) > 1 else 0


def rate(case):
    return wilson(case["successes"] / case["trials"], case["trials"], 1.959963984540054)


def mean_score(case):
    values = case["values"]
    if len(values) < 2:
        return None
    return bounded(mean(values), math.sqrt(variance(values) / len(values)), 0, 10000, len(values) - 1)


def clustered(case):
    clusters = case["clusters"]
    values = [value for cluster in clusters for value in cluster]
    effective = len(values) ** 2 / sum(len(cluster) ** 2 for cluster in clusters)
    if effective < 2:
        return None
    centre = mean(values)
    sums = sum(sum(value - centre for value in cluster) ** 2 for cluster in clusters)
    error = math.sqrt(effective / (effective - 1) * sums) / len(values)
    return bounded(centre, error, 0, 10000, effective - 1)


def raw_agreement(calls):
    def share(answers):
        pairs = [(a, b) for i, a in enumerate(answers) for b in answers[i + 1 :]]
        return mean([1 if a == b else 0 for a, b in pairs])

    return mean([share(answers) for answers in calls])


def jackknife(case):
    calls = case["calls"]
    left = [raw_agreement(calls[:at] + calls[at + 1 :]) for at in range(len(calls))]
    spread = sum((value - mean(left)) ** 2 for value in left)
    error = math.sqrt((len(calls) - 1) / len(calls) * spread)
    return bounded(raw_agreement(calls), error, 0, 1, len(calls) - 1)


def shrunk(case):
    """Of the first agent."""
    agents = case["agents"]
    k, n = len(agents), [len(scores) for scores in agents]
    if k < 4 or sum(n) <= k:
        return None
    scores = [score for of_agent in agents for score in of_agent]
    centre, total = mean(scores), sum(n)
    within = sum((score - mean(own)) ** 2 for own in agents for score in own) / (total - k)
    between_square = sum(len(own) * (mean(own) - centre) ** 2 for own in agents) / (k - 1)
    size = (total - sum(count**2 for count in n) / total) / (k - 1)
    between = max(0, (between_square - within) / size)
    error = within / n[0]
    weight = (k - 3) / (k - 1) * error / (error + between) if error > 0 else 0
    own = mean(agents[0])
    value = weight * centre + (1 - weight) * own
    sampling = max(within, variance(agents[0])) / n[0]
    uncertainty = (1 - (k - 1) / k * weight) * sampling + 2 / (k - 3) * weight**2 * (own - centre) ** 2
    return [value, bounded(value, math.sqrt(uncertainty), 0, 10000, total - k)]


def correlation(table):
    """ICC(2,1), from the residuals of the two-way layout."""
    n, k = len(table), len(table[0])
    rows, columns = [mean(row) for row in table], [mean([row[j] for row in table]) for j in range(k)]
    centre = mean(rows)
    between = k * sum((value - centre) ** 2 for value in rows) / (n - 1)
    raters = n * sum((value - centre) ** 2 for value in columns) / (k - 1)
    rest = sum((table[i][j] - rows[i] - columns[j] + centre) ** 2 for i in range(n) for j in range(k))
    rest /= (n - 1) * (k - 1)
    total = between + (k - 1) * rest + k * (raters - rest) / n
    return (between - rest) / total if total > 1e-9 else None


kinds = {
    "rate": rate,
    "mean": mean_score,
    "clustered": clustered,
    "jackknife": jackknife,
    "shrunk": shrunk,
    "correlation": lambda case: correlation(case["table"]),
}

for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps(kinds[case["kind"]](case)))
