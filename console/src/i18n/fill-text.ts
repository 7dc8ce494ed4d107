import type { Language } from "./language.ts";

export type Values = Readonly<Record<string, string | number>>;
export type Texts = Readonly<Record<string, string>>;

/** Text with its values filled in, in the plural form for `count`. Undefined: no such text. */
export type FindText = (key: string, values?: Values) => string | undefined;

export function makeFindText(language: Language, texts: Texts): FindText {
  const numbers = new Intl.NumberFormat(language);
  const forms = new Intl.PluralRules(language);
  // "{{name}}" inserts the value, "{{count, number}}" a formatted number.
  const fill = (text: string, values: Values) =>
    text.replace(/{{\s*(\w+)(, number)?\s*}}/g, (_, name: string, asNumber?: string) =>
      asNumber ? numbers.format(Number(values[name])) : String(values[name] ?? ""),
    );
  return (key, values = {}) => {
    const form = typeof values.count === "number" ? texts[`${key}_${forms.select(values.count)}`] : undefined;
    const text = form ?? (Object.hasOwn(texts, key) ? texts[key] : undefined);
    return text === undefined ? undefined : fill(text, values);
  };
}
