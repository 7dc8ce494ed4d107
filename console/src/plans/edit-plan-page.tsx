import { Alert, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { BackLink } from "../ui/back-link.tsx";
import { FailedPage } from "../ui/feedback/failed-page.tsx";
import { PageLoading } from "../ui/feedback/page-loading.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { PlanEditor } from "./plan-editor.tsx";
import { formOf } from "./plan-form.ts";
import { planQueries, useChangePlan } from "./queries.ts";
import { useTexts } from "./texts.ts";

export function EditPlanPage() {
  const { t } = useTexts();
  const navigate = useNavigate();
  const { id = "" } = useParams({ strict: false });
  const { data: plan, error, refetch } = useQuery({ ...planQueries.one(id), refetchOnWindowFocus: false });
  const change = useChangePlan(id, () => {
    toast(t("saved"));
    void navigate({ to: "/plans/$id", params: { id } });
  });
  if (!plan) return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  return (
    <Stack gap="xs">
      <BackLink to={`/plans/${id}`}>{plan.name}</BackLink>
      <Page title={t("editPlan")}>
        <Alert variant="light" color="gray" icon={<Icon name="info" />}>
          {t("editDetail")}
        </Alert>
        <PlanEditor
          initial={formOf(plan)}
          action={t("save")}
          pending={change.isPending}
          error={change.error}
          cancelTo={`/plans/${id}`}
          onSave={(input) => change.mutate(input)}
        />
      </Page>
    </Stack>
  );
}
