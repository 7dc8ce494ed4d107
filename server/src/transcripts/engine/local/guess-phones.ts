/** Letters and the sounds that they usually stand for, longest first. */
const sounds: readonly (readonly [string, string])[] = [
  ["tch", "CH"],
  ["sch", "SH"],
  ["igh", "AY"],
  ...pairs(
    "ch CH sh SH th TH ph F wh W ck K ng NG ee IY ea IY oo UW ou AW ow OW ai EY ay EY ei EY ey IY oy OY oi OY au AO aw AO",
  ),
  ...pairs("er ER ir ER ur ER ar AA,R or AO,R qu K,W"),
  ...pairs(
    "a AE b B c K d D e EH f F g G h HH i IH j JH k K l L m M n N o AA p P q K r R s S t T u AH v V w W x K,S y IY z Z",
  ),
];

function pairs(text: string): [string, string][] {
  const words = text.split(" ");
  return words.flatMap((word, index) =>
    index % 2 === 0 ? [[word, (words[index + 1] ?? "").replaceAll(",", " ")] as [string, string]] : [],
  );
}

/** A pronunciation for a word that is not in the dictionary. It only has to be close enough to find the word in the sound. */
export function guessPhones(word: string): string {
  const letters = word
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z]/g, "");
  const phones: string[] = [];
  for (let at = 0; at < letters.length; ) {
    const found = sounds.find(([spelling]) => letters.startsWith(spelling, at));
    phones.push(found?.[1] ?? "AH");
    at += found?.[0].length ?? 1;
  }
  return phones.join(" ") || "AH";
}
