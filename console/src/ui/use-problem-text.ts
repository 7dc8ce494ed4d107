import { ServiceError } from "@hearback/sdk";
import { useAllTexts } from "../i18n/use-texts.ts";
import { PartMissing } from "./part-missing.ts";

/** What the service answers, in the reader's language; its own English sentence where the console has none. */
export function useProblemText(): (error: unknown) => string {
  const say = useSay();
  return (error) => {
    if (error instanceof PartMissing) return say("problemPart") ?? "";
    if (!(error instanceof ServiceError)) return say("problemUnexpectedDetail") ?? "";
    return (error.status === 0 ? say("problemAwayDetail") : say(`code_${error.code}`)) ?? error.message;
  };
}

/** What is wrong in a form, by the part's name on the wire, to be shown beside the field. */
export function useFieldErrors(error: unknown): Readonly<Record<string, string>> {
  const say = useSay();
  const issues = (error instanceof ServiceError && error.problem?.errors) || [];
  return Object.fromEntries(
    issues.map(({ part, code, detail }) => [part, say(`field_${part}_${code}`) ?? say(`field_${code}`) ?? detail]),
  );
}

/** What a part of a request is called in the reader's language; its name on the wire where the console has no other. */
export function usePartName(): (part: string) => string {
  const say = useSay();
  return (part) => say(`part_${part.split(/[.[]/, 1)[0]}`) ?? part;
}

/** Codes come from outside, so they are no keys that the types know. */
function useSay() {
  const texts = useAllTexts();
  return (key: string) => texts.find("ui", key);
}
