import { stripVTControlCharacters } from "node:util";

// Made for the first text that needs it: making it takes 15 ms.
let segmenter: Intl.Segmenter | undefined;
const graphemes = (text: string) => {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return segmenter.segment(text);
};
const plainAscii = /^[\x20-\x7e]*$/;
const withoutWidth = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]+$/u;
// East Asian Width "wide" and "fullwidth" in rough ranges: JavaScript has no property for it.
const wide =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}|\ufe0f/u;

const graphemeWidth = (grapheme: string) => (withoutWidth.test(grapheme) ? 0 : wide.test(grapheme) ? 2 : 1);

/** How many columns a text takes on a terminal, colours aside. */
export function textWidth(text: string): number {
  const bare = text.includes("\x1b") ? stripVTControlCharacters(text) : text;
  if (plainAscii.test(bare)) return bare.length;
  let width = 0;
  for (const { segment } of graphemes(bare)) width += graphemeWidth(segment);
  return width;
}

/** The beginning of a text without colours that fits, with "…" where something was left out. */
export function fitText(text: string, width: number): string {
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

/** A text of somebody else that cannot move the cursor, change colours or turn the direction of writing. */
export function harmless(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  return text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]+/g, "�");
}
