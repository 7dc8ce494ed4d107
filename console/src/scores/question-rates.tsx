import type { ScoreItem } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { ChartSection } from "../charts/chart-section.tsx";
import { Bars, Intervals } from "../charts/estimate-rows.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { reviewsBehind, type ScoreSearch } from "./filter.ts";
import { useScorecardNames } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { useNumbers } from "./use-numbers.ts";

interface ItemsProps {
  readonly items: readonly ScoreItem[];
  readonly search: ScoreSearch;
}

const shownAtFirst = 15;
const keyOf = ({ scorecard_id, id }: ScoreItem) => `${scorecard_id}/${id}`;

/** Questions by fail rate, highest first. */
export function QuestionRates({ items, search }: ItemsProps) {
  const { t } = useTexts();
  const numbers = useNumbers();
  const noteOf = useNoteOf(items);
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, shownAtFirst);
  const behind = ({ id: question, scorecard_id: scorecard }: ScoreItem) =>
    reviewsBehind(search, { question, scorecard });
  const columns = [t("failRate"), t("low"), t("high"), t("applicable"), t("notApplicable"), t("meanShare")];
  return (
    <ChartSection
      title={t("questions")}
      intro={t("questionsIntro")}
      fileName="questions"
      readable
      table={{
        columns: [{ title: t("question") }, ...columns.map((title) => ({ title, numeric: true }))],
        rows: items.map((item) => ({
          key: keyOf(item),
          cells: [
            {
              text: item.title ?? item.id,
              node: (
                <TextLink to="/reviews" search={behind(item)}>
                  {item.title ?? item.id}
                </TextLink>
              ),
            },
            ...numbers.cells(item.failed, numbers.rate),
            { text: numbers.count(item.not_applicable), value: item.not_applicable },
            {
              text: item.score.value === null ? "–" : numbers.rate(item.score.value),
              value: item.score.value === null ? null : item.score.value / 100,
            },
          ],
        })),
      }}
    >
      <Bars
        label={t("questions")}
        nameTitle={t("question")}
        valueTitle={t("failRate")}
        format={numbers.rate}
        rows={shown.map((item) => ({
          ...{ key: keyOf(item), value: item.failed.value, low: item.failed.low, high: item.failed.high },
          name: (
            <TextLink to="/reviews" search={behind(item)}>
              {item.title ?? item.id}
            </TextLink>
          ),
          note: noteOf(item, t("answers", { count: item.failed.n })),
        }))}
      />
      {items.length > shownAtFirst && (
        <div>
          <Button variant="subtle" size="compact-sm" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? t("showFewer") : t("showAll", { count: items.length })}
          </Button>
        </div>
      )}
    </ChartSection>
  );
}

/** Mean share of points per section, by title. */
export function SectionScores({ items, search }: ItemsProps) {
  const { t, language } = useTexts();
  const numbers = useNumbers();
  const noteOf = useNoteOf(items);
  const nameOf = ({ title, id }: ScoreItem) => title ?? id;
  const sorted = items.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b), language));
  const columns = [t("meanShare"), t("low"), t("high"), t("scored"), t("notApplicable")];
  return (
    <ChartSection
      title={t("sections")}
      fileName="sections"
      readable
      table={{
        columns: [{ title: t("section") }, ...columns.map((title) => ({ title, numeric: true }))],
        rows: sorted.map((item) => ({
          key: keyOf(item),
          cells: [
            { text: nameOf(item) },
            ...numbers.cells(item.score, numbers.rate),
            { text: numbers.count(item.not_applicable), value: item.not_applicable },
          ],
        })),
      }}
    >
      <Intervals
        label={t("sections")}
        nameTitle={t("section")}
        valueTitle={t("meanShare")}
        target={null}
        format={numbers.rate}
        rows={sorted.map((item) => ({
          ...{ key: keyOf(item), value: item.score.value, low: item.score.low, high: item.score.high },
          name: nameOf(item),
          note: noteOf(
            item,
            <TextLink to="/reviews" search={reviewsBehind(search, { scorecard: item.scorecard_id })} underline="always">
              {t("reviewCount", { count: item.score.n })}
            </TextLink>,
          ),
        }))}
      />
    </ChartSection>
  );
}

/** Adds the name of the scorecard if there are several. */
function useNoteOf(items: readonly ScoreItem[]) {
  const nameOf = useScorecardNames();
  const hasSeveral = new Set(items.map(({ scorecard_id }) => scorecard_id)).size > 1;
  return (item: ScoreItem, note: ReactNode) => (
    <>
      {hasSeveral && `${nameOf(item.scorecard_id)} · `}
      {note}
    </>
  );
}
