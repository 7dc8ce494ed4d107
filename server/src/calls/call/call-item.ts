import type { CallItem } from "@hearback/contract";
import { toCallBody } from "./call-body.ts";
import { agentChannelOf } from "./call-detail.ts";
import type { ListedCall } from "./find-calls.ts";
import type { Warning } from "./measured-audio.ts";

export function toCallItem(call: ListedCall): CallItem {
  const { duplicate: _, ...body } = toCallBody(call, { duplicate: false, warnings: call.warnings as Warning[] });
  return { ...body, agent_channel: agentChannelOf(call) };
}
