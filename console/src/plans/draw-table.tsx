import type { DrawBody } from "@hearback/sdk";
import { Text, Tooltip } from "@mantine/core";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { usePeriodText } from "./period-text.ts";
import classes from "./plans.module.css";
import { useTexts } from "./texts.ts";

const colors = { committed: "gray", closing: "blue", drawn: "green" } as const;

/** Columns of the draws of a plan. A drawn one can be opened. */
export function useDrawColumns(openId: string | undefined): readonly [Column<DrawBody>, ...Column<DrawBody>[]] {
  const { t } = useTexts();
  const format = useFormat();
  const periodText = usePeriodText();
  return [
    {
      key: "period",
      title: t("periodColumn"),
      cell: (draw) =>
        draw.state === "drawn" ? (
          <TextLink
            to="."
            search={(before: object) => ({ ...before, draw: draw.id, reviewer: undefined, state: undefined })}
            replace
            resetScroll={false}
            fw={600}
            {...(draw.id === openId && { "aria-current": "true" as const })}
          >
            {periodText(draw.period)}
          </TextLink>
        ) : (
          <Text inherit fw={600}>
            {periodText(draw.period)}
          </Text>
        ),
    },
    {
      key: "state",
      title: t("state"),
      cell: ({ state }) => <StatusBadge color={colors[state]}>{t(`draw_${state}`)}</StatusBadge>,
    },
    { key: "at", title: t("drawnAt"), cell: ({ closes_at }) => <Timestamp at={closes_at} /> },
    {
      key: "frame",
      title: t("frame"),
      cell: ({ state, calls, agents }) =>
        state === "drawn" ? t("callsOfAgents", { calls: format.number(calls), agents: format.number(agents) }) : "–",
    },
    {
      key: "done",
      title: t("doneColumn"),
      cell: ({ progress }) =>
        progress
          ? t("doneOf", { done: format.number(progress.done), total: format.number(progress.done + progress.open) })
          : "–",
    },
    {
      key: "commitment",
      title: t("commitment"),
      cell: ({ commitment }) => (
        <Tooltip label={commitment} multiline maw={320}>
          <span className={classes.hash}>{commitment.slice(0, 12)}…</span>
        </Tooltip>
      ),
    },
  ];
}
