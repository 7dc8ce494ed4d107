import { ServiceError } from "@hearback/sdk";
import { useErrorText } from "../error-texts/use-error-text.ts";
import { ChunkLoadError } from "../lazy/chunk-load-error.ts";
import { useTexts } from "../texts.ts";

/** Translated error message. Falls back to the server's English message. */
export function useProblemText(): (error: unknown) => string {
  const { t } = useTexts();
  const find = useErrorText();
  return (error) => {
    if (error instanceof ChunkLoadError) return t("problemPart");
    if (!(error instanceof ServiceError)) return t("problemUnexpectedDetail");
    return error.status === 0 ? t("problemAwayDetail") : (find(`code_${error.code}`) ?? error.message);
  };
}

/** Translated errors by field. */
export function useFieldErrors(error: unknown): Readonly<Record<string, string>> {
  const find = useErrorText();
  const issues = (error instanceof ServiceError && error.problem?.errors) || [];
  return Object.fromEntries(
    issues.map(({ part, code, detail }) => [part, find(`field_${part}_${code}`) ?? find(`field_${code}`) ?? detail]),
  );
}

/** Translated field name. Falls back to the API name. */
export function usePartName(): (part: string) => string {
  const find = useErrorText();
  return (part) => find(`part_${part.split(/[.[]/, 1)[0]}`) ?? part;
}
