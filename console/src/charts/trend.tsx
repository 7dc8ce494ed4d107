import { Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { area, line } from "d3-shape";
import { useState } from "react";
import { useFormat } from "../ui/time/use-format.ts";
import classes from "./charts.module.css";
import { dayText } from "./day-text.ts";
import { fillWeeks, scoreDomain } from "./domain.ts";
import { linearScale } from "./linear-scale.ts";
import { useTexts } from "./texts.ts";

export interface TrendPoint {
  /** The Monday, such as 2026-11-09. */
  readonly week: string;
  /** null: only the interval is drawn. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Shown while the week is hovered. */
  readonly caption: string;
}

interface TrendProps {
  readonly points: readonly TrendPoint[];
  /** In hundredths. */
  readonly target: number | null;
  /** Changes that can explain a step. */
  readonly marks: readonly { readonly day: string; readonly label: string }[];
  /** Shown while no week is hovered. */
  readonly caption: string;
  readonly format: (hundredths: number) => string;
  readonly onSelect?: (week: string) => void;
}

const height = 240;
const margin = { top: 20, right: 14, bottom: 26, left: 38 };
const labelWidth = 64;

type Shown = TrendPoint & { readonly low: number; readonly high: number };
const hasBand = (point: TrendPoint | undefined): point is Shown =>
  point !== undefined && point.low !== null && point.high !== null;

/** Mean by week with its interval as a band, or the interval alone, a target and marked changes. Decorative: the table has the numbers. */
export function Trend({ points, target, marks, caption, format, onSelect }: TrendProps) {
  const { t } = useTexts();
  const { language } = useFormat();
  const { ref, width } = useElementSize();
  const [hovered, setHovered] = useState<string>();
  const weeks = fillWeeks(points);
  const domain = scoreDomain(points, target);
  const times = weeks.map(({ week }) => Date.parse(week));
  const y = linearScale(domain, [height - margin.bottom, margin.top]);
  const x = linearScale(
    [times[0] ?? 0, times.at(-1) ?? 1],
    [margin.left + 8, Math.max(margin.left + 9, width - margin.right)],
  );
  // One week alone is in the middle.
  const xOf = (day: string) => (weeks.length === 1 ? (margin.left + width) / 2 : x(Date.parse(day)));
  /** Days after the last Monday stay inside. */
  const markAt = (day: string) => Math.min(width - 12, xOf(day));
  const every = Math.max(1, Math.ceil((weeks.length * labelWidth) / Math.max(1, width - margin.left)));
  const step = weeks.length > 1 ? xOf(weeks[1]?.week ?? "") - xOf(weeks[0]?.week ?? "") : width - margin.left;
  const band = area<(typeof weeks)[number]>()
    .defined(({ point }) => hasBand(point) && point.value !== null)
    .x(({ week }) => xOf(week))
    .y0(({ point }) => y(point?.low ?? 0))
    .y1(({ point }) => y(point?.high ?? 0));
  const mean = line<(typeof weeks)[number]>()
    .defined(({ point }) => point !== undefined && point.value !== null)
    .x(({ week }) => xOf(week))
    .y(({ point }) => y(point?.value ?? 0));
  return (
    <div ref={ref}>
      <Text size="sm" fw={600} className="tabular" mih={22}>
        {points.find(({ week }) => week === hovered)?.caption ?? caption}
      </Text>
      <svg className={classes.plot} height={height} viewBox={`0 0 ${Math.max(1, width)} ${height}`} aria-hidden="true">
        {width > 0 && (
          <>
            {y.ticks(5).map((tick) => (
              <g key={tick}>
                <line className={classes.grid} x1={margin.left} x2={width} y1={y(tick)} y2={y(tick)} />
                <text className={classes.label} x={margin.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
                  {format(tick)}
                </text>
              </g>
            ))}
            {weeks.map(({ week }, at) =>
              (weeks.length - 1 - at) % every === 0 ? (
                <text
                  key={week}
                  className={classes.label}
                  x={xOf(week)}
                  y={height - 6}
                  textAnchor={at === weeks.length - 1 && at > 0 ? "end" : "middle"}
                >
                  {dayText(week, language, { day: "numeric", month: "short" })}
                </text>
              ) : null,
            )}
            <path className={classes.band} d={band(weeks) ?? ""} />
            {target !== null && (
              <line className={classes.target} x1={margin.left} x2={width} y1={y(target)} y2={y(target)} />
            )}
            {marks.map(({ day, label }) => (
              <g key={`${day} ${label}`}>
                <line
                  className={classes.mark}
                  x1={markAt(day)}
                  x2={markAt(day)}
                  y1={margin.top}
                  y2={height - margin.bottom}
                />
                <text className={classes.label} x={markAt(day)} y={12} textAnchor="middle">
                  {label}
                </text>
              </g>
            ))}
            <path className={classes.mean} d={mean(weeks) ?? ""} />
            {points.map(({ week, value, low, high }) => (
              <g key={week}>
                {low !== null && high !== null && (
                  <line
                    className={value === null ? classes.range : classes.whisker}
                    x1={xOf(week)}
                    x2={xOf(week)}
                    y1={y(low)}
                    y2={y(high)}
                  />
                )}
                {value !== null && (
                  <circle
                    className={classes.point}
                    data-open={low === null || undefined}
                    cx={xOf(week)}
                    cy={y(value)}
                    r={week === hovered ? 6 : 4}
                  />
                )}
              </g>
            ))}
            {target !== null && (
              // Right of the first point.
              <text className={classes.label} data-outlined x={margin.left + 18} y={y(target) - 5}>
                {t("target", { value: format(target) })}
              </text>
            )}
            {points.map(({ week }) => (
              // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut for the mouse; the table has the links
              <rect
                key={week}
                className={classes.hover}
                data-clickable={onSelect ? true : undefined}
                x={xOf(week) - step / 2}
                y={0}
                width={Math.max(1, step)}
                height={height}
                onPointerEnter={() => setHovered(week)}
                onPointerLeave={() => setHovered(undefined)}
                onClick={() => onSelect?.(week)}
              />
            ))}
          </>
        )}
      </svg>
    </div>
  );
}
