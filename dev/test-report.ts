import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const root = join(import.meta.dirname, "..");

/** Output of vitest's JSON reporter. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Seconds by file. A file that also runs on the filesystem engine has a second entry. */
export type Timings = Readonly<Record<string, number>>;

export interface TestSummary {
  readonly passed: number;
  readonly failed: number;
  /** The failed tests, and the files that failed without a failing test. */
  readonly failures: readonly string[];
  readonly timings: Timings;
}

/** The last lines of a text, indented. */
export const lastLines = (text: string, count: number): string =>
  text
    .trimEnd()
    .split("\n")
    .slice(-count)
    .map((line) => `    ${line}`)
    .join("\n");

const firstLines = (text: string, count: number) => lastLines(text.split("\n").slice(0, count).join("\n"), count);

/** Sums the reports of a folder. The name of a report on the filesystem engine ends in "filesystem.json". */
export function summarize(folder: string): TestSummary {
  const reports = readdirSync(folder).map((name) => ({
    suffix: name.endsWith("filesystem.json") ? " (filesystem)" : "",
    report: JSON.parse(readFileSync(join(folder, name), "utf8")) as Report,
  }));
  const files = reports.flatMap(({ suffix, report }) =>
    report.testResults.map((file) => ({ ...file, path: relative(root, file.name) + suffix })),
  );
  return {
    passed: reports.reduce((total, { report }) => total + report.numPassedTests, 0),
    failed: reports.reduce((total, { report }) => total + report.numFailedTests, 0),
    failures: files.flatMap(({ path, status, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === "failed");
      const texts = failed.map(
        ({ fullName, failureMessages }) => `${path}\n  ${fullName}\n${firstLines(failureMessages[0] ?? "", 12)}`,
      );
      return status === "failed" && texts.length === 0 ? [`${path}\n    ${message}`] : texts;
    }),
    timings: Object.fromEntries(
      files.map(({ path, startTime, endTime }) => [path, Math.round((endTime - startTime) / 100) / 10]),
    ),
  };
}

interface Comparison {
  /** How many times as long as recorded the files take, in the median: the speed of the machine. */
  readonly slowness: number;
  /** Files that take half as long again and five seconds more than recorded, on this machine. */
  readonly grown: readonly { readonly file: string; readonly now: number; readonly expected: number }[];
}

export function compareTimings(timings: Timings, recorded: Timings): Comparison {
  const files = Object.entries(timings);
  const ratios = files.flatMap(([file, now]) => {
    const before = recorded[file];
    return before !== undefined && before >= 3 ? [now / before] : [];
  });
  const slowness = ratios.sort((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? 1;
  const grown = files
    .map(([file, now]) => ({ file, now, expected: (recorded[file] ?? 0) * slowness }))
    .filter(({ now, expected }) => now > expected * 1.5 && now > expected + 5)
    .sort((a, b) => b.now - b.expected - (a.now - a.expected));
  return { slowness, grown };
}

/** The text of e2e/timings.json: files of a second or more, by name. */
export function formatTimings(timings: Timings): string {
  const long = Object.entries(timings).filter(([, seconds]) => seconds >= 1);
  return `${JSON.stringify(Object.fromEntries(long.sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`;
}
