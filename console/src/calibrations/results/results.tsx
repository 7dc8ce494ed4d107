import type { CalibrationDetailBody, CalibrationResultsBody } from "@hearback/sdk";
import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { callTime } from "../../reviews/call-time.ts";
import { type Names, useNames } from "../../reviews/people/names.ts";
import { EmptyState } from "../../ui/feedback/empty-state.tsx";
import { PageLoading } from "../../ui/feedback/page-loading.tsx";
import { Problem } from "../../ui/feedback/problem.tsx";
import { Icon } from "../../ui/icon.tsx";
import { useScoreText } from "../../ui/score.tsx";
import { Section } from "../../ui/section.tsx";
import { type Column, DataTable } from "../../ui/table/data-table.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { Timestamp } from "../../ui/time/timestamp.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import { useSearchParams } from "../../ui/use-search-params.ts";
import classes from "../calibrations.module.css";
import { calibrationQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import type { AgreementRow } from "./agreement-rows.ts";
import { AgreementTable } from "./agreement-table.tsx";
import { Answers } from "./answers.tsx";

interface ResultsProps {
  readonly session: CalibrationDetailBody;
  readonly manages: boolean;
}

/** Results of a closed session. */
export function Results({ session, manages }: ResultsProps) {
  const { t } = useTexts();
  const { params } = useSearchParams();
  const { data: results, error, refetch } = useQuery(calibrationQueries.results(session.id));
  const names = useNames(results?.participants.map(({ user_id }) => user_id) ?? []);
  if (!results) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <PageLoading />;
  if (results.calls.every(({ scores }) => scores.length === 0)) {
    return (
      <EmptyState icon="calibration" title={t("noResults")}>
        <Text c="dimmed">{t("noResultsDetail")}</Text>
      </EmptyState>
    );
  }
  const question = results.questions.find(({ question_id }) => question_id === params.question);
  return (
    <>
      <Questions results={results} selected={question?.question_id} />
      {question && (
        <Answers
          key={question.question_id}
          session={session}
          questions={results.questions.map(({ question_id }) => question_id)}
          questionId={question.question_id}
          title={question.title}
          names={names}
          manages={manages}
        />
      )}
      <Distances session={session} results={results} names={names} />
      <Scores results={results} names={names} />
    </>
  );
}

interface QuestionsProps {
  readonly results: CalibrationResultsBody;
  readonly selected: string | undefined;
}

function Questions({ results, selected }: QuestionsProps) {
  const { t } = useTexts();
  const decided = new Set(results.questions.filter(({ decision }) => decision).map(({ question_id }) => question_id));
  const title = ({ questionId, title: text }: AgreementRow) => (
    <TextLink
      to="."
      search={(before: object) => ({ ...before, question: questionId })}
      resetScroll={false}
      fw={600}
      className="breakable"
      {...(questionId === selected && { "aria-current": "true" as const })}
    >
      {text}
    </TextLink>
  );
  return (
    <Section title={t("agreement")} intro={t("agreementIntro")}>
      <AgreementTable
        questions={results.questions}
        title={title}
        extra={[
          {
            key: "decision",
            title: t("decision"),
            cell: ({ questionId, about }) =>
              about !== "applicability" &&
              decided.has(questionId) && (
                <Group gap={6} component="span" display="inline-flex" wrap="nowrap">
                  <Icon name="check" size={14} />
                  {t("decided")}
                </Group>
              ),
          },
        ]}
      />
    </Section>
  );
}

interface PartProps {
  readonly results: CalibrationResultsBody;
  readonly names: Names;
}

type Participant = CalibrationResultsBody["participants"][number];

/** Each participant's distance from the expert or the median, and the ICC. */
function Distances({ session, results, names }: PartProps & Pick<ResultsProps, "session">) {
  const { t } = useTexts();
  const format = useFormat();
  const points = new Intl.NumberFormat(format.language, { maximumFractionDigits: 1 });
  const signed = new Intl.NumberFormat(format.language, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
  const isExpert = ({ user_id }: Participant) => user_id === session.expert_id;
  const columns: readonly [Column<Participant>, ...Column<Participant>[]] = [
    {
      key: "name",
      title: t("participant"),
      cell: ({ user_id }) => <span className="breakable">{names.user(user_id)}</span>,
    },
    { key: "calls", title: t("calls"), align: "right", cell: (row) => !isExpert(row) && row.calls },
    {
      key: "distance",
      title: t("distance"),
      align: "right",
      cell: (row) =>
        isExpert(row)
          ? t("expert")
          : row.distance === null
            ? "–"
            : t("points", { count: row.distance / 100, points: points.format(row.distance / 100) }),
    },
    {
      key: "bias",
      title: t("bias"),
      align: "right",
      cell: ({ bias }) =>
        bias !== null && (
          <>
            <span className="tabular">{signed.format(bias / 100).replace("-", "−")}</span>{" "}
            <Text span size="sm" c="dimmed">
              {t(Math.abs(bias) < 50 ? "asReference" : bias < 0 ? "stricter" : "milder")}
            </Text>
          </>
        ),
    },
  ];
  return (
    <Section title={t("people")} intro={t(results.reference === "expert" ? "distanceExpert" : "distanceMedian")}>
      <DataTable label={t("people")} columns={columns} rows={results.participants} rowKey={({ user_id }) => user_id} />
      <Icc results={results} />
    </Section>
  );
}

/** Agreement on total scores, or why there is no figure. */
function Icc({ results: { icc, no_icc: missing } }: Pick<PartProps, "results">) {
  const { t, language } = useTexts();
  const decimals = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  return (
    <Text size="sm">
      <b className="tabular">{icc === null ? t("noIcc") : t("icc", { value: decimals.format(icc) })}</b>{" "}
      <Text span inherit c="dimmed">
        {missing === null ? t("iccDetail") : t(`noIcc_${missing.reason}`)}
      </Text>
      {missing !== null && missing.call_id !== null && (
        <>
          {" "}
          <TextLink to="/calls/$id" params={{ id: missing.call_id }}>
            <Timestamp at={callTime(missing.call_id)} />
          </TextLink>
        </>
      )}
    </Text>
  );
}

type Call = CalibrationResultsBody["calls"][number];

/** Total scores of all participants, by call. */
function Scores({ results, names }: PartProps) {
  const { t } = useTexts();
  const scoreText = useScoreText();
  const columns: readonly [Column<Call>, ...Column<Call>[]] = [
    {
      key: "call",
      title: t("call"),
      cell: ({ call_id }) => (
        <TextLink to="/calls/$id" params={{ id: call_id }}>
          <Timestamp at={callTime(call_id)} />
        </TextLink>
      ),
    },
    ...results.participants.map(
      ({ user_id }): Column<Call> => ({
        key: user_id,
        title: names.user(user_id),
        align: "right",
        cell: ({ scores }) => {
          const given = scores.find((score) => score.user_id === user_id);
          if (!given) return "–";
          return (
            <TextLink to="/reviews/$id" params={{ id: given.review_id }} className="tabular">
              {given.score === null ? t("notScored") : scoreText(given.score)}
            </TextLink>
          );
        },
      }),
    ),
    {
      key: "reference",
      title: t(results.reference),
      align: "right",
      cell: ({ reference_score }) => (
        <b className="tabular">{reference_score === null ? "–" : scoreText(reference_score)}</b>
      ),
    },
  ];
  return (
    <Section title={t("scores")}>
      <div className={classes.wide}>
        <DataTable label={t("scores")} columns={columns} rows={results.calls} rowKey={({ call_id }) => call_id} />
      </div>
    </Section>
  );
}
