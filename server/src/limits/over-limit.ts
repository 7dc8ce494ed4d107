import type { LimitName } from "@hearback/contract";
import { type AppError, limitErrors } from "../platform/errors.ts";
import type { LimitStatus } from "./limit-status.ts";

interface LimitMessage {
  readonly code: keyof typeof limitErrors;
  readonly problem: (limit: string) => string;
  readonly fix: string;
  readonly retryAfterSeconds: (status: LimitStatus) => number;
}

const waitOneSecond = () => 1;
/** Uploads take a while. */
const waitForTransfer = () => 2;
const oneHour = 3600;

const raiseWithCommand = (whose: "workspace" | "key", option: string) =>
  `or ask the server operator to raise the limit (\`hearback-server ${whose} limits … --${option}\`)`;

const messages: Record<LimitName, LimitMessage> = {
  address_requests: {
    code: "rate_exceeded",
    problem: (limit) =>
      `Your network has exceeded the limit of ${limit} requests per second without valid credentials.`,
    fix: "Retry after the number of seconds in Retry-After, or ask the server operator to raise LIMIT_ADDRESS_REQUESTS_PER_SECOND.",
    retryAfterSeconds: waitOneSecond,
  },
  key_requests: {
    code: "rate_exceeded",
    problem: (limit) => `This API key has exceeded its limit of ${limit} requests per second.`,
    fix: `Retry after the number of seconds in Retry-After and send fewer requests at a time, ${raiseWithCommand("key", "requests-per-second")}.`,
    retryAfterSeconds: waitOneSecond,
  },
  workspace_requests: {
    code: "rate_exceeded",
    problem: (limit) =>
      `The API keys of this workspace have together exceeded the limit of ${limit} requests per second.`,
    fix: `Retry after the number of seconds in Retry-After and send fewer requests at a time, ${raiseWithCommand("workspace", "requests-per-second")}.`,
    retryAfterSeconds: waitOneSecond,
  },
  workspace_imports: {
    code: "rate_exceeded",
    problem: (limit) => `This workspace has exceeded its limit of ${limit} imports per second.`,
    fix: `Retry after the number of seconds in Retry-After and send fewer requests at a time, ${raiseWithCommand("workspace", "imports-per-second")}.`,
    retryAfterSeconds: waitOneSecond,
  },
  key_uploads: {
    code: "too_many_uploads",
    problem: (limit) => `This API key has reached its limit of ${limit} concurrent uploads.`,
    fix: `Send the recording when another upload has finished, ${raiseWithCommand("key", "uploads-at-once")}.`,
    retryAfterSeconds: waitForTransfer,
  },
  workspace_uploads: {
    code: "too_many_uploads",
    problem: (limit) =>
      `The API keys of this workspace have together reached the limit of ${limit} concurrent uploads.`,
    fix: `Send the recording when another upload has finished, ${raiseWithCommand("workspace", "uploads-at-once")}.`,
    retryAfterSeconds: waitForTransfer,
  },
  key_downloads: {
    code: "too_many_downloads",
    problem: (limit) => `This API key or user has reached the limit of ${limit} concurrent downloads.`,
    fix: "Finish or close another download first, or ask the server operator to raise LIMIT_KEY_DOWNLOADS_AT_ONCE.",
    retryAfterSeconds: waitForTransfer,
  },
  workspace_downloads: {
    code: "too_many_downloads",
    problem: (limit) => `This workspace has reached its limit of ${limit} concurrent downloads.`,
    fix: "Retry when another download has finished, or ask the server operator to raise LIMIT_WORKSPACE_DOWNLOADS_AT_ONCE.",
    retryAfterSeconds: waitForTransfer,
  },
  workspace_calls_per_day: {
    code: "quota_exceeded",
    problem: (limit) => `This workspace has reached its limit of ${limit} imported calls per day.`,
    fix: `Retry after midnight UTC, ${raiseWithCommand("workspace", "calls-per-day")}.`,
    retryAfterSeconds: ({ resetsInSeconds }) => resetsInSeconds ?? oneHour,
  },
  workspace_stored_bytes: {
    code: "quota_exceeded",
    problem: (limit) => `This recording would exceed the workspace's storage limit of ${limit} bytes.`,
    fix: `Delete calls you no longer need, ${raiseWithCommand("workspace", "stored-bytes")}.`,
    retryAfterSeconds: () => oneHour,
  },
  workspace_invitation_mails_per_day: {
    code: "quota_exceeded",
    problem: (limit) =>
      `This workspace has reached its limit of ${limit} invitation emails per day. Nothing was changed.`,
    fix: `Retry after midnight UTC or with send_invite_email false, ${raiseWithCommand("workspace", "invitation-mails-per-day")}.`,
    retryAfterSeconds: ({ resetsInSeconds }) => resetsInSeconds ?? oneHour,
  },
  workspace_new_months: {
    code: "quota_exceeded",
    problem: (limit) =>
      `This workspace has reached its limit of ${limit} new months per day: months for which the installation has no calls yet.`,
    fix: "Check conversation_timestamp, retry after midnight UTC, or ask the server operator to raise LIMIT_WORKSPACE_NEW_MONTHS_PER_DAY.",
    retryAfterSeconds: ({ resetsInSeconds }) => resetsInSeconds ?? oneHour,
  },
};

/** Cache: formatting a number takes longer than the rest of a refusal. */
const formattedNumbers = new Map<number, string>();
const maxFormatted = 1_000;

function formatNumber(limit: number): string {
  const cached = formattedNumbers.get(limit);
  if (cached !== undefined) return cached;
  if (formattedNumbers.size >= maxFormatted) formattedNumbers.clear();
  const text = limit.toLocaleString("en");
  formattedNumbers.set(limit, text);
  return text;
}

/** The 429 error for a request over this limit. */
export function overLimit(status: LimitStatus): AppError {
  const { code, problem, fix, retryAfterSeconds } = messages[status.name];
  const detail = `${problem(formatNumber(status.limit))} ${fix}`;
  // The stack trace is useless here, and capturing it takes a tenth of the cost of a refusal.
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const error = limitErrors[code]({
    limit: status.name,
    detail,
    retryAfterSeconds: Math.max(1, retryAfterSeconds(status)),
  });
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
