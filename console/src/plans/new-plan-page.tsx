import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { reviewQueries } from "../reviews/queries.ts";
import { BackLink } from "../ui/back-link.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { Page } from "../ui/page.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { PlanEditor } from "./plan-editor.tsx";
import { newPlanForm } from "./plan-form.ts";
import { useCreatePlan } from "./queries.ts";
import { useTexts } from "./texts.ts";

export function NewPlanPage() {
  const { t } = useTexts();
  const { zone } = useFormat();
  const navigate = useNavigate();
  const { data: scorecards, error, refetch } = useQuery(reviewQueries.scorecards);
  const create = useCreatePlan(({ id }) => {
    toast(t("created"));
    void navigate({ to: "/plans/$id", params: { id } });
  });
  const usable = scorecards?.filter(({ latest_version, retired_at }) => latest_version !== null && !retired_at) ?? [];
  return (
    <Stack gap="xs">
      <BackLink to="/plans">{t("title")}</BackLink>
      <Page title={t("createPlan")} intro={t("createIntro")}>
        {!scorecards ? (
          // Not the editor: it would request the scorecards again, which would remove it until they are refused again.
          error ? (
            <Problem error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeleton height={480} />
          )
        ) : (
          <PlanEditor
            // The only scorecard is chosen already.
            initial={newPlanForm(zone, usable.length === 1 ? (usable[0]?.id ?? null) : null)}
            action={t("createPlan")}
            pending={create.isPending}
            error={create.error}
            cancelTo="/plans"
            onSave={(plan) => create.mutate(plan)}
          />
        )}
      </Page>
    </Stack>
  );
}
