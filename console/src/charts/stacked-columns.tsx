import { Group, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { scaleBand } from "d3-scale";
import { useId, useState } from "react";
import { useFormat } from "../ui/time/use-format.ts";
import classes from "./charts.module.css";
import { dayText } from "./day-text.ts";
import { countDomain } from "./domain.ts";
import { linearScale } from "./linear-scale.ts";
import { maxSeries } from "./max-series.ts";

interface Series {
  readonly key: string;
  readonly name: string;
  readonly total: number;
  /** One count per day. */
  readonly counts: readonly number[];
  /** Combines everything that has no colour of its own. */
  readonly others: boolean;
}

interface StackedColumnsProps {
  readonly days: readonly string[];
  readonly series: readonly Series[];
  readonly totals: readonly number[];
  /** For the hovered day, or for all. */
  readonly caption: (index: number | undefined) => string;
}

const height = 240;
const margin = { top: 8, bottom: 26, left: 44 };
const labelWidth = 64;

/** Counts per day, stacked. Decorative: the table has the numbers. */
export function StackedColumns({ days, series, totals, caption }: StackedColumnsProps) {
  const format = useFormat();
  const id = useId();
  const { ref, width } = useElementSize();
  const [hovered, setHovered] = useState<number>();
  const index = hovered !== undefined && hovered < days.length ? hovered : undefined;
  const y = linearScale(countDomain(totals), [height - margin.bottom, margin.top]);
  const x = scaleBand(days, [margin.left, Math.max(margin.left + 1, width)])
    .paddingInner(0.28)
    .paddingOuter(0.14);
  const every = Math.max(1, Math.ceil((days.length * labelWidth) / Math.max(1, width - margin.left)));
  const paintOf = (at: number) => (series[at]?.others ? maxSeries : at);
  const barWidth = Math.min(44, x.bandwidth());
  return (
    <div ref={ref} className={classes.palette}>
      <Text size="sm" fw={600} className="tabular" mih={22}>
        {caption(index)}
      </Text>
      <Group gap="xs" mih={26} mb="sm">
        {series.map(({ key, name, total, counts }, at) => (
          <Group key={key} gap={6} mr="xs" wrap="nowrap">
            <svg className={classes.swatch} width={14} height={14} aria-hidden="true">
              <rect width={14} height={14} rx={3} fill={`url(#${id}${paintOf(at)})`} />
            </svg>
            <Text size="sm" className="tabular">
              {name} {format.number(index === undefined ? total : (counts[index] ?? 0))}
            </Text>
          </Group>
        ))}
      </Group>
      <svg className={classes.plot} height={height} viewBox={`0 0 ${Math.max(1, width)} ${height}`} aria-hidden="true">
        <Patterns id={id} />
        {width > 0 && (
          <>
            {y
              .ticks(4)
              .filter(Number.isInteger)
              .map((tick) => (
                <g key={tick}>
                  <line className={classes.grid} x1={margin.left} x2={width} y1={y(tick)} y2={y(tick)} />
                  <text className={classes.label} x={margin.left - 8} y={y(tick)} dy="0.32em" textAnchor="end">
                    {format.number(tick)}
                  </text>
                </g>
              ))}
            {days.map((day, at) => {
              const middle = (x(day) ?? 0) + x.bandwidth() / 2;
              return (
                <g key={day} onPointerEnter={() => setHovered(at)} onPointerLeave={() => setHovered(undefined)}>
                  <rect
                    className={classes.hover}
                    data-hovered={at === index || undefined}
                    x={middle - x.step() / 2}
                    y={0}
                    width={x.step()}
                    height={height - margin.bottom}
                  />
                  {stack(series, at).map(({ key, nth, from, to }) => (
                    <rect
                      key={key}
                      className={classes.part}
                      fill={`url(#${id}${paintOf(nth)})`}
                      x={middle - barWidth / 2}
                      y={y(to)}
                      width={barWidth}
                      height={Math.max(2, y(from) - y(to))}
                    />
                  ))}
                  {(days.length - 1 - at) % every === 0 && (
                    <text className={classes.label} x={middle} y={height - 6} textAnchor="middle">
                      {dayText(day, format.language, { day: "numeric", month: "short" })}
                    </text>
                  )}
                </g>
              );
            })}
          </>
        )}
      </svg>
    </div>
  );
}

function stack(series: readonly Series[], at: number) {
  let from = 0;
  return series.flatMap(({ key, counts }, nth) => {
    const count = counts[at] ?? 0;
    from += count;
    return count > 0 ? [{ key, nth, from: from - count, to: from }] : [];
  });
}

/** Patterns distinguish series for colour-blind readers. */
function Patterns({ id }: { readonly id: string }) {
  const lines = ["", "rotate(45)", "rotate(90)", "dots", "rotate(-45)", "rotate(0)", ""];
  return (
    <defs>
      {lines.map((line, nth) => (
        <pattern
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          key={nth}
          id={`${id}${nth}`}
          width={6}
          height={6}
          patternUnits="userSpaceOnUse"
          {...(line.startsWith("rotate") && { patternTransform: line })}
        >
          <rect className={classes[`paint${nth}`]} width={6} height={6} />
          {line === "dots" && <circle className={classes.texture} cx={3} cy={3} r={1.4} />}
          {line.startsWith("rotate") && <rect className={classes.texture} width={2} height={6} />}
        </pattern>
      ))}
    </defs>
  );
}
