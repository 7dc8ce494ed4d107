import type { Scope } from "@hearback/sdk";

export interface TryWith {
  readonly origin: string;
  readonly key: string;
  readonly scopes: readonly Scope[];
  readonly campaignId: string;
  /** Somebody who is there already; undefined: the lines make Ann first. */
  readonly agentEmail: string | undefined;
}

const exampleAgent = { email: "ann@example.com", name: "Ann Lee", role: "agent", send_invite_email: false };

/** What to type into a shell to see that a key works: an import if it may, otherwise a look. */
export function tryLines({ origin, key, scopes, campaignId, agentEmail }: TryWith): string {
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

/** One word for the shell, whatever is in it. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
