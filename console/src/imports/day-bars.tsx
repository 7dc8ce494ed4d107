import { Group, Text } from "@mantine/core";
import { useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { useFormat } from "../ui/use-format.ts";
import classes from "./imports.module.css";
import { type Chart, ceilingOf, mostSeries } from "./series.ts";

/** A day of the calendar, which has no zone. */
export const dayText = (day: string, language: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(language, { ...options, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));

/** Colour and hatching of a campaign's bars; the others together have the last. */
export const paintOf = (series: Chart["series"], place: number) =>
  classes[`paint${series[place]?.id === null ? mostSeries : place}`] ?? "";

/** Calls by day, stacked by campaign. The table beside it says the same, so that nobody needs to see this. */
export function DayBars({ chart }: { readonly chart: Chart }) {
  const { t, language } = useTexts("imports");
  const format = useFormat();
  const [hovered, setHovered] = useState<number>();
  const { days, series, totals } = chart;
  const place = hovered !== undefined && hovered < days.length ? hovered : undefined;
  const ceiling = ceilingOf(totals);
  const every = Math.ceil(days.length / 7);
  const caption =
    place === undefined
      ? t("allDays", { count: totals.reduce((all, count) => all + count, 0), days: days.length })
      : t("oneDay", {
          count: totals[place] ?? 0,
          day: dayText(days[place] ?? "", language, { weekday: "long", day: "numeric", month: "long" }),
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
              {name ?? t("others")} {format.number(place === undefined ? total : (counts[place] ?? 0))}
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
                data-hovered={at === place || undefined}
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
                {(days.length - 1 - at) % every === 0 && dayText(day, language, { day: "numeric", month: "short" })}
              </span>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}
