import type { CallItem } from "@hearback/sdk";
import type { Format } from "../../ui/time/use-format.ts";
import type { TextKey, Translate } from "../texts.ts";

export const plainColumns = [
  ...["time", "agent", "campaign", "duration", "status", "review"],
  ...["format", "size", "imported", "id"],
] as const;
type PlainColumn = (typeof plainColumns)[number];

/** A plain column or `metadata:KEY`. */
export type ColumnId = string;
export const defaultColumns: readonly ColumnId[] = ["time", "agent", "campaign", "duration", "status", "review"];
/** Columns on narrow screens. */
export const cardColumns: readonly ColumnId[] = ["time", "review", "duration", "agent", "campaign", "status"];
export const maxColumns = 20;

const metadataPrefix = "metadata:";
export const metadataColumn = (key: string): ColumnId => `${metadataPrefix}${key}`;
export const metadataKey = (id: ColumnId): string | undefined =>
  id.startsWith(metadataPrefix) ? id.slice(metadataPrefix.length) : undefined;

/** Context for rendering cells. */
export interface ColumnView {
  readonly t: Translate;
  readonly format: Format;
  readonly campaigns: ReadonlyMap<string, string>;
  /** Cards have no headings. */
  readonly cards?: boolean;
}

export interface Column {
  readonly id: ColumnId;
  readonly label: string;
  readonly text: (call: CallItem) => string;
  /** Tooltip. */
  readonly title?: (call: CallItem) => string | undefined;
  /** Colour of the dot; undefined: none. */
  readonly tone?: (call: CallItem) => CallItem["status"] | undefined;
  readonly look?: "number" | "code";
  /** Minimum width in pixels and share of the remaining space. */
  readonly width: readonly [min: number, share: number];
}

/** Chosen columns that exist, in order. */
export const toColumns = (ids: readonly ColumnId[], view: ColumnView): Column[] =>
  [...new Set(ids)].flatMap((id) => {
    const key = metadataKey(id);
    if (key !== undefined) return [metadataCells(id, key)];
    const make = plain[id as PlainColumn];
    return make ? [{ ...make(view), id, label: view.t(labels[id as PlainColumn]) }] : [];
  });

export const labelOf = (id: ColumnId, t: Translate): string =>
  metadataKey(id) ?? t(labels[id as PlainColumn] ?? "columnId");

const labels: Readonly<Record<PlainColumn, TextKey>> = {
  time: "columnTime",
  agent: "columnAgent",
  campaign: "columnCampaign",
  duration: "columnDuration",
  status: "columnStatus",
  review: "columnReview",
  format: "columnFormat",
  size: "columnSize",
  imported: "columnImported",
  id: "columnId",
};

const unknown = "–";

const plain: Readonly<Record<PlainColumn, (view: ColumnView) => Omit<Column, "id" | "label">>> = {
  time: ({ format }) => ({
    text: (call) => format.dateTime(call.conversation_time),
    title: (call) => format.exact(call.conversation_time),
    width: [200, 1],
  }),
  agent: () => ({ text: ({ agent }) => agent.name, title: ({ agent }) => agent.email, width: [140, 2] }),
  campaign: ({ campaigns }) => ({
    text: (call) => campaigns.get(call.campaign_id) ?? call.campaign_id,
    width: [130, 2],
  }),
  duration: ({ format }) => ({
    text: ({ recording }) => (recording.duration_ms === null ? unknown : format.duration(recording.duration_ms)),
    look: "number",
    width: [88, 0.5],
  }),
  status: ({ t }) => ({
    text: (call) => statusText(call, t),
    title: (call) => {
      if (!call.failure) return undefined;
      return failures[call.failure.code] ? statusText(call, t) : call.failure.detail;
    },
    tone: ({ status }) => status,
    width: [150, 2],
  }),
  review: ({ t, format, cards = false }) => ({
    text: ({ review }) => (review ? reviewText(review, { t, format }) : cards ? "" : unknown),
    tone: ({ review }) => review?.outcome && outcomeTones[review.outcome],
    width: [130, 1],
  }),
  format: () => ({ text: ({ recording }) => recording.format.toUpperCase(), width: [80, 0.5] }),
  size: ({ format }) => ({ text: ({ recording }) => format.bytes(recording.bytes), look: "number", width: [92, 0.5] }),
  imported: ({ format }) => ({
    text: (call) => format.dateTime(call.created_at),
    title: (call) => format.exact(call.created_at),
    width: [200, 1],
  }),
  id: () => ({ text: ({ id }) => id, title: ({ id }) => id, look: "code", width: [130, 1] }),
};

const outcomeTones = { passed: "ready", failed: "failed", not_scored: "received" } as const;

function reviewText(
  { score, outcome }: NonNullable<CallItem["review"]>,
  { t, format }: Pick<ColumnView, "t" | "format">,
) {
  if (score === null) return t("reviewNotScored");
  return `${format.number(score / 100)} · ${t(outcome === "failed" ? "reviewFailed" : "reviewPassed")}`;
}

const metadataCells = (id: ColumnId, key: string): Column => ({
  id,
  label: key,
  width: [130, 1.5],
  // Keys can repeat.
  text: ({ metadata }) =>
    metadata
      .filter((entry) => entry.key === key)
      .map(({ value }) => value)
      .join(", ") || unknown,
});

const failures: Readonly<Record<string, TextKey>> = {
  recording_undecodable: "failedUndecodable",
  recording_too_long: "failedTooLong",
  recording_too_costly: "failedTooCostly",
  recording_missing: "failedMissing",
  recording_corrupt: "failedCorrupt",
  preparation_abandoned: "failedAbandoned",
};

function statusText({ status, failure }: CallItem, t: Translate): string {
  if (status === "ready") return t("statusReady");
  if (status === "received") return t("statusReceived");
  const reason = failure && failures[failure.code];
  return reason ? t(reason) : t("statusFailed");
}
