import { stripVTControlCharacters } from "node:util";

// Created on first use: construction takes 15 ms.
let segmenter: Intl.Segmenter | undefined;
const graphemes = (text: string) => {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
};
const plainAscii = /^[\x20-\x7e]*$/;
const withoutWidth = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]+$/u;
// Approximate ranges of East Asian Width W and F: JavaScript regexes do not support the property.
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f/u;

const graphemeWidth = (grapheme: string) => (withoutWidth.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1);

/** Number of terminal columns that a text takes, ignoring escape codes. */
export function textWidth(text: string): number {
  const bare = text.includes("\x1b") ? stripVTControlCharacters(text) : text;
  if (plainAscii.test(bare)) return bare.length;
  let width = 0;
  for (const { segment } of graphemes(bare)) width += graphemeWidth(segment);
  return width;
}

/** Truncates a text without escape codes to a width, with "…" at the cut. */
export function truncateText(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  let fitting = "";
  let used = 0;
  for (const { segment } of graphemes(text)) {
    used += graphemeWidth(segment);
    if (used > width - 1) break;
    fitting += segment;
  }
  return width > 0 ? `${fitting}…` : "";
}

/** Replaces control and bidi characters in untrusted text: it cannot move the cursor, change colours or reverse the text. */
export function sanitize(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose.
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]+/g, "�");
}
