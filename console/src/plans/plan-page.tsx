import type { DrawBody, PlanBody } from "@hearback/sdk";
import { Alert, Stack, Title } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useNames } from "../reviews/people/names.ts";
import { teamQueries } from "../teams/queries.ts";
import { BackLink } from "../ui/back-link.tsx";
import { Fact } from "../ui/fact.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { FailedPage } from "../ui/feedback/failed-page.tsx";
import { PageLoading } from "../ui/feedback/page-loading.tsx";
import { Icon } from "../ui/icon.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { useSearchParams } from "../ui/use-search-params.ts";
import { CurrentDraw } from "./current-draw.tsx";
import { DrawDetails } from "./draw-details.tsx";
import { useDrawColumns } from "./draw-table.tsx";
import { EndPlan } from "./end-plan.tsx";
import classes from "./plans.module.css";
import { PlanState } from "./plans-page.tsx";
import { planQueries } from "./queries.ts";
import { RuleFacts } from "./rule-facts.tsx";
import { useTexts } from "./texts.ts";

export function PlanPage() {
  const { t } = useTexts();
  const { id = "" } = useParams({ strict: false });
  const { data: plan, error, refetch } = useQuery(planQueries.one(id));
  if (!plan) return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  return (
    <Stack gap="xs">
      <BackLink to="/plans">{t("title")}</BackLink>
      <Page
        title={plan.name}
        intro={<PlanState plan={plan} />}
        actions={
          !plan.ended_at && (
            <>
              <LinkButton
                to="/plans/$id/edit"
                params={{ id }}
                variant="default"
                leftSection={<Icon name="edit" size={16} />}
              >
                {t("editPlan")}
              </LinkButton>
              <EndPlan plan={plan} />
            </>
          )
        }
      >
        <Draws plan={plan} />
      </Page>
    </Stack>
  );
}

function Draws({ plan }: { readonly plan: PlanBody }) {
  const { t } = useTexts();
  const { params } = useSearchParams();
  const list = useInfiniteQuery(planQueries.draws({ planId: plan.id }));
  const draws = list.data?.pages.flatMap((page) => page.draws);
  const drawn = draws?.filter(({ state }) => state === "drawn") ?? [];
  const opened = drawn.find(({ id }) => id === params.draw) ?? drawn[0];
  const now = Date.now();
  const current = draws?.filter(({ state, starts_at }) => state !== "drawn" && Date.parse(starts_at) <= now) ?? [];
  const columns = useDrawColumns(opened?.id);
  return (
    <>
      {plan.pending && <Pending draws={draws ?? []} />}
      <Rules plan={plan} />
      {current.map((draw) => (
        <CurrentDraw key={draw.id} draw={draw} />
      ))}
      <Stack gap="xs" component="section" aria-labelledby="draws">
        <Title order={2} size="h4" id="draws">
          {t("draws")}
        </Title>
        <PagedTable
          label={t("draws")}
          list={list}
          rows={draws}
          rowKey={({ id }) => id}
          columns={columns}
          empty={<EmptyState icon="draw" title={t("noDraws")} />}
        />
      </Stack>
      {opened && <DrawDetails key={opened.id} draw={opened} />}
    </>
  );
}

/** Changed rules apply from the next period on. */
function Pending({ draws }: { readonly draws: readonly DrawBody[] }) {
  const { t } = useTexts();
  const format = useFormat();
  const next = draws.find(({ starts_at }) => Date.parse(starts_at) > Date.now());
  return (
    <Alert variant="light" color="orange" icon={<Icon name="clock" />} title={t("pendingTitle")}>
      {next ? t("pendingFrom", { at: format.dateTime(next.starts_at) }) : t("pendingDetail")}
    </Alert>
  );
}

function Rules({ plan }: { readonly plan: PlanBody }) {
  const { t } = useTexts();
  const { data: teams = [] } = useQuery(teamQueries.list);
  const names = useNames(plan.reviewers.map(({ user_id }) => user_id));
  return (
    <Section title={t("rules")}>
      <RuleFacts plan={plan} teamName={(id) => teams.find((team) => team.id === id)?.name ?? "…"} />
      <dl className={classes.facts}>
        <Fact title={t("reviewers")}>
          {plan.reviewers
            .map(({ user_id, capacity }) => t("reviewerCapacity", { name: names.user(user_id), number: capacity }))
            .join(", ") || t("noReviewers")}
        </Fact>
      </dl>
    </Section>
  );
}
