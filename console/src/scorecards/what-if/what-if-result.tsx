import type { WhatIfBody } from "@hearback/sdk";
import { List, Progress, Stack, Table, Text, Title } from "@mantine/core";
import { TextLink } from "../../ui/text-link.tsx";
import { type Format, useFormat } from "../../ui/time/use-format.ts";
import { type Texts, useTexts } from "../texts.ts";

type Result = NonNullable<WhatIfBody["result"]>;
type Part = Result["parts"][number];

const binWidth = 5;
const mostParts = 30;

interface WhatIfResultProps {
  readonly result: Result;
  /** Whether all reviews of the period were replayed. */
  readonly isComplete: boolean;
  /** Whether the run used a draft, not a document that was sent to the API. */
  readonly isDraft: boolean;
}

/** Scores before and after, what causes the difference, and the reviews that would cross the passing score. */
export function WhatIfResult({ result, isComplete, isDraft }: WhatIfResultProps) {
  const { t } = useTexts();
  const { number } = useFormat();
  const { reviews, older_versions, not_comparable, passed_to_failed, failed_to_passed } = result;
  if (reviews === 0) return <Text>{t("whatIfNone")}</Text>;
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <Text fw={600}>
          {t("whatIfToFailed", { count: passed_to_failed, number: number(passed_to_failed) })}{" "}
          {t("whatIfToPassed", { count: failed_to_passed, number: number(failed_to_passed) })}
        </Text>
        <Text size="sm">
          {t("whatIfReviews", { count: reviews, number: number(reviews) })} {!isComplete && t("whatIfMore")}{" "}
          {older_versions > 0 && t("whatIfOlder", { count: older_versions, number: number(older_versions) })}{" "}
          {not_comparable > 0 && t("whatIfNotComparable", { count: not_comparable, number: number(not_comparable) })}
        </Text>
      </Stack>
      <Distribution result={result} isDraft={isDraft} />
      <Causes parts={result.parts} />
      <Crossings result={result} />
    </Stack>
  );
}

/** 8735 → "87.35" in the reader's language. */
const toPoints = (hundredths: number | null, { number }: Format): string =>
  hundredths === null ? "–" : number(hundredths / 100);

function Distribution({ result: { before, after }, isDraft }: Omit<WhatIfResultProps, "isComplete">) {
  const { t } = useTexts();
  const format = useFormat();
  const most = Math.max(1, ...before.bins, ...after.bins);
  const bins = before.bins.map((count, bin) => ({ from: bin * binWidth, before: count, after: after.bins[bin] ?? 0 }));
  const filled = bins.filter((bin) => bin.before + bin.after > 0);
  const counts = [
    { name: t("whatIfPassed"), before: before.passed, after: after.passed },
    { name: t("whatIfFailedCount"), before: before.failed, after: after.failed },
    { name: t("whatIfNotScored"), before: before.not_scored, after: after.not_scored },
  ];
  return (
    <Table aria-label={t("whatIfDistribution")} layout="fixed" className="tabular">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="30%">{t("whatIfScore")}</Table.Th>
          <Table.Th>{t("whatIfBefore")}</Table.Th>
          <Table.Th>{t(isDraft ? "whatIfAfter" : "whatIfAfterFile")}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        <Table.Tr>
          <Table.Th scope="row">{t("whatIfMean")}</Table.Th>
          <Table.Td>{toPoints(before.mean, format)}</Table.Td>
          <Table.Td>{toPoints(after.mean, format)}</Table.Td>
        </Table.Tr>
        {counts.map((row) => (
          <Table.Tr key={row.name}>
            <Table.Th scope="row">{row.name}</Table.Th>
            <Table.Td>{format.number(row.before)}</Table.Td>
            <Table.Td>{format.number(row.after)}</Table.Td>
          </Table.Tr>
        ))}
        {filled.map((bin) => (
          <Table.Tr key={bin.from}>
            <Table.Th scope="row" fw={400}>
              {t("whatIfBin", { from: bin.from, to: bin.from + binWidth })}
            </Table.Th>
            <Bar count={bin.before} most={most} color="gray" />
            <Bar count={bin.after} most={most} color="blue" />
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

interface BarProps {
  readonly count: number;
  readonly most: number;
  readonly color: string;
}

/** The bar repeats the number, so it is hidden from screen readers. */
function Bar({ count, most, color }: BarProps) {
  const { number } = useFormat();
  return (
    <Table.Td>
      <Text size="sm">{number(count)}</Text>
      <Progress value={(100 * count) / most} color={color} size="sm" aria-hidden />
    </Table.Td>
  );
}

function Causes({ parts }: { readonly parts: readonly Part[] }) {
  const { t } = useTexts();
  const format = useFormat();
  if (parts.length === 0) return <Text size="sm">{t("whatIfNoCauses")}</Text>;
  return (
    <Stack gap={6} component="section">
      <Title order={3} size="h6">
        {t("whatIfCauses")}
      </Title>
      <Text size="sm" c="dimmed">
        {t("whatIfCausesDetail")}
      </Text>
      <Table aria-label={t("whatIfCauses")} className="tabular">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t("whatIfCause")}</Table.Th>
            <Table.Th ta="right">{t("whatIfMean")}</Table.Th>
            <Table.Th ta="right">{t("whatIfFail")}</Table.Th>
            <Table.Th ta="right">{t("whatIfPass")}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {parts.slice(0, mostParts).map((part) => (
            <Table.Tr key={`${part.kind} ${part.id}`}>
              <Table.Th scope="row" fw={400} className="breakable">
                {titleOf(part, t)}
                <Text size="xs" c="dimmed">
                  {t(`whatIf_${part.change}`)}
                  {part.not_comparable > 0 &&
                    ` · ${t("whatIfUnfit", { count: part.not_comparable, number: format.number(part.not_comparable) })}`}
                </Text>
              </Table.Th>
              <Table.Td ta="right">{signed(part.mean_change, format)}</Table.Td>
              <Table.Td ta="right">{format.number(part.passed_to_failed)}</Table.Td>
              <Table.Td ta="right">{format.number(part.failed_to_passed)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {parts.length > mostParts && <Text size="sm">{t("moreChanges", { count: parts.length - mostParts })}</Text>}
    </Stack>
  );
}

const signed = (hundredths: number | null, format: Format): string =>
  `${hundredths !== null && hundredths > 0 ? "+" : ""}${toPoints(hundredths, format)}`;

const settings = {
  passing_score: "whatIfPassingScore",
  not_applicable: "whatIfNotApplicable",
  fail: "whatIfFailSetting",
} as const;

function titleOf({ kind, id, title }: Part, t: Texts["t"]): string {
  if (kind !== "setting") return title;
  return id in settings ? t(settings[id as keyof typeof settings]) : title;
}

function Crossings({ result: { crossings, passed_to_failed, failed_to_passed } }: { readonly result: Result }) {
  const { t } = useTexts();
  const format = useFormat();
  return (["failed", "passed"] as const).map((to) => {
    const some = crossings.filter((crossing) => crossing.to === to);
    const all = to === "failed" ? passed_to_failed : failed_to_passed;
    if (some.length === 0) return null;
    return (
      <Stack key={to} gap={6} component="section">
        <Title order={3} size="h6">
          {t(to === "failed" ? "whatIfListFailed" : "whatIfListPassed")}
        </Title>
        {all > some.length && <Text size="sm">{t("whatIfListed", { number: format.number(all) })}</Text>}
        <List size="sm" spacing={4} className="tabular">
          {some.map(({ review_id, call_id, before, after }) => (
            <List.Item key={review_id}>
              <TextLink to="/reviews/$id" params={{ id: review_id }} underline="always">
                {t("whatIfReviewOf", { date: format.dateTime(timeOf(call_id)) })}
              </TextLink>{" "}
              {toPoints(before, format)} → {toPoints(after, format)}
            </List.Item>
          ))}
        </List>
      </Stack>
    );
  });
}

/** The time of the conversation: the first 48 bits of the call's id. */
const timeOf = (callId: string): Date => new Date(Number.parseInt(callId.replaceAll("-", "").slice(0, 12), 16));
