import type { Engine } from "../../e2e/support/stack/stack.ts";
import type { Round } from "./round.ts";

export const sides = ["bare", "ceiling", "ours"] as const;

/** The rounds of one storage engine and size. */
export interface Measured {
  readonly engine: Engine;
  readonly size: string;
  readonly bytes: number;
  readonly bare: Round[];
  readonly ceiling: Round[];
  readonly ours: Round[];
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function summarize(rounds: Round[]) {
  const names = Object.keys(rounds[0]?.cpuMs ?? {});
  return {
    perSecond: median(rounds.map((round) => round.perSecond)),
    p99Ms: median(rounds.map((round) => round.p99Ms)),
    cpuMs: Object.fromEntries(names.map((name) => [name, median(rounds.map((round) => round.cpuMs[name] ?? 0))])),
  };
}

function figuresOf({ bytes, ...rounds }: Measured) {
  const bare = summarize(rounds.bare);
  const ceiling = summarize(rounds.ceiling);
  const ours = summarize(rounds.ours);
  const { api = 0, postgres = 0, gateway = 0, osd = 0 } = ours.cpuMs;
  return {
    bare,
    ceiling,
    ours,
    ratio: ours.perSecond / bare.perSecond,
    // Rounds of one side differ by more than the sides do. Neighbouring rounds share what the machine does at the time.
    ceilingRatio: median(rounds.ours.map(({ perSecond }, at) => perSecond / (rounds.ceiling[at]?.perSecond ?? 0))),
    apiMs: api,
    apiSecondsPerGb: (api / 1000) * (1e9 / bytes),
    postgresMs: postgres,
    cephMs: gateway + osd,
  };
}

/** Human-readable report: throughput, CPU time by process, and a warning if the machine was busy. */
export function toTable(measured: Measured[]): string {
  const others = Math.max(
    ...measured.flatMap(({ bare, ceiling, ours }) => [...bare, ...ceiling, ...ours]).map(shareOfOthers),
  );
  const warning = `Other processes used up to ${(others * 100).toFixed()}% of the CPU time. Repeat this on an idle machine.`;
  const texts = [speedTable(measured), "CPU milliseconds per request:", cpuTable(measured)];
  return `\n${[...texts, ...(others > 0.3 ? [warning] : [])].join("\n\n")}\n`;
}

function speedTable(measured: Measured[]): string {
  const head = [
    ...["engine", "size", "bare req/s", "MB/s", "ours req/s", "MB/s", "ratio", "of the ceiling"],
    ...["p99 ms", "API ms", "API s/GB", "PostgreSQL ms", "Ceph ms"],
  ];
  const rows = measured.map((one) => {
    const { bare, ours, ratio, ceilingRatio, apiMs, apiSecondsPerGb, postgresMs, cephMs } = figuresOf(one);
    const speedOf = ({ perSecond }: { perSecond: number }) => [
      perSecond.toFixed(),
      ((perSecond * one.bytes) / 1e6).toFixed(),
    ];
    return [
      ...[one.engine, one.size, ...speedOf(bare), ...speedOf(ours), ratio.toFixed(2)],
      ...[
        ceilingRatio.toFixed(2),
        ours.p99Ms.toFixed(1),
        apiMs.toFixed(2),
        apiSecondsPerGb.toFixed(2),
        postgresMs.toFixed(2),
      ],
      one.engine === "s3" ? cephMs.toFixed(2) : "",
    ];
  });
  return align([head, ...rows]);
}

function cpuTable(measured: Measured[]): string {
  const columns = {
    wrk: "wrk",
    bare: "bare server",
    gateway: "Ceph gateway",
    osd: "Ceph OSD",
    postgres: "PostgreSQL",
    api: "API",
    machine: "whole machine",
  };
  const rows = measured.flatMap((one) =>
    sides.map((side) => {
      const { cpuMs } = summarize(one[side]);
      return [one.engine, one.size, side, ...Object.keys(columns).map((name) => cpuMs[name]?.toFixed(2) ?? "")];
    }),
  );
  return align([["engine", "size", "side", ...Object.values(columns)], ...rows]);
}

/** Share of the CPU time that was used by other processes: the kernel, this benchmark and unrelated ones. */
function shareOfOthers({ cpuMs: { machine = 0, ...known } }: Round): number {
  return 1 - Object.values(known).reduce((sum, ms) => sum + ms, 0) / machine;
}

/** JSON report in one line: `{"s3":{"4.8MB":{"ratio":…,"cpu_ms":…},…},…}`. */
export function toJson(measured: Measured[]): string {
  const rounded = (value: number) => Number(value.toPrecision(4));
  const result: Record<string, Record<string, object>> = {};
  for (const one of measured) {
    const { bare, ceiling, ours, ratio, ceilingRatio, apiMs, apiSecondsPerGb, postgresMs, cephMs } = figuresOf(one);
    result[one.engine] = {
      ...result[one.engine],
      [one.size]: {
        ratio: rounded(ratio),
        ceiling_ratio: rounded(ceilingRatio),
        cpu_ms: rounded(apiMs),
        cpu_s_per_gb: rounded(apiSecondsPerGb),
        bare_per_second: rounded(bare.perSecond),
        ceiling_per_second: rounded(ceiling.perSecond),
        ours_per_second: rounded(ours.perSecond),
        ours_p99_ms: rounded(ours.p99Ms),
        ceiling_p99_ms: rounded(ceiling.p99Ms),
        ceiling_cpu_ms: rounded(ceiling.cpuMs.api ?? 0),
        ceiling_postgres_ms: rounded(ceiling.cpuMs.postgres ?? 0),
        postgres_ms: rounded(postgresMs),
        ceph_ms: rounded(cephMs),
      },
    };
  }
  return JSON.stringify(result);
}

function align(rows: string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)));
  return rows.map((row) => line(row).join("  ").trimEnd()).join("\n");
}
