import { type Client, type LimitsBody, ServiceError } from "@hearback/sdk";
import { inBytes, inDigits, inTime } from "../terminal/units.ts";
import { howToMakeAKey } from "./api-key.ts";
import type { Check } from "./check.ts";
import { type KeyPowers, probeKey, tellCampaigns, tellScopes } from "./probe-key.ts";

const patienceMs = 10_000;
const clockToleranceMs = 60_000;

/** Whether what is at the address is the service, ready, and of one mind about the time. */
export async function* checkReadiness(url: string, signal: AbortSignal): AsyncGenerator<Check, void, undefined> {
  const name = "service";
  let answer: Response;
  try {
    answer = await fetch(`${url}/readyz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) });
  } catch (error) {
    signal.throwIfAborted();
    const reason =
      error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error);
    yield {
      name,
      state: "bad",
      detail: `${url}/readyz does not answer: ${reason}`,
      fix: "Look at the log of the service.",
    };
    return;
  }
  const body = (await answer.json().catch(() => undefined)) as { status?: unknown; reason?: unknown } | undefined;
  yield readiness(name, answer.status, body);
  const date = Date.parse(answer.headers.get("date") ?? "");
  if (!Number.isNaN(date)) yield clock(date, Date.now());
}

function readiness(name: string, status: number, body: { status?: unknown; reason?: unknown } | undefined): Check {
  if (status === 200 && body?.status === "ready") return { name, state: "good", detail: "it is ready" };
  if (status === 503 && typeof body?.status === "string") {
    const why = typeof body.reason === "string" ? ` (${body.reason})` : "";
    return {
      name,
      state: "bad",
      detail: `it is not ready: ${body.status}${why}`,
      fix: "Wait a moment, then look at the log of the service.",
    };
  }
  const fix = "Is the address right, with its path? A proxy in between must pass /readyz on.";
  return { name, state: "bad", detail: `what answers does not look like Hearback (status ${status})`, fix };
}

function clock(theirs: number, ours: number): Check {
  // The header has whole seconds.
  const offMs = Math.max(0, Math.abs(theirs - ours) - 1000);
  const detail =
    offMs < 1000
      ? "this clock and the service's agree"
      : `this clock is ${inTime(offMs)} ${theirs > ours ? "behind" : "ahead of"} the service's`;
  if (offMs <= clockToleranceMs) return { name: "clock", state: "good", detail };
  const fix = "Set it (NTP): times of conversations that this machine writes may be wrong, too.";
  return { name: "clock", state: "warning", detail, fix };
}

/** Whether the key is taken, and what it is good for. */
export async function* checkKey(
  client: Client,
  campaign: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Check, void, undefined> {
  let powers: KeyPowers;
  try {
    powers = await probeKey(client, signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const refused = error.status === 401;
    const detail = refused ? "it is refused: unknown, expired or revoked" : error.message;
    yield { name: "key", state: "bad", detail, fix: refused ? howToMakeAKey : "Run it again in a while." };
    return;
  }
  const mayImport = powers.scopes.includes("import");
  const fix = mayImport ? undefined : "To import calls, log in with a key that has the scope import.";
  yield { name: "key", state: mayImport ? "good" : "warning", detail: `it ${tellScopes(powers)}`, fix };
  const some = powers.campaigns.length > 0;
  yield { name: "campaigns", state: some ? "good" : "warning", detail: tellCampaigns(powers) };
  yield limits(powers.limits);
  if (campaign !== undefined) yield await checkCampaign(client, campaign, signal);
}

function limits({ key, workspace, interface: sizes }: LimitsBody): Check {
  const known = [
    rate(workspace.imports_per_second.limit, "imports a second"),
    rate(key.uploads_at_once.limit, "uploads at once"),
    rate(workspace.calls_per_day.limit, "calls a day"),
    `recordings of up to ${inBytes(sizes.recording_bytes)}`,
  ];
  const detail = known.filter((part) => part !== undefined).join(", ");
  const full = [workspace.calls_per_day, workspace.stored_bytes].find(
    ({ limit, used }) => limit !== null && used !== null && used >= limit * 0.9,
  );
  if (!full) return { name: "limits", state: "good", detail };
  const fix = "Ask whoever runs the service to raise it: hearback-server workspace limits";
  return { name: "limits", state: "warning", detail: `${detail}; a quota is nearly used up`, fix };
}

const rate = (limit: number | null, what: string) => (limit === null ? undefined : `${inDigits(limit)} ${what}`);

async function checkCampaign(client: Client, id: string, signal: AbortSignal): Promise<Check> {
  const name = "campaign";
  try {
    const { archived_at } = await client.campaigns.find(id, { signal });
    if (archived_at === null) return { name, state: "good", detail: `"${id}" is there` };
    return {
      name,
      state: "bad",
      detail: `"${id}" is archived and takes no calls`,
      fix: "Bring it back, or import into another.",
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const fix =
      error.status === 404 ? "Ids are case-sensitive. hearback login lists the first campaigns of a key." : undefined;
    return { name, state: "bad", detail: error.message, fix };
  }
}
