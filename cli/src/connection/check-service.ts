import { type Client, type LimitsBody, ServiceError } from "@hearback/sdk";
import { formatDuration, formatLimit, formatNumber } from "../terminal/units.ts";
import { createKeyHint } from "./api-key.ts";
import type { Check } from "./check.ts";
import { describeCampaigns, describeScopes, type KeyPermissions, probeKey } from "./probe-key.ts";

const timeoutMs = 10_000;
const clockToleranceMs = 60_000;

/** Checks that the service answers, is ready, and that both clocks agree. */
export async function* checkReadiness(url: string, signal: AbortSignal): AsyncGenerator<Check, void, undefined> {
  const name = "service";
  let answer: Response;
  try {
    answer = await fetch(`${url}/readyz`, { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) });
  } catch (error) {
    signal.throwIfAborted();
    const reason =
      error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error);
    yield {
      name,
      state: "bad",
      detail: `no response from ${url}/readyz: ${reason}`,
      fix: "Check the service's log.",
    };
    return;
  }
  const body = (await answer.json().catch(() => undefined)) as { status?: unknown; reason?: unknown } | undefined;
  yield readiness(name, answer.status, body);
  const date = Date.parse(answer.headers.get("date") ?? "");
  if (!Number.isNaN(date)) yield clock(date, Date.now());
}

function readiness(name: string, status: number, body: { status?: unknown; reason?: unknown } | undefined): Check {
  if (status === 200 && body?.status === "ready") return { name, state: "good", detail: "ready" };
  if (status === 503 && typeof body?.status === "string") {
    const why = typeof body.reason === "string" ? ` (${body.reason})` : "";
    return {
      name,
      state: "bad",
      detail: `not ready: ${body.status}${why}`,
      fix: "Wait a moment, then check the service's log.",
    };
  }
  const fix = "Check the URL and its path. A proxy in front of the service must forward /readyz.";
  return { name, state: "bad", detail: `the response does not look like Hearback (status ${status})`, fix };
}

function clock(theirs: number, ours: number): Check {
  // The Date header has a resolution of 1 s.
  const offMs = Math.max(0, Math.abs(theirs - ours) - 1000);
  const detail =
    offMs < 1000
      ? "in sync with the service"
      : `${formatDuration(offMs)} ${theirs > ours ? "behind" : "ahead of"} the service`;
  if (offMs <= clockToleranceMs) return { name: "clock", state: "good", detail };
  const fix = "Synchronise this machine's clock (NTP). Conversation times that it records may be wrong.";
  return { name: "clock", state: "warning", detail, fix };
}

/** Checks that the service accepts the API key, and what the key can do. */
export async function* checkKey(
  client: Client,
  campaign: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<Check, void, undefined> {
  let permissions: KeyPermissions;
  try {
    permissions = await probeKey(client, signal);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const refused = error.status === 401;
    const detail = refused ? "rejected: unknown, expired or revoked" : error.message;
    yield { name: "key", state: "bad", detail, fix: refused ? createKeyHint : "Try again later." };
    return;
  }
  const mayImport = permissions.scopes.includes("import");
  const fix = mayImport ? undefined : "To import calls, log in with an API key that has the import scope.";
  yield { name: "key", state: mayImport ? "good" : "warning", detail: describeScopes(permissions), fix };
  const some = permissions.campaigns.length > 0;
  yield { name: "campaigns", state: some ? "good" : "warning", detail: describeCampaigns(permissions) };
  yield limits(permissions.limits);
  if (campaign !== undefined) yield await checkCampaign(client, campaign, signal);
}

function limits({ key, workspace, interface: sizes }: LimitsBody): Check {
  const known = [
    rate(workspace.imports_per_second.limit, "imports per second"),
    rate(key.uploads_at_once.limit, "concurrent uploads"),
    rate(workspace.calls_per_day.limit, "calls per day"),
    `recordings up to ${formatLimit(sizes.recording_bytes)}`,
  ];
  const detail = known.filter((part) => part !== undefined).join(", ");
  const full = [workspace.calls_per_day, workspace.stored_bytes].find(
    ({ limit, used }) => limit !== null && used !== null && used >= limit * 0.9,
  );
  if (!full) return { name: "limits", state: "good", detail };
  const fix = "Ask the server operator to raise it with hearback-server workspace limits.";
  return { name: "limits", state: "warning", detail: `${detail}; a quota is almost used up`, fix };
}

const rate = (limit: number | null, what: string) => (limit === null ? undefined : `${formatNumber(limit)} ${what}`);

async function checkCampaign(client: Client, id: string, signal: AbortSignal): Promise<Check> {
  const name = "campaign";
  try {
    const { archived_at } = await client.campaigns.find(id, { signal });
    if (archived_at === null) return { name, state: "good", detail: `"${id}" accepts calls` };
    return {
      name,
      state: "bad",
      detail: `"${id}" is archived and does not accept calls`,
      fix: "Reactivate it, or import into another campaign.",
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const fix =
      error.status === 404 ? "Campaign ids are case-sensitive. See the campaigns check for the first ids." : undefined;
    return { name, state: "bad", detail: error.message, fix };
  }
}
