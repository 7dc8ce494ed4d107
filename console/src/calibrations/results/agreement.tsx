import type { AgreementReportBody } from "@hearback/sdk";
import { Alert, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../access/queries.ts";
import { reviewQueries } from "../../reviews/queries.ts";
import { BackLink } from "../../ui/back-link.tsx";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { NotAllowed } from "../../ui/feedback/not-allowed.tsx";
import { Problem } from "../../ui/feedback/problem.tsx";
import { DayField } from "../../ui/form/day-field.tsx";
import { SearchableSelect } from "../../ui/form/searchable-select.tsx";
import { Icon } from "../../ui/icon.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { Page } from "../../ui/page.tsx";
import { LoadingRows } from "../../ui/table/loading-rows.tsx";
import { isDay } from "../../ui/time/is-day.ts";
import { useFormat } from "../../ui/time/use-format.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import classes from "../calibrations.module.css";
import { calibrationQueries } from "../queries.ts";
import { startOfDay } from "../start-of-day.ts";
import { useTexts } from "../texts.ts";
import { AgreementTable } from "./agreement-table.tsx";

/** Agreement of first reviews with their blind second reviews. */
export function AgreementPage() {
  const { t } = useTexts();
  const { user } = useSession();
  const { params, change } = useSearchParams();
  const { data: scorecards, error, refetch } = useQuery(reviewQueries.scorecards);
  if (user.role === "agent" || user.role === "reviewer") return <NotAllowed />;
  const published = scorecards?.filter(({ latest_version }) => latest_version !== null);
  const chosen = published?.find(({ id }) => id === params.scorecard) ?? published?.[0];
  const day = (name: "from" | "to") => (isDay(params[name]) ? params[name] : undefined);
  return (
    <Stack gap="xs">
      <BackLink to="/calibrations">{t("title")}</BackLink>
      <Page title={t("agreement")} intro={t("agreementPageIntro")}>
        {!published ? (
          error ? (
            <Problem error={error} onRetry={() => void refetch()} />
          ) : (
            <Skeleton height={62} />
          )
        ) : !chosen ? (
          <EmptyState icon="scorecard" title={t("noScorecards")} />
        ) : (
          <>
            <search aria-label={t("filters")} className={classes.filters}>
              <SearchableSelect
                label={t("scorecard")}
                data={published.map(({ id, name }) => ({ value: id, label: name }))}
                value={chosen.id}
                onChange={(scorecard) => change({ scorecard: scorecard ?? undefined })}
              />
              <DayField label={t("from")} day={day("from")} onChange={(from) => change({ from })} />
              <DayField label={t("to")} day={day("to")} onChange={(to) => change({ to })} />
            </search>
            <Report scorecardId={chosen.id} from={day("from")} to={day("to")} />
          </>
        )}
      </Page>
    </Stack>
  );
}

interface ReportProps {
  readonly scorecardId: string;
  /** First and last day in the reader's zone. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

function Report({ scorecardId, from, to }: ReportProps) {
  const { zone } = useFormat();
  const { data, error, refetch } = useQuery(
    calibrationQueries.agreement({
      scorecardId,
      from: from ? startOfDay(from, zone) : undefined,
      to: to ? startOfDay(to, zone, 1) : undefined,
    }),
  );
  if (!data) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <LoadingRows height={52} />;
  return data.pairs === 0 ? <NoPairs /> : <Pairs report={data} />;
}

function NoPairs() {
  const { t } = useTexts();
  return (
    <EmptyState icon="calibration" title={t("noPairs")}>
      <Text maw={520} c="dimmed">
        {t("noPairsDetail")}
      </Text>
      <LinkButton to="/plans" mt="sm" variant="default">
        {t("toPlans")}
      </LinkButton>
    </EmptyState>
  );
}

function Pairs({ report }: { readonly report: AgreementReportBody }) {
  const { t } = useTexts();
  const { pairs, complete, scorecard } = report;
  return (
    <>
      <Text>{t("pairs", { count: pairs, version: scorecard.version })}</Text>
      {!complete && (
        <Alert variant="light" color="orange" icon={<Icon name="info" />}>
          {t("notComplete")}
        </Alert>
      )}
      <AgreementTable questions={report.questions} />
    </>
  );
}
