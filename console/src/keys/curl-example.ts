import type { Scope } from "@hearback/sdk";

export interface CurlExampleOptions {
  readonly origin: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
  readonly campaignId: string;
  /** Existing agent. undefined: the example creates one first. */
  readonly agentEmail: string | undefined;
}

const exampleAgent = { email: "ann@example.com", name: "Ann Lee", role: "agent", send_invite_email: false };

/** Shell commands that try out a key: an import if allowed, otherwise a read. */
export function curlExample({ origin, key, scopes, campaignId, agentEmail }: CurlExampleOptions): string {
  const header = `-H ${quoted(`x-api-key: ${key}`)}`;
  if (!scopes.includes("import")) return `curl ${origin}/${scopes.includes("read") ? "calls" : "workspace"} ${header}`;
  const makeAgent = `curl ${origin}/users/invite ${header} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(exampleAgent))}`;
  const parts = [
    ...[`campaign_id=${campaignId}`, `agent_email=${agentEmail ?? exampleAgent.email}`].map(quoted),
    "conversation_timestamp=$(date +%s)",
    "file=@recording.wav",
  ];
  const importCall = `curl ${origin}/calls/audio ${header} ${parts.map((part) => `-F ${part}`).join(" ")}`;
  return agentEmail ? importCall : `${makeAgent}\n${importCall}`;
}

/** Quotes a word for the shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
