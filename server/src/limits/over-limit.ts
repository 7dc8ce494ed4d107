import type { LimitName } from "@hearback/contract";
import { AppError, type ErrorCode } from "../platform/errors.ts";
import type { Measure } from "./measures.ts";

interface Words {
  readonly code: Extract<ErrorCode, "rate_exceeded" | "too_many_uploads" | "quota_exceeded">;
  readonly what: (limit: string) => string;
  readonly mend: string;
  readonly retryAfterSeconds: (measure: Measure) => number;
}

const waitAMoment = () => 1;
/** An upload takes a while. */
const waitForAnUpload = () => 2;
const anHour = 3600;

const raise = (whose: "workspace" | "key", option: string) =>
  `or have the limit raised (\`hearback-server ${whose} limits … --${option}\`)`;

const words: Record<LimitName, Words> = {
  key_requests: {
    code: "rate_exceeded",
    what: (limit) => `This key may send ${limit} requests a second, and has sent more.`,
    mend: `Wait as long as Retry-After says and send fewer at a time, ${raise("key", "requests-per-second")}.`,
    retryAfterSeconds: waitAMoment,
  },
  workspace_requests: {
    code: "rate_exceeded",
    what: (limit) => `The keys of this workspace may send ${limit} requests a second together, and have sent more.`,
    mend: `Wait as long as Retry-After says and send fewer at a time, ${raise("workspace", "requests-per-second")}.`,
    retryAfterSeconds: waitAMoment,
  },
  workspace_imports: {
    code: "rate_exceeded",
    what: (limit) => `This workspace may import ${limit} calls a second, and has sent more.`,
    mend: `Wait as long as Retry-After says and send fewer at a time, ${raise("workspace", "imports-per-second")}.`,
    retryAfterSeconds: waitAMoment,
  },
  key_uploads: {
    code: "too_many_uploads",
    what: (limit) => `This key may have ${limit} uploads under way at once, and has.`,
    mend: `Send the recording when one of them is over, ${raise("key", "uploads-at-once")}.`,
    retryAfterSeconds: waitForAnUpload,
  },
  workspace_uploads: {
    code: "too_many_uploads",
    what: (limit) => `The keys of this workspace may have ${limit} uploads under way at once, and have.`,
    mend: `Send the recording when one of them is over, ${raise("workspace", "uploads-at-once")}.`,
    retryAfterSeconds: waitForAnUpload,
  },
  workspace_calls_per_day: {
    code: "quota_exceeded",
    what: (limit) => `This workspace may import ${limit} calls a day, and has.`,
    mend: `The next day begins at midnight UTC. Send it then, ${raise("workspace", "calls-per-day")}.`,
    retryAfterSeconds: ({ resetsInSeconds }) => resetsInSeconds ?? anHour,
  },
  workspace_stored_bytes: {
    code: "quota_exceeded",
    what: (limit) => `This workspace may keep ${limit} bytes of recordings, and this one does not fit any more.`,
    mend: `Delete calls that are not needed, ${raise("workspace", "stored-bytes")}.`,
    retryAfterSeconds: () => anHour,
  },
};

/** Writing a number for people takes longer than everything else about a refusal. */
const written = new Map<number, string>();
const mostWritten = 1_000;

function write(limit: number): string {
  const known = written.get(limit);
  if (known !== undefined) return known;
  if (written.size >= mostWritten) written.clear();
  const text = limit.toLocaleString("en");
  written.set(limit, text);
  return text;
}

/** The refusal of a request that is over this limit. Nothing of it was done. */
export function overLimit(measure: Measure): AppError {
  const { code, what, mend, retryAfterSeconds } = words[measure.name];
  const detail = `${what(write(measure.limit))} ${mend}`;
  // Where it was made tells nobody anything, and finding out is a tenth of what a refusal costs.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = new AppError(code, detail, {
    members: { limit: measure.name },
    retryAfterSeconds: Math.max(1, retryAfterSeconds(measure)),
  });
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
