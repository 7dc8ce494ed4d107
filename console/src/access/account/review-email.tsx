import type { SessionBody } from "@hearback/sdk";
import { Stack, Switch } from "@mantine/core";
import { Problem } from "../../ui/feedback/problem.tsx";
import { useChangePreferences } from "../queries.ts";
import { useTexts } from "../texts.ts";

/** Turns the daily email about an agent's reviews on or off. Takes effect at once. */
export function ReviewEmail({ session }: { readonly session: SessionBody }) {
  const { t } = useTexts();
  const change = useChangePreferences();
  const checked = change.isPending ? change.variables.reviewEmail : session.review_email;
  return (
    <Stack gap="sm">
      <Switch
        label={t("reviewEmail")}
        description={t("reviewEmailDetail")}
        checked={checked}
        onChange={({ currentTarget }) => change.mutate({ reviewEmail: currentTarget.checked })}
      />
      {change.error && <Problem error={change.error} />}
    </Stack>
  );
}
