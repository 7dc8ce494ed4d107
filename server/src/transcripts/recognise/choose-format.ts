import type { transcriptFormats } from "@hearback/contract";

export type TranscriptFormat = (typeof transcriptFormats)[number];

export const mediaTypes = { vtt: "text/vtt", text: "text/plain" } as const;

/** Formats by media type, the default first. */
const accepted: readonly (readonly [pattern: string, format: TranscriptFormat])[] = [
  ["application/json", "json"],
  ["text/vtt", "vtt"],
  ["text/plain", "text"],
  ["application/*", "json"],
  ["text/*", "text"],
  ["*/*", "json"],
];

/** The format that an Accept header prefers. JSON if it names none of ours. */
export function chooseFormat(accept: string | undefined): TranscriptFormat {
  const ranges = (accept ?? "").slice(0, 500).toLowerCase().split(",");
  const weighed = ranges.flatMap((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const format = accepted.find(([pattern]) => pattern === type)?.[1];
    const given = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const weight = given === undefined ? 1 : Number(given);
    return format && weight > 0 ? [{ format, weight }] : [];
  });
  // Of equal weights, the first wins: the sort is stable.
  return weighed.toSorted((a, b) => b.weight - a.weight)[0]?.format ?? "json";
}
