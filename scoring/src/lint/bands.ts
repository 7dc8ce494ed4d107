import type { Band } from "../question.ts";
import { error, type Finding, warning } from "./finding.ts";

interface Range {
  readonly from: number;
  readonly to: number;
}

/** Gaps and overlaps in the bands of a number. */
export function lintBands(bands: readonly Band[], path: string): Finding[] {
  if (bands.length === 0)
    return [
      error(path, "no_bands", "The list of bands is empty: no number is allowed.", "Add a band, or remove bands."),
    ];
  const ranges = bands.map(({ from = -Infinity, to = Infinity }) => ({ from, to }));
  return [
    ...ranges.flatMap((range, index) => lintBand(ranges.slice(0, index), range, `${path}/${index}`)),
    ...gaps(ranges, path),
  ];
}

/** An overlap with earlier bands, which win. Bands may share a limit. */
function lintBand(earlier: readonly Range[], range: Range, path: string): Finding[] {
  if (earlier.some((each) => each.from <= range.from && range.to <= each.to))
    return [
      warning(
        path,
        "band_never_used",
        "An earlier band contains all values of this band.",
        "Remove it, or change its limits.",
      ),
    ];
  const first = earlier.findIndex((each) => Math.max(each.from, range.from) < Math.min(each.to, range.to));
  if (first === -1) return [];
  return [
    warning(
      path,
      "band_overlap",
      `This band overlaps band ${first + 1}, which comes first and wins.`,
      "Change the limits.",
    ),
  ];
}

/** Values between two bands. Whole numbers that follow each other, such as to: 10 and from: 11, leave no gap. */
function gaps(ranges: readonly Range[], path: string): Finding[] {
  const sorted = ranges.toSorted((a, b) => a.from - b.from);
  const found: Finding[] = [];
  let end = sorted[0]?.to ?? Infinity;
  for (const { from, to } of sorted.slice(1)) {
    const isNextNumber = Number.isInteger(end) && from === end + 1;
    if (from > end && !isNextNumber)
      found.push(
        warning(
          path,
          "band_gap",
          `No band contains the values between ${end} and ${from}: reviewers cannot enter them.`,
          "Close the gap.",
        ),
      );
    end = Math.max(end, to);
  }
  return found;
}
