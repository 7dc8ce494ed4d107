import type { CallDetailBody, CallItem } from "@hearback/sdk";

/** A call as it stands in a list and, once the rest has come, with what is known of its sound. */
export type KnownCall = CallItem & Partial<Pick<CallDetailBody, "audio" | "steps">>;

/** Whether the recording as it came can still be had. */
export const isKept = ({ failure }: Pick<KnownCall, "failure">): boolean => failure?.code !== "recording_missing";
