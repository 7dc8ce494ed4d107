import type { FindingCode } from "../finding-codes.ts";
import type { ManifestOptions } from "../open-manifest.ts";

/** A manifest with one defect and the expected finding. */
export interface Defective {
  readonly code: FindingCode;
  /** undefined: the whole manifest. */
  readonly line: number | undefined;
  /** Pattern that the fix must match. */
  readonly fix: RegExp;
  readonly detail?: RegExp;
  /** Default: a valid row, then `row`. */
  readonly manifest?: string | Buffer;
  readonly row?: string;
  readonly options?: Partial<ManifestOptions>;
  readonly maps?: readonly string[];
  readonly recipe?: string;
  readonly mappingFile?: string;
  /** File name of the manifest. */
  readonly name?: string;
  /** Content of the agents file. */
  readonly agents?: string | Buffer;
  readonly prepare?: (recordings: string) => Promise<unknown>;
}

type More = Omit<Defective, "code" | "line" | "fix">;

export const whole = (code: FindingCode, fix: RegExp, more: More): Defective => ({
  code,
  line: undefined,
  fix,
  ...more,
});
export const inLine = (line: number, code: FindingCode, fix: RegExp, more: More): Defective => ({
  code,
  line,
  fix,
  ...more,
});
export const inRow = (code: FindingCode, row: string, fix: RegExp, more: More = {}): Defective => ({
  code,
  line: 3,
  fix,
  row,
  ...more,
});

export const header = "file,agent_email,time,campaign,site";
export const good = "good.wav,ann@example.com,1714557600,support-fr,Lyon";
export const withTime = (time: string) => `a.wav,ann@example.com,${time},support-fr,Lyon`;
export const withFile = (file: string) => `${file},ann@example.com,1714557600,support-fr,Lyon`;
export const zone = { timeFormat: "yyyy-MM-dd HH:mm:ss", timeZone: "Europe/Paris" };
export const json = (members: object) =>
  JSON.stringify({ file: "a.wav", agent_email: "ann@example.com", time: 1714557600, campaign: "x", ...members });
