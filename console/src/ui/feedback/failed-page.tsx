import { Page } from "../page.tsx";
import { useTexts } from "../texts.ts";
import { Problem } from "./problem.tsx";

interface FailedPageProps {
  readonly error: unknown;
  readonly onRetry: () => void;
}

/** In place of a page that could not be loaded. */
export function FailedPage({ error, onRetry }: FailedPageProps) {
  const { t } = useTexts();
  return (
    <Page title={t("pageFailed")}>
      <Problem error={error} onRetry={onRetry} />
    </Page>
  );
}
