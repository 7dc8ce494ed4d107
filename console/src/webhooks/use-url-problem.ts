import { ServiceError } from "@hearback/sdk";
import { useFieldErrors } from "../ui/feedback/use-problem-text.ts";
import { type TextKey, useTexts } from "./texts.ts";

const texts: Readonly<Record<string, TextKey>> = {
  not_a_url: "urlNotAUrl",
  not_https: "urlNotHttps",
  has_credentials: "urlHasCredentials",
  address_forbidden: "urlForbidden",
};

/** Translated error of the URL field. */
export function useUrlProblem(error: unknown): string | undefined {
  const { t } = useTexts();
  const beside = useFieldErrors(error);
  const issues = (error instanceof ServiceError && error.problem?.errors) || [];
  const text = texts[issues.find(({ part }) => part === "url")?.code ?? ""];
  return text ? t(text) : beside.url;
}
