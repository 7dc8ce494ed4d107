import { Group, Text } from "@mantine/core";
import { useState } from "react";
import { useFormat } from "../ui/time/use-format.ts";
import classes from "./imports.module.css";
import { type Chart, maxSeries, scaleMax } from "./series.ts";
import { useTexts } from "./texts.ts";

/** Formats a calendar date, which has no time zone. */
export const dayText = (day: string, locale: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));

/** Colour and pattern of a series. The remaining campaigns share the last one. */
export const paintOf = (series: Chart["series"], index: number) =>
  classes[`paint${series[index]?.id === null ? maxSeries : index}`] ?? "";

/** Calls per day, stacked by campaign. Hidden from screen readers, which read the table. */
export function DayBars({ chart }: { readonly chart: Chart }) {
  const { t } = useTexts();
  const format = useFormat();
  const [hovered, setHovered] = useState<number>();
  const { days, series, totals } = chart;
  const index = hovered !== undefined && hovered < days.length ? hovered : undefined;
  const ceiling = scaleMax(totals);
  const every = Math.ceil(days.length / 7);
  const caption =
    index === undefined
      ? t("allDays", { count: totals.reduce((all, count) => all + count, 0), days: days.length })
      : t("oneDay", {
          count: totals[index] ?? 0,
          day: dayText(days[index] ?? "", format.language, { weekday: "long", day: "numeric", month: "long" }),
        });
  return (
    <div aria-hidden="true">
      <Text size="sm" fw={600} className="tabular" mih={22}>
        {caption}
      </Text>
      <Group gap="xs" mih={26} mb="sm">
        {series.map(({ id, name, total, counts }, at) => (
          <Group key={id} gap={6} mr="xs" wrap="nowrap">
            <span className={`${classes.swatch} ${paintOf(series, at)}`} />
            <Text size="sm" className="tabular">
              {name ?? t("others")} {format.number(index === undefined ? total : (counts[index] ?? 0))}
            </Text>
          </Group>
        ))}
      </Group>
      <div className={classes.plot}>
        <div className={classes.scale}>
          {[ceiling, ceiling / 2, 0].map((value) => (
            <span key={value} className="tabular">
              {format.number(value)}
            </span>
          ))}
        </div>
        <div className={classes.field}>
          <div className={classes.bars} onPointerLeave={() => setHovered(undefined)}>
            {days.map((day, at) => (
              <div
                key={day}
                className={classes.column}
                data-hovered={at === index || undefined}
                onPointerEnter={() => setHovered(at)}
              >
                <div className={classes.stack} style={{ height: `${((totals[at] ?? 0) / ceiling) * 100}%` }}>
                  {series.map(({ id, counts }, nth) =>
                    counts[at] ? (
                      <div
                        key={id}
                        className={`${classes.part} ${paintOf(series, nth)}`}
                        style={{ flexGrow: counts[at] }}
                      />
                    ) : null,
                  )}
                </div>
              </div>
            ))}
          </div>
          <div className={classes.dates}>
            {days.map((day, at) => (
              <span
                key={day}
                className={classes.date}
                data-minor={(days.length - 1 - at) % (2 * every) !== 0 || undefined}
              >
                {(days.length - 1 - at) % every === 0 &&
                  dayText(day, format.language, { day: "numeric", month: "short" })}
              </span>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
