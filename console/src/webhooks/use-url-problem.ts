import { ServiceError } from "@hearback/sdk";
import { type TextKey, useTexts } from "../i18n/use-texts.ts";
import { useFieldErrors } from "../ui/use-problem-text.ts";

const texts: Readonly<Record<string, TextKey<"webhooks">>> = {
  not_a_url: "urlNotAUrl",
  not_https: "urlNotHttps",
  has_credentials: "urlHasCredentials",
  address_forbidden: "urlForbidden",
};

/** What the service says about the address, to be shown beside it. */
export function useUrlProblem(error: unknown): string | undefined {
  const { t } = useTexts("webhooks");
  const beside = useFieldErrors(error);
  const issues = (error instanceof ServiceError && error.problem?.errors) || [];
  const text = texts[issues.find(({ part }) => part === "url")?.code ?? ""];
  return text ? t(text) : beside.url;
}
