/** Languages whose endings are known: those with a text search configuration `said_…` (migration 0035). */
const stemmed = new Set(
  "ar ca da de el en es eu fi fr ga hi hu hy id it lt ne nl no pt ro ru sr sv ta tr yi".split(" "),
);
const others: Readonly<Record<string, string>> = { nb: "no", nn: "no", tl: "simple" };

/** The language whose endings apply, or `simple`: words are compared as they are. */
export function wordsLanguage(language: string): string {
  const code = language.toLowerCase().split(/[-_]/)[0] ?? "";
  return others[code] ?? (stemmed.has(code) ? code : "simple");
}

/** Letters that stay one letter when accents are removed. */
const letters: Readonly<Record<string, string>> = {
  œ: "oe",
  æ: "ae",
  ø: "o",
  ß: "ss",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};

/** Scripts without spaces between words: each sign is a word, and a word is a phrase. */
const pieces =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]|[[\p{L}\p{M}]--[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]]+|[0-9]+/gv;
const mostLetters = 100;

/**
 * The words of a text as they are indexed and searched for, before PostgreSQL removes their endings: lower case, without
 * accents and punctuation, numbers apart from letters. PostgreSQL's parser makes exactly one token of each.
 */
export function wordsOfText(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/(\p{sc=Latin})\p{Mn}+/gu, "$1")
    .replace(/[œæøßłđðþı]/g, (letter) => letters[letter] ?? letter)
    .normalize("NFC");
  return (plain.match(pieces) ?? []).map((word) => word.slice(0, mostLetters));
}

/** What is searched for: each term is a phrase of one or more words. Outside of quotation marks, every word is a term. */
export function termsOfSaid(said: string): string[][] {
  const terms = said
    .replaceAll(/[“”„«»]/g, '"')
    .split('"')
    .flatMap((piece, index) => (index % 2 === 1 ? [wordsOfText(piece)] : piece.split(/\s+/).map(wordsOfText)))
    .filter((words) => words.length > 0);
  return [...new Map(terms.map((words) => [words.join(" "), words])).values()];
}
