import { Button } from "@mantine/core";
import { useQueries } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Icon } from "../../ui/icon.tsx";
import { clock, type Format, useFormat } from "../../ui/time/use-format.ts";
import { wallTime } from "../../ui/time/zoned-time.ts";
import { callQueries } from "../queries.ts";
import { saidByTexts } from "../said-texts.ts";
import { type Translate, useTexts } from "../texts.ts";
import { type CallFilters, noFilters } from "./call-filters.ts";
import { type Period, presetTexts } from "./period.ts";
import { useReviewTexts } from "./review-filter.tsx";

interface FilterChipsProps {
  readonly filters: CallFilters;
  readonly campaigns: ReadonlyMap<string, string>;
  readonly onChange: (filters: CallFilters) => void;
  /** Called after the last chip is removed, to move the focus. */
  readonly onEmptied: () => void;
}

interface Chip {
  readonly key: string;
  readonly text: string;
  readonly without: CallFilters;
}

/** Active filters, each with a remove button. */
export function FilterChips({ filters, campaigns, onChange, onEmptied }: FilterChipsProps) {
  const { t } = useTexts();
  const format = useFormat();
  const agents = useQueries({ queries: filters.agents.map((id) => callQueries.agent(id)) });
  const agentName = (id: string) => agents[filters.agents.indexOf(id)]?.data?.name ?? "…";
  const reviewers = useQueries({ queries: filters.reviewers.map((id) => callQueries.agent(id)) });
  const reviewerName = (id: string) => reviewers[filters.reviewers.indexOf(id)]?.data?.name ?? "…";
  const reviewTexts = useReviewTexts();
  const chips: readonly Chip[] = [
    ...plainChips(filters, { t, format }),
    ...filters.campaigns.map((id) => ({
      key: `campaign ${id}`,
      text: t("chip", { name: t("columnCampaign"), value: campaigns.get(id) ?? id }),
      without: { ...filters, campaigns: filters.campaigns.filter((other) => other !== id) },
    })),
    ...filters.agents.map((id) => ({
      key: `agent ${id}`,
      text: t("chip", { name: t("columnAgent"), value: agentName(id) }),
      without: { ...filters, agents: filters.agents.filter((other) => other !== id) },
    })),
    ...reviewChips(filters, { t, format, reviewTexts, nameOf: reviewerName }),
    ...filters.metadata.map((entry) => ({
      key: `metadata ${JSON.stringify([entry.key, entry.value])}`,
      text: t("chip", { name: entry.key, value: entry.value }),
      without: { ...filters, metadata: filters.metadata.filter((other) => other !== entry) },
    })),
  ];
  const { buttons, leave } = useFocusAfter(filters, onEmptied);
  if (chips.length === 0) return null;
  return (
    <>
      {chips.map(({ key, text, without }, index) => (
        <Button
          key={key}
          ref={(button) => {
            if (button) buttons.set(index, button);
            return () => void buttons.delete(index);
          }}
          size="compact-sm"
          variant="light"
          fw={500}
          maw={300}
          rightSection={<Icon name="close" size={12} />}
          aria-label={t("removeFilter", { filter: text })}
          onClick={() => {
            leave(index);
            onChange(without);
          }}
        >
          {text}
        </Button>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        fw={500}
        onClick={() => {
          leave(0);
          onChange(noFilters);
        }}
      >
        {t("clearAll")}
      </Button>
    </>
  );
}

/** Moves the focus to the next chip after one is removed. */
function useFocusAfter(filters: CallFilters, onEmptied: () => void) {
  const buttons = useRef(new Map<number, HTMLElement>()).current;
  const left = useRef<number>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the filters change
  useEffect(() => {
    const index = left.current;
    left.current = undefined;
    if (index === undefined || document.activeElement !== document.body) return;
    const next = buttons.get(index) ?? buttons.get(index - 1);
    if (next) next.focus();
    else onEmptied();
  }, [filters]);
  const leave = (index: number) => {
    left.current = index;
  };
  return { buttons, leave };
}

interface Words {
  readonly t: Translate;
  readonly format: Format;
}

function plainChips(filters: CallFilters, { t, format }: Words): Chip[] {
  const { period, minDuration, maxDuration, phone, said, saidBy } = filters;
  const chips: Chip[] = [];
  if (period)
    chips.push({ key: "period", text: periodText(period, { t, format }), without: { ...filters, period: undefined } });
  for (const status of filters.statuses) {
    const text = { ready: t("statusReady"), received: t("statusReceived"), failed: t("statusFailed") }[status];
    chips.push({
      key: `status ${status}`,
      text,
      without: { ...filters, statuses: filters.statuses.filter((other) => other !== status) },
    });
  }
  if (minDuration !== undefined) {
    const text = `${t("atLeast")} ${clock(minDuration * 1000)}`;
    chips.push({ key: "least", text, without: { ...filters, minDuration: undefined } });
  }
  if (maxDuration !== undefined) {
    const text = `${t("atMost")} ${clock(maxDuration * 1000)}`;
    chips.push({ key: "most", text, without: { ...filters, maxDuration: undefined } });
  }
  if (phone !== undefined) {
    const text = `${t("phone")} ${t("phoneEndsWith", { digits: phone })}`;
    chips.push({ key: "phone", text, without: { ...filters, phone: undefined } });
  }
  if (said !== undefined) {
    const text = `${saidBy ? t(saidByTexts[saidBy]) : t("said")}: ${said}`;
    chips.push({ key: "said", text, without: { ...filters, said: undefined, saidBy: undefined } });
  }
  return chips;
}

interface ReviewWords extends Words {
  readonly reviewTexts: ReturnType<typeof useReviewTexts>;
  readonly nameOf: (id: string) => string;
}

function reviewChips(filters: CallFilters, { t, format, reviewTexts, nameOf }: ReviewWords): Chip[] {
  const { review, minScore, maxScore, reviewers } = filters;
  const score = (text: string, points: number) => t("chip", { name: text, value: format.number(points) });
  return [
    ...(review
      ? [
          {
            key: "review",
            text: t("chip", { name: t("columnReview"), value: reviewTexts[review] }),
            without: { ...filters, review: undefined },
          },
        ]
      : []),
    ...(minScore === undefined
      ? []
      : [{ key: "min score", text: score(t("scoreAtLeast"), minScore), without: { ...filters, minScore: undefined } }]),
    ...(maxScore === undefined
      ? []
      : [{ key: "max score", text: score(t("scoreAtMost"), maxScore), without: { ...filters, maxScore: undefined } }]),
    ...reviewers.map((id) => ({
      key: `reviewer ${id}`,
      text: t("chip", { name: t("reviewer"), value: nameOf(id) }),
      without: { ...filters, reviewers: reviewers.filter((other) => other !== id) },
    })),
  ];
}

/** In the reader's time zone. Whole days omit the time. */
function periodText(period: Period, { t, format }: Words): string {
  if (period.preset) {
    const name = t(presetTexts[period.preset]);
    return period.zone === format.zone ? name : `${name} (${period.zone})`;
  }
  const { from, to } = period;
  const isMidnight = (at: Date | undefined) => {
    const wall = at && wallTime(at, format.zone);
    return !wall || (wall.hour === 0 && wall.minute === 0);
  };
  const whole = isMidnight(from) && isMidnight(to);
  const text = (at: Date) => (whole ? format.date(at) : format.dateTime(at));
  const last = to && (whole ? new Date(to.getTime() - 1) : to);
  if (from && last) return text(from) === text(last) ? text(from) : `${text(from)} – ${text(last)}`;
  return from ? `${t("from")} ${text(from)}` : last ? `${t("to")} ${text(last)}` : "";
}
