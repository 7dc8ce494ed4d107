import { createHash, randomInt, randomUUID } from "node:crypto";
import { type Call, callParts, type PartChanges, postCall, type Service } from "../../support/http/service.ts";
import { makeWav } from "../../support/recordings/sounds.ts";

/** A call that a client imported, and can send again. */
export interface SentCall {
  readonly id: string;
  readonly agentId: string;
  readonly sha256: string;
  readonly phone: string;
  /** Words that find its data in a dump or in the store. */
  readonly words: readonly string[];
  /** Sends the same import again. */
  again(): Promise<Call>;
}

async function send(service: Service, parts: PartChanges): Promise<Call> {
  const { status, body, text } = await postCall(service, callParts(service, parts));
  if (status !== 200) throw new Error(`the call was not imported: ${status} ${text}`);
  return body;
}

/** Imports a unique call of an agent. */
export async function sendCall(service: Service, agentEmail: string): Promise<SentCall> {
  const mark = `MARK${randomUUID().replaceAll("-", "")}`;
  const file = makeWav();
  file.write(mark, 2000, "latin1");
  const phone = `+33${randomInt(1e8, 1e9)}${randomInt(1e4)}`;
  const parts = {
    file,
    agent_email: agentEmail,
    conversation_timestamp: String(randomInt(1_714_500_000, 1_714_600_000)),
    metadata: JSON.stringify([{ key: "client_phone", value: phone }]),
  };
  const sha256 = createHash("sha256").update(file).digest("hex");
  const { id, agent } = await send(service, parts);
  return { id, agentId: agent.id, sha256, phone, words: [phone, sha256, mark], again: () => send(service, parts) };
}

/** Imports calls with several clients at a time. */
export const sendCalls = (service: Service, count: number, agentEmail: string): Promise<SentCall[]> =>
  Promise.all(Array.from({ length: count }, () => sendCall(service, agentEmail)));
