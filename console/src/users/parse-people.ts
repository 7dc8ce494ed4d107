export interface PastedPerson {
  readonly line: number;
  readonly email: string;
  readonly name: string;
}

/** Line without a usable person. */
export interface InvalidLine {
  readonly line: number;
  readonly text: string;
  readonly why: "noEmail" | "twice" | "tooLong" | "tooMany";
}

export const maxPeople = 200;

const emailForm = /^[^\s@<>"(),:;]+@[^\s@<>"(),:;]+$/;
const longest = { email: 254, name: 200 };

/**
 * Parses people, one per line: `Ann Lee <ann@example.com>`, or name and email address in any order, separated by
 * commas, semicolons or tabs, or the address alone.
 */
export function parsePeople(text: string): { people: readonly PastedPerson[]; wrong: readonly InvalidLine[] } {
  const people: PastedPerson[] = [];
  const wrong: InvalidLine[] = [];
  const seen = new Set<string>();
  for (const [index, raw] of text.split(/\r\n|\n|\r/).entries()) {
    const line = index + 1;
    if (raw.trim() === "" || (line === 1 && isHeading(raw))) continue;
    const found = parseLine(raw);
    const refuse = (why: InvalidLine["why"]) => wrong.push({ line, text: raw.trim().slice(0, 100), why });
    if (!found) refuse("noEmail");
    else if (found.email.length > longest.email || found.name.length > longest.name) refuse("tooLong");
    else if (seen.has(found.email.toLowerCase())) refuse("twice");
    else if (people.length >= maxPeople) refuse("tooMany");
    else {
      seen.add(found.email.toLowerCase());
      people.push({ line, ...found });
    }
  }
  return { people, wrong };
}

function parseLine(raw: string): { email: string; name: string } | undefined {
  const mailbox = /^(.*)<([^<>]*)>[\s,;]*$/.exec(raw.trim());
  const fields = mailbox ? [mailbox[1] ?? "", mailbox[2] ?? ""] : cellsOf(raw);
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

/** Splits at commas, semicolons and tabs outside quotes. */
const cellsOf = (raw: string): string[] => raw.match(/"(?:[^"]|"")*"|[^,;\t]+/g) ?? [];

const isHeading = (raw: string) => !raw.includes("@") && /e-?mail|courriel|adresse|address/i.test(raw);

/** ann.lee@example.com → Ann Lee. */
function nameFrom(email: string): string {
  const words = (email.split("@")[0] ?? "").split(/[._+-]+/).filter(Boolean);
  return words.map((word) => `${word[0]?.toUpperCase()}${word.slice(1)}`).join(" ") || email;
}
