import type { DrawBody, PlanBody } from "@hearback/sdk";
import { Paper, Stack, Text, Title } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Hash } from "../plans/hash.tsx";
import { usePeriodText } from "../plans/period-text.ts";
import { planQueries } from "../plans/queries.ts";
import { RuleFacts } from "../plans/rule-facts.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { MoreRows } from "../ui/table/more-rows.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { DrawCard } from "./draw-card.tsx";
import { useTexts } from "./texts.ts";

/** The rules of the plans, their draws, and the agent's own calls in each draw. */
export function MyDrawsPage() {
  const { t } = useTexts();
  const planList = useInfiniteQuery(planQueries.list({ ended: false }));
  const drawList = useInfiniteQuery(planQueries.draws({}));
  const plans = planList.data?.pages.flatMap((page) => page.plans);
  const draws = drawList.data?.pages.flatMap((page) => page.draws);
  const failed = planList.error ? planList : drawList;
  const isEmpty = plans?.length === 0 && draws?.length === 0;
  return (
    <Page title={t("title")} intro={t("intro")}>
      <TextLink to="/reviews" size="sm" w="fit-content">
        {t("toReviews")}
      </TextLink>
      {failed.error && <Problem error={failed.error} onRetry={() => void failed.refetch()} />}
      {(!plans || !draws) && !failed.error && <LoadingRows rows={4} height={80} />}
      {isEmpty && (
        <EmptyState icon="draw" title={t("none")}>
          <Text c="dimmed" maw={480}>
            {t("noneDetail")}
          </Text>
        </EmptyState>
      )}
      {plans?.map((plan) => (
        <Plan key={plan.id} plan={plan} />
      ))}
      {draws && <Upcoming draws={draws.filter(({ state }) => state !== "drawn")} />}
      {draws && (
        <Drawn draws={draws.filter(({ state }) => state === "drawn")}>
          {drawList.hasNextPage && (
            <MoreRows
              shown={draws.length}
              hasMore
              loading={drawList.isFetchingNextPage}
              onMore={() => void drawList.fetchNextPage()}
            />
          )}
        </Drawn>
      )}
    </Page>
  );
}

function Plan({ plan }: { readonly plan: PlanBody }) {
  const { t } = useTexts();
  return (
    <Section title={plan.name} intro={t(`plan_${plan.period}`, { count: plan.per_agent })}>
      <RuleFacts plan={plan} teamName={undefined} />
    </Section>
  );
}

interface DrawsProps {
  readonly draws: readonly DrawBody[];
}

/** Commitments to note down before the draw. */
function Upcoming({ draws }: DrawsProps) {
  const { t } = useTexts();
  const format = useFormat();
  const periodText = usePeriodText();
  if (draws.length === 0) return null;
  // The next draw first.
  const ordered = draws.toSorted((a, b) => a.closes_at.localeCompare(b.closes_at));
  return (
    <Section title={t("upcoming")} intro={t("upcomingIntro")}>
      {ordered.map((draw) => (
        <div key={draw.id}>
          <Text fw={600} className="breakable">
            {t("drawTitle", { plan: draw.plan.name, period: periodText(draw.period) })}
          </Text>
          <Text size="sm" c="dimmed">
            {t("drawnOn", { at: format.dateTime(draw.closes_at) })}
          </Text>
          <Hash value={draw.commitment} copy />
        </div>
      ))}
    </Section>
  );
}

function Drawn({ draws, children }: DrawsProps & { readonly children: ReactNode }) {
  const { t } = useTexts();
  const newest = draws.find(({ mine }) => mine !== null && mine.calls > 0);
  return (
    <Stack gap="sm" component="section" aria-labelledby="drawn">
      <Title order={2} size="h4" id="drawn">
        {t("drawn")}
      </Title>
      {draws.length === 0 ? (
        <Paper withBorder p="md">
          <Text c="dimmed">{t("noneDrawn")}</Text>
        </Paper>
      ) : (
        draws.map((draw) => <DrawCard key={draw.id} draw={draw} initiallyOpen={draw === newest} />)
      )}
      {children}
    </Stack>
  );
}
