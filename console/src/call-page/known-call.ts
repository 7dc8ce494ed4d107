import type { CallDetailBody, CallItem } from "@hearback/sdk";

/** Call from a list, with audio details once they are loaded. */
export type KnownCall = Omit<CallItem, "review"> & Partial<Pick<CallDetailBody, "audio" | "steps" | "transcript">>;

/** Whether the original recording is available. */
export const hasOriginal = ({ failure }: Pick<KnownCall, "failure">): boolean =>
  failure?.code !== "recording_missing" && failure?.code !== "recording_corrupt";
