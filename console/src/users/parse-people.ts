export interface PastedPerson {
  readonly line: number;
  readonly email: string;
  readonly name: string;
}

/** A line that names nobody, and why. */
export interface NotUnderstood {
  readonly line: number;
  readonly text: string;
  readonly why: "noEmail" | "twice" | "tooLong" | "tooMany";
}

export const mostPeople = 200;

const emailForm = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+$/;
const longest = { email: 254, name: 200 };

/**
 * People as they are pasted from a letter or a table, one a line: `Ann Lee <ann@example.com>`, or name and address
 * in any order with commas, semicolons or tabs between them, or the address alone.
 */
export function parsePeople(text: string): { people: readonly PastedPerson[]; wrong: readonly NotUnderstood[] } {
  const people: PastedPerson[] = [];
  const wrong: NotUnderstood[] = [];
  const seen = new Set<string>();
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = index + 1;
    if (raw.trim() === "" || (line === 1 && isHeading(raw))) continue;
    const found = parseLine(raw);
    const refuse = (why: NotUnderstood["why"]) => wrong.push({ line, text: raw.trim().slice(0, 100), why });
    if (!found) refuse("noEmail");
    else if (found.email.length > longest.email || found.name.length > longest.name) refuse("tooLong");
    else if (seen.has(found.email.toLowerCase())) refuse("twice");
    else if (people.length >= mostPeople) refuse("tooMany");
    else {
      seen.add(found.email.toLowerCase());
      people.push({ line, ...found });
    }
  }
  return { people, wrong };
}

function parseLine(raw: string): { email: string; name: string } | undefined {
  const letter = /^(.*)<([^<>]*)>[\s,;]*$/.exec(raw.trim());
  const fields = letter ? [letter[1] ?? "", letter[2] ?? ""] : cellsOf(raw);
  const texts = fields.map((field) =>
    field
      .trim()
      .replace(/^"(.*)"$/s, "$1")
      .replaceAll('""', '"')
      .trim(),
  );
  const email = texts.find((field) => emailForm.test(field));
  if (!email) return undefined;
  const name = texts.filter((field) => field !== email && field !== "").join(" ");
  return { email, name: name || nameFrom(email) };
}

/** What stands between commas, semicolons or tabs, unless it is in quotation marks. */
const cellsOf = (raw: string): string[] => raw.match(/"(?:[^"]|"")*"|[^,;\t]+/g) ?? [];

const isHeading = (raw: string) => !raw.includes("@") && /e-?mail|courriel|adresse|address/i.test(raw);

/** ann.lee@example.com → Ann Lee. */
function nameFrom(email: string): string {
  const words = (email.split("@")[0] ?? "").split(/[._+-]+/).filter(Boolean);
  return words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join(" ") || email;
}
