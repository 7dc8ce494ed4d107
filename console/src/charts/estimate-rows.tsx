import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./charts.module.css";
import { differenceDomain, positionOf, rateDomain, scoreDomain } from "./domain.ts";
import { type LinearScale, linearScale } from "./linear-scale.ts";
import { useTexts } from "./texts.ts";

export interface EstimateRow {
  readonly key: string;
  /** Usually a link. */
  readonly name: ReactNode;
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Shown instead of the number. */
  readonly number?: ReactNode;
  /** Shown below the name. */
  readonly note?: ReactNode;
  /** Too few reviews: only the interval is drawn. */
  readonly rangeOnly?: boolean;
}

interface EstimateRowsProps {
  readonly label: string;
  readonly nameTitle: string;
  readonly valueTitle: string;
  readonly rows: readonly EstimateRow[];
  readonly format: (hundredths: number) => string;
}

/** Caterpillar plot: mean and interval per row, in the order given. Grey where the interval contains the target. */
export function Intervals({ target, ...props }: EstimateRowsProps & { readonly target: number | null }) {
  return <EstimateRows {...props} kind="interval" target={target} domain={scoreDomain(props.rows, target)} />;
}

/** Difference with interval per row. Grey where the interval contains 0. */
export function Differences(props: EstimateRowsProps) {
  const zero = props.format(0);
  return <EstimateRows {...props} kind="interval" target={0} targetText={zero} domain={differenceDomain(props.rows)} />;
}

/** Rate with interval per row. */
export function Bars(props: EstimateRowsProps) {
  return <EstimateRows {...props} kind="bar" target={null} domain={rateDomain(props.rows)} />;
}

interface DrawnRowsProps extends EstimateRowsProps {
  readonly kind: "interval" | "bar";
  readonly target: number | null;
  /** Label of the target, if it is not a score. */
  readonly targetText?: string;
  readonly domain: [number, number];
}

/** A table whose graphics are decorative. */
function EstimateRows({ label, nameTitle, valueTitle, rows, format, kind, target, ...props }: DrawnRowsProps) {
  const { t } = useTexts();
  const { domain, targetText = target === null ? "" : t("target", { value: format(target) }) } = props;
  const x = linearScale(domain, [0, 100]);
  return (
    <table className={classes.rows} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{nameTitle}</th>
          <th scope="col" data-graphic>
            <VisuallyHidden>{t("chartColumn")}</VisuallyHidden>
            <Axis x={x} target={target} targetText={targetText} format={format} />
          </th>
          <th scope="col" data-number>
            {valueTitle}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              <span className="breakable">{row.name}</span>
              {row.note && <span className={classes.note}>{row.note}</span>}
              {isWithoutInterval(row) && <span className={classes.note}>{t("noInterval")}</span>}
            </th>
            <td data-graphic>
              <Graphic row={row} x={x} kind={kind} target={target} />
            </td>
            <td data-number className="tabular">
              {row.number ?? (row.value === null ? "–" : format(row.value))}
              {row.low !== null && row.high !== null && (
                <VisuallyHidden>{` (${t("interval", { low: format(row.low), high: format(row.high) })})`}</VisuallyHidden>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A value whose precision is unknown. */
const isWithoutInterval = ({ value, low, high }: EstimateRow) => value !== null && (low === null || high === null);

interface AxisProps {
  readonly x: LinearScale;
  readonly target: number | null;
  readonly targetText: string;
  readonly format: (hundredths: number) => string;
}

function Axis({ x, target, targetText, format }: AxisProps) {
  const [from, to] = x.domain;
  return (
    <svg className={classes.strip} height={20} aria-hidden="true">
      <text className={classes.label} x="0%" y={14}>
        {format(from)}
      </text>
      {/* Labels near the ends would overlap. */}
      {target !== null && x(target) > 25 && x(target) < 80 && (
        <text className={classes.label} x={`${x(target)}%`} y={14} textAnchor="middle">
          {targetText}
        </text>
      )}
      <text className={classes.label} x="100%" y={14} textAnchor="end">
        {format(to)}
      </text>
    </svg>
  );
}

interface GraphicProps {
  readonly row: EstimateRow;
  readonly x: LinearScale;
  readonly kind: "interval" | "bar";
  readonly target: number | null;
}

/** Positions are percentages, so that it needs no measuring and prints at any width. */
function Graphic({ row, x, kind, target }: GraphicProps) {
  const { value, low, high, rangeOnly } = row;
  const at = (hundredths: number) => `${x(hundredths)}%`;
  return (
    <svg className={classes.strip} height={24} aria-hidden="true" data-position={positionOf(row, target)}>
      <line className={classes.grid} x1="0%" x2="100%" y1={12} y2={12} />
      {target !== null && <line className={classes.target} x1={at(target)} x2={at(target)} y1={0} y2={24} />}
      {kind === "bar" && value !== null && <rect className={classes.bar} x={0} y={5} width={at(value)} height={14} />}
      {low !== null && high !== null && (
        <line className={classes.interval} data-kind={kind} x1={at(low)} x2={at(high)} y1={12} y2={12} />
      )}
      {kind === "interval" && value !== null && !rangeOnly && (
        <circle className={classes.dot} data-open={isWithoutInterval(row) || undefined} cx={at(value)} cy={12} r={5} />
      )}
    </svg>
  );
}
