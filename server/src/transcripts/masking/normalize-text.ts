const ascii = /^[\x20-\x7e]*$/;
/** `❶`, `➀`, `➊`, `⓵`: each the first of nine digits that Unicode does not decompose. */
const circledOnes = [0x2776, 0x2780, 0x278a, 0x24f5];
const circled = /[\u2776-\u277e\u2780-\u2788\u278a-\u2792\u24f5-\u24fd\u24ff\u{1f10b}\u{1f10c}]/gu;
/** Chinese and Japanese digits count in sequences only: `一` is an ordinary word. */
const ideographs = "〇一二三四五六七八九";
const ideographicNumber = /[〇零幺一二三四五六七八九]{4,}/g;
const isDecimal = /\p{Nd}/u;

const digitOfIdeograph = (char: string) =>
  String(char === "零" ? 0 : char === "幺" ? 1 : Math.max(0, ideographs.indexOf(char)));

function digitOfCircled(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const one = circledOnes.find((first) => code >= first && code < first + 9);
  return one === undefined ? "0" : String(code - one + 1);
}

const known = new Map<string, string>();

/** Unicode encodes decimal digits in rows of ten, from zero to nine. */
function digitOf(char: string): string {
  const found = known.get(char);
  if (found) return found;
  const code = char.codePointAt(0) ?? 0;
  let before = 0;
  while (isDecimal.test(String.fromCodePoint(code - before - 1))) before++;
  const digit = String(before % 10);
  known.set(char, digit);
  return digit;
}

/**
 * Text in lower case in which all digits are ASCII and look alike: Arabic, Hindi, full-width, circled and superscript ones. Without
 * accents and invisible characters.
 */
export function normalizeText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Diacritic}\p{Default_Ignorable_Code_Point}\p{Cf}]/gu, "")
    .replaceAll(circled, digitOfCircled)
    .replaceAll(/[^\P{Nd}\d]/gu, digitOf)
    .replaceAll(ideographicNumber, (number) => Array.from(number, digitOfIdeograph).join(""))
    .toLowerCase()
    .replaceAll("œ", "oe");
}
