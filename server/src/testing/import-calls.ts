import type { CallBody, Metadata } from "@hearback/contract";
import { aForm } from "./forms.ts";
import { aRecording } from "./sounds.ts";
import type { TestApp } from "./test-app.ts";

export interface CallOptions {
  readonly agentEmail?: string;
  readonly campaignId?: string;
  readonly metadata?: Metadata;
  readonly at?: Date;
  /** The same seed and time give the same call. */
  readonly seed?: number;
  readonly file?: Buffer;
}

/** Returns a function that imports calls over the API. Each call is different unless the options say otherwise. */
export async function callImporter(service: TestApp) {
  const key = await service.key("import");
  let seed = 1000;
  return async (options: CallOptions = {}): Promise<CallBody> => {
    const at = options.at ?? new Date("2026-05-01T10:00:00Z");
    const form = aForm(
      ["campaign_id", options.campaignId ?? service.campaignId],
      ["conversation_timestamp", String(Math.floor(at.getTime() / 1000))],
      ["agent_email", options.agentEmail ?? service.agentEmail],
      ["metadata", JSON.stringify(options.metadata ?? [])],
      ["file", options.file ?? aRecording({ seconds: 0.1, seed: options.seed ?? seed++ })],
    );
    const headers = { ...form.headers, "x-api-key": key };
    const answer = await service.api.inject({ method: "POST", url: "/calls/audio", headers, payload: form.payload });
    if (answer.statusCode !== 200) throw new Error(`import failed: ${answer.statusCode} ${answer.body}`);
    return answer.json();
  };
}
