import { type CalibrationDetailBody, ServiceError } from "@hearback/sdk";
import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import { useSession } from "../access/queries.ts";
import { useNames } from "../reviews/people/names.ts";
import { BackLink } from "../ui/back-link.tsx";
import { Fact } from "../ui/fact.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { FailedPage } from "../ui/feedback/failed-page.tsx";
import { NotAllowed } from "../ui/feedback/not-allowed.tsx";
import { PageLoading } from "../ui/feedback/page-loading.tsx";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { Page } from "../ui/page.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import classes from "./calibrations.module.css";
import { DueDate } from "./due-date.tsx";
import { OpenSession } from "./open-session.tsx";
import { calibrationQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** Only supervisors have actions. */
const SessionActions = lazyComponent(async () => (await import("./session-actions.tsx")).SessionActions);
/** Only closed sessions have results. */
const Results = lazyComponent(async () => (await import("./results/results.tsx")).Results);

export function SessionPage() {
  const { t } = useTexts();
  const { id = "" } = useParams({ strict: false });
  const { user } = useSession();
  const isAgent = user.role === "agent";
  const { data: session, error, refetch } = useQuery({ ...calibrationQueries.one(id), enabled: !isAgent });
  if (isAgent) return <NotAllowed />;
  if (!session) {
    const isGone = error instanceof ServiceError && [400, 404].includes(error.status);
    if (isGone) return <SessionGone />;
    return error ? <FailedPage error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  }
  const isOpen = session.state === "open";
  const manages = user.role !== "reviewer";
  return (
    <Stack gap="xs">
      <BackLink to="/calibrations">{t("title")}</BackLink>
      <Page
        title={session.name}
        intro={<StatusBadge color={isOpen ? "green" : "gray"}>{t(`state_${session.state}`)}</StatusBadge>}
        actions={
          manages &&
          isOpen && (
            <Suspense>
              <SessionActions session={session} />
            </Suspense>
          )
        }
      >
        <Facts session={session} />
        {isOpen ? (
          <OpenSession session={session} manages={manages} />
        ) : (
          <Suspense fallback={<PageLoading />}>
            <Results session={session} manages={manages} />
          </Suspense>
        )}
      </Page>
    </Stack>
  );
}

function Facts({ session }: { readonly session: CalibrationDetailBody }) {
  const { t } = useTexts();
  const { scorecard, due_at, expert_id, state, created_by, closed_at } = session;
  const names = useNames([expert_id, created_by.id]);
  return (
    <dl className={classes.facts}>
      <Fact title={t("scorecard")}>
        <TextLink to="/scorecards/$id" params={{ id: scorecard.id }}>
          {t("versionOf", { name: scorecard.name, version: scorecard.version })}
        </TextLink>
      </Fact>
      <Fact title={t("expert")}>{expert_id ? names.user(expert_id) : t("noExpert")}</Fact>
      <Fact title={t("due")}>
        <DueDate at={due_at} isOpen={state === "open"} />
      </Fact>
      <Fact title={t("createdBy")}>{names.actor(created_by)}</Fact>
      {closed_at && (
        <Fact title={t("closedAt")}>
          <Timestamp at={closed_at} />
        </Fact>
      )}
    </dl>
  );
}

function SessionGone() {
  const { t } = useTexts();
  return (
    <Page title={t("session")}>
      <EmptyState icon="search" title={t("gone")}>
        <Text maw={480}>{t("goneDetail")}</Text>
        <TextLink to="/calibrations">{t("toList")}</TextLink>
      </EmptyState>
    </Page>
  );
}
