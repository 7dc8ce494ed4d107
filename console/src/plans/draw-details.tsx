import type { DrawBody, DrawReviewersBody } from "@hearback/sdk";
import { Group, Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSkipReason } from "../queue/skip-reason.ts";
import { useNames } from "../reviews/people/names.ts";
import { Fact } from "../ui/fact.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Section } from "../ui/section.tsx";
import { type Column, DataTable } from "../ui/table/data-table.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { Assignments } from "./assignments.tsx";
import { Hash } from "./hash.tsx";
import { usePeriodText } from "./period-text.ts";
import classes from "./plans.module.css";
import { ProofLink } from "./proof-link.tsx";
import { planQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** A draw whose calls are drawn: progress, skips, assignments and what was published. */
export function DrawDetails({ draw }: { readonly draw: DrawBody }) {
  const { t } = useTexts();
  const periodText = usePeriodText();
  return (
    <Section title={t("drawOf", { period: periodText(draw.period) })}>
      <Progress draw={draw} />
      <Reviewers drawId={draw.id} />
      <Assignments drawId={draw.id} />
      <Published draw={draw} />
    </Section>
  );
}

function Progress({ draw: { progress, skips } }: { readonly draw: DrawBody }) {
  const { t } = useTexts();
  const format = useFormat();
  const reasonText = useSkipReason();
  if (!progress) return null;
  const reasons = Object.entries(skips ?? {}).sort(([, a], [, b]) => b - a);
  return (
    <dl className={classes.facts}>
      <Fact title={t("done")}>{format.number(progress.done)}</Fact>
      <Fact title={t("open")}>
        {format.number(progress.open)}
        {progress.overdue > 0 && ` (${t("overdueOf", { count: progress.overdue })})`}
      </Fact>
      <Fact title={t("unassigned")}>{format.number(progress.unassigned)}</Fact>
      <Fact title={t("skipped")}>
        {format.number(progress.skipped)}
        {reasons.length > 0 && ` (${reasons.map(([reason, count]) => `${reasonText(reason)}: ${count}`).join(", ")})`}
      </Fact>
    </dl>
  );
}

type Row = DrawReviewersBody["reviewers"][number];

function Reviewers({ drawId }: { readonly drawId: string }) {
  const { t } = useTexts();
  const { data: reviewers, error, refetch } = useQuery(planQueries.reviewers(drawId));
  const names = useNames((reviewers ?? []).map(({ user_id }) => user_id));
  if (!reviewers) return error ? <Problem error={error} onRetry={() => void refetch()} /> : <LoadingRows rows={2} />;
  if (reviewers.length === 0) return null;
  const number = (key: "open" | "overdue" | "done" | "skipped" | "capacity"): Column<Row> => ({
    key,
    title: t(key),
    align: "right",
    cell: (row) => <span className="tabular">{row[key]}</span>,
  });
  const columns: readonly [Column<Row>, ...Column<Row>[]] = [
    {
      key: "reviewer",
      title: t("reviewer"),
      cell: ({ user_id }) => <span className="breakable">{names.user(user_id)}</span>,
    },
    { key: "bar", title: t("progress"), width: "30%", cell: (row) => <ProgressBar row={row} /> },
    number("done"),
    number("open"),
    number("overdue"),
    number("skipped"),
    number("capacity"),
  ];
  return (
    <Stack gap="xs" component="section" aria-labelledby="reviewers">
      <Group justify="space-between" gap="sm">
        <Title order={3} size="h5" id="reviewers">
          {t("reviewers")}
        </Title>
        <Group gap="md" aria-hidden="true">
          {(["done", "open", "overdue"] as const).map((key) => (
            <Text key={key} span size="xs" c="dimmed" className={classes.legend}>
              <i className={classes[key]} />
              {t(key)}
            </Text>
          ))}
        </Group>
      </Group>
      <DataTable label={t("reviewers")} columns={columns} rows={reviewers} rowKey={({ user_id }) => user_id} />
    </Stack>
  );
}

/** As wide as the reviewer's capacity, or their reviews if these are more. */
function ProgressBar({ row: { done, open, overdue, capacity } }: { readonly row: Row }) {
  const { t } = useTexts();
  const whole = Math.max(1, capacity, done + open);
  const part = (count: number, className: string | undefined) =>
    count > 0 && <span className={className} style={{ width: `${(count / whole) * 100}%` }} />;
  return (
    <>
      <div className={classes.track} aria-hidden="true">
        {part(done, classes.done)}
        {part(open - overdue, classes.open)}
        {part(overdue, classes.overdue)}
      </div>
      <VisuallyHidden>{t("doneOf", { done, total: done + open })}</VisuallyHidden>
    </>
  );
}

function Published({ draw }: { readonly draw: DrawBody }) {
  const { t } = useTexts();
  return (
    <Stack gap="xs" component="section" aria-labelledby="published">
      <Group justify="space-between" gap="sm">
        <Title order={3} size="h5" id="published">
          {t("published")}
        </Title>
        <ProofLink drawId={draw.id} />
      </Group>
      <Text size="sm" c="dimmed">
        {t("publishedDetail")}
      </Text>
      <dl className={classes.facts}>
        <Fact title={t("commitment")}>
          <Hash value={draw.commitment} />
        </Fact>
        {draw.key && (
          <Fact title={t("key")}>
            <Hash value={draw.key} />
          </Fact>
        )}
        {draw.second_commitment && (
          <Fact title={t("secondCommitment")}>
            <Hash value={draw.second_commitment} />
          </Fact>
        )}
        {draw.second_key && (
          <Fact title={t("secondKey")}>
            <Hash value={draw.second_key} />
          </Fact>
        )}
        {draw.root && (
          <Fact title={t("root")}>
            <Hash value={draw.root} />
          </Fact>
        )}
        <Fact title={t("nonce")}>{draw.nonce || t("noNonce")}</Fact>
      </dl>
    </Stack>
  );
}
