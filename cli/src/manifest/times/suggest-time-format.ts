import { compileTimeFormat, type TimeFormat } from "./time-format.ts";

export interface SuggestedFormat {
  readonly format: string;
  readonly hasOffset: boolean;
  /** How this format reads the value, for comparison. */
  readonly means: string;
}

const dates = [
  "yyyy-MM-dd",
  "yyyy/MM/dd",
  "yyyy.MM.dd",
  "yyyyMMdd",
  "dd/MM/yyyy",
  "MM/dd/yyyy",
  "dd.MM.yyyy",
  "dd-MM-yyyy",
  "MM-dd-yyyy",
  "d/M/yyyy",
  "M/d/yyyy",
  "d.M.yyyy",
  "dd/MM/yy",
  "MM/dd/yy",
  "dd.MM.yy",
  "dd-MM-yy",
  "d/M/yy",
  "M/d/yy",
  "d.M.yy",
  "dd MMM yyyy",
  "d MMM yyyy",
  "dd-MMM-yyyy",
  "MMM d, yyyy",
  "EEE, dd MMM yyyy",
];
const times = [
  "HH:mm:ss",
  "HH:mm",
  "HH:mm:ss.SSS",
  "H:mm:ss",
  "H:mm",
  "HHmmss",
  "HH-mm-ss",
  "HH'h'mm",
  "hh:mm:ss a",
  "hh:mm a",
  "h:mm:ss a",
  "h:mm a",
];
const joints = [" ", "'T'", "-", "_", ", ", ""];
const ends = ["", " XX", "XXX", " XXX", "XX"];

/** Cache size. A manifest usually has one or two shapes of times. */
const maxShapes = 16;
const formatsOfShape = new Map<string, readonly Candidate[]>();

interface Candidate {
  readonly format: string;
  readonly compiled: TimeFormat;
}

/** Suggests formats for a value; two if day and month could be swapped. */
export function suggestTimeFormat(value: string): SuggestedFormat[] {
  const found = new Map<string, SuggestedFormat>();
  for (const { format, compiled } of formatsFor(value)) {
    const read = compiled.read(value);
    if (!read || read === "impossible") continue;
    const means = new Date(read.localMs).toUTCString().slice(5, 22);
    if (!found.has(means)) found.set(means, { format, hasOffset: compiled.hasOffset, means });
  }
  return [...found.values()].slice(0, 2);
}

function formatsFor(value: string): readonly Candidate[] {
  if (value.length > 40 || !/\d/.test(value)) return [];
  const shape = value.replace(/\d/g, "0");
  const known = formatsOfShape.get(shape);
  if (known) return known;
  if (formatsOfShape.size >= maxShapes) return [];
  const fitting = everyFormat().flatMap((format) => {
    const compiled = compileTimeFormat(format);
    return "read" in compiled && compiled.read(value) !== undefined ? [{ format, compiled }] : [];
  });
  formatsOfShape.set(shape, fitting);
  return fitting;
}

const everyFormat = () =>
  dates.flatMap((date) =>
    joints.flatMap((joint) => times.flatMap((time) => ends.map((end) => date + joint + time + end))),
  );
