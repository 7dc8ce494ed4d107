"""The formula hearback/1, written a second time from its specification, to check scoring/src/formula.ts against.

Reads one JSON object per line, {"document": ..., "answers": ...}, with all defaults filled in. Writes one JSON object per
line: the result.

    v(q) = points / maximum of the question, w(q) its weight, W(s) the weight of the section
    applicable: visible, scored, answered, not marked as not applicable
    S(s) = sum w*v / sum w              over the applicable questions of s
    raw  = sum W(s)*S(s) / sum W(s)     over the sections with an applicable question
    spreads_over_form: W(s) is the sum of the weights of the applicable questions of s
    score = raw with failed sections counted 0; 0 if an answer fails the call and fail = zeroes_score
"""

import json
import sys
from decimal import Decimal
from fractions import Fraction
from math import floor


def options(question):
    """Option id -> (points, fails)."""
    if question["type"] == "yes_no":
        points = {"yes": 1, "no": 0}
        return {name: (points[name], question.get(name, {}).get("fails")) for name in points}
    return {o["id"]: (o.get("points", 0), o.get("fails")) for o in question.get("options", [])}


def band_points(question, value):
    for band in question["bands"]:
        if ("from" not in band or band["from"] <= value) and ("to" not in band or value <= band["to"]):
            return band["points"]
    return None


def maximum(question):
    kind = question["type"]
    if kind == "number":
        return max([band["points"] for band in question.get("bands", [])], default=0)
    points = [p for p, _ in options(question).values()]
    if kind == "multiple":
        if not any(points):
            return 0
        return question.get("max_points", sum(points))
    return max(points, default=0)


def weight(question):
    """0 for a question that is not scored: without weight or without points."""
    return question.get("weight", 0) if maximum(question) > 0 else 0


def chosen(question, answer):
    """The selected option ids, or None without a valid answer. Numbers and texts select nothing."""
    if answer is None or "value" not in answer:
        return None
    value = answer["value"]
    kind = question["type"]
    if kind == "number":
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        return [] if is_number else None
    if kind == "text":
        return [] if isinstance(value, str) else None
    if kind == "multiple":
        if not isinstance(value, list):
            return None
        picked = value
    else:
        if not isinstance(value, str):
            return None
        picked = [value]
    known = options(question)
    return picked if all(name in known for name in picked) else None


def points_of(question, answer):
    picked = chosen(question, answer)
    if picked is None:
        return None
    if question["type"] == "number":
        return band_points(question, answer["value"]) if "bands" in question else 0
    return min(sum(options(question)[name][0] for name in picked), maximum(question))


def is_true(condition, picked_by_question):
    if "all" in condition:
        return all(is_true(entry, picked_by_question) for entry in condition["all"])
    if "any" in condition:
        return any(is_true(entry, picked_by_question) for entry in condition["any"])
    return bool(set(picked_by_question.get(condition["question"], [])) & set(condition["is"]))


def visible_ids(document, answers):
    shown, picked_by_question = set(), {}
    for section in document["sections"]:
        for question in section["questions"]:
            if "when" not in question or is_true(question["when"], picked_by_question):
                shown.add(question["id"])
                picked_by_question[question["id"]] = chosen(question, answers.get(question["id"])) or []
    return shown


def hundredths(part):
    """A fraction of 1 in hundredths of a percent, rounded half up."""
    return floor(part * 10000 + Fraction(1, 2))


def add_up(parts, total):
    """Rounds {id: fraction of 1} to hundredths that add up to total: the largest remainders are rounded up."""
    result = {key: floor(part * 10000) for key, part in parts.items()}
    order = sorted(parts, key=lambda key: (-(parts[key] * 10000 - result[key]), key))
    for key in order[: total - sum(result.values())]:
        result[key] += 1
    return result


def cause_of(question, answer, shown):
    if question["id"] not in shown:
        return "hidden"
    if answer is not None and answer.get("not_applicable"):
        return "marked"
    if weight(question) == 0:
        return "unscored"
    return "unanswered" if points_of(question, answer) is None else None


def evaluate(document, answers):
    shown = visible_ids(document, answers)
    spreads = document["not_applicable"] == "spreads_over_form"
    failed_by, causes, value, section_weight, section_score = [], {}, {}, {}, {}
    applicable = {}
    for section in document["sections"]:
        for question in section["questions"]:
            name, answer = question["id"], answers.get(question["id"])
            causes[name] = cause_of(question, answer, shown)
            if causes[name] is None:
                value[name] = Fraction(points_of(question, answer), maximum(question))
            if name in shown:
                picked = chosen(question, answer) or []
                for option, (_, fails) in options(question).items():
                    if option in picked and fails:
                        failed_by.append(
                            {"question": name, "section": section["id"], "option": option, "scope": fails}
                        )
        applicable[section["id"]] = [q for q in section["questions"] if q["id"] in value]
        weights = sum(weight(q) for q in applicable[section["id"]])
        own = section.get("weight", sum(weight(q) for q in section["questions"]))
        section_weight[section["id"]] = weights if spreads else own
        section_score[section["id"]] = (
            sum(weight(q) * value[q["id"]] for q in applicable[section["id"]]) / Fraction(weights) if weights else None
        )
    failed_sections = {f["section"] for f in failed_by if f["scope"] == "section"}
    fails_call = any(f["scope"] == "call" for f in failed_by)
    counting = [name for name, score in section_score.items() if score is not None]
    total = sum(section_weight[name] for name in counting)
    raw = sum(section_weight[n] * section_score[n] for n in counting) / Fraction(total) if total else None
    kept = [n for n in counting if n not in failed_sections]
    after = sum(section_weight[n] * section_score[n] for n in kept) / Fraction(total) if total else None
    before = None if raw is None else hundredths(raw)
    score = None if after is None else hundredths(after)
    if fails_call and document["fail"] == "zeroes_score":
        score = 0
    shares = {}
    if total:
        for name in counting:
            weights = sum(weight(q) for q in applicable[name])
            for q in applicable[name]:
                shares[q["id"]] = Fraction(section_weight[name], total) * Fraction(weight(q), weights)
    applied = add_up(shares, 10000) if shares else {}
    lost = add_up({n: s * (1 - value[n]) for n, s in shares.items()}, 10000 - before) if shares else {}
    return {
        "formula": "hearback/1",
        "score": score,
        "score_before_fail": before,
        "lost_by_fail": 0 if score is None else (10000 if before is None else before) - score,
        "outcome": outcome(document, score, fails_call),
        "failed_by": failed_by,
        "sections": [
            section_row(section, applicable, section_score, section_weight, failed_sections, applied, answers)
            for section in document["sections"]
        ],
        "questions": [
            {
                "question": q["id"],
                "section": section["id"],
                "points": points_of(q, answers.get(q["id"])) if causes[q["id"]] is None else None,
                "maximum": maximum(q),
                "weight": weight(q),
                "applied_weight": applied.get(q["id"], 0),
                "lost": lost.get(q["id"], 0),
                "cause": causes[q["id"]],
            }
            for section in document["sections"]
            for q in section["questions"]
        ],
        "tags": tag_rows(document, shares, value, applied),
    }


def outcome(document, score, fails_call):
    if fails_call:
        return "failed"
    if score is None:
        return "not_scored"
    passing = Decimal(str(document["passing_score"]))
    return "passed" if Decimal(score) / 100 >= passing else "failed"


def section_row(section, applicable, section_score, section_weight, failed_sections, applied, answers):
    name = section["id"]
    before = None if section_score[name] is None else hundredths(section_score[name])
    return {
        "section": name,
        "score": 0 if name in failed_sections and before is not None else before,
        "score_before_fail": before,
        "failed": name in failed_sections,
        "points": sum(points_of(q, answers.get(q["id"])) for q in applicable[name]),
        "maximum": sum(maximum(q) for q in applicable[name]),
        "weight": section_weight[name],
        "applied_weight": sum(applied.get(q["id"], 0) for q in applicable[name]),
    }


def tag_rows(document, shares, value, applied):
    tagged = {}
    for section in document["sections"]:
        for question in section["questions"]:
            for tag in question.get("tags", []):
                tagged.setdefault(tag, []).append(question["id"])
    rows = []
    for tag, names in tagged.items():
        counted = [n for n in names if n in shares]
        total = sum(shares[n] for n in counted)
        score = hundredths(sum(shares[n] * value[n] for n in counted) / total) if total else None
        rows.append({"tag": tag, "score": score, "applied_weight": sum(applied[n] for n in counted)})
    return rows


for line in sys.stdin:
    case = json.loads(line)
    print(json.dumps(evaluate(case["document"], case["answers"])))
