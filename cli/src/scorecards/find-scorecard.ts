import type { Client, ScorecardBody, ScorecardDetailBody } from "@hearback/sdk";
import { CommandError } from "../terminal/command-error.ts";
import { exitCodes } from "../terminal/exit-codes.ts";

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Finds a scorecard by its id or its exact name. */
export async function findScorecard(
  client: Client,
  idOrName: string,
  signal: AbortSignal,
): Promise<ScorecardDetailBody> {
  if (uuidForm.test(idOrName)) return client.scorecards.find(idOrName, { signal });
  const { id } = await requireByName(client, idOrName, signal);
  return client.scorecards.find(id, { signal });
}

async function requireByName(client: Client, name: string, signal: AbortSignal): Promise<ScorecardBody> {
  const found = (await findByName(client, name, signal)) ?? (await findByName(client, name, signal, true));
  if (found) return found;
  throw new CommandError(`There is no scorecard with the name "${name}".`, {
    exitCode: exitCodes.someFailed,
    code: "scorecard_not_found",
    fix: "To list the names and ids, run: hearback scorecards list",
  });
}

/** The only scorecard with this name; undefined if there is none. Throws if there are several. */
export async function findByName(
  client: Client,
  name: string,
  signal: AbortSignal,
  retired = false,
): Promise<ScorecardBody | undefined> {
  const found: ScorecardBody[] = [];
  for await (const scorecard of client.scorecards.list({ retired, signal }))
    if (scorecard.name === name) found.push(scorecard);
  if (found.length <= 1) return found[0];
  throw new CommandError(
    [`${found.length} scorecards have the name "${name}".`, ...found.map(({ id }) => id)].join("\n"),
    { exitCode: exitCodes.someFailed, code: "scorecard_ambiguous", fix: "Use the id instead of the name." },
  );
}

/** A published version: the given one, or the latest. */
export async function findVersion(
  client: Client,
  { id, name, latest_version }: ScorecardBody,
  version: number | undefined,
  signal: AbortSignal,
) {
  const wanted = version ?? latest_version;
  if (wanted !== null) return client.scorecards.version(id, wanted, { signal });
  throw new CommandError(`"${name}" has no published version.`, {
    exitCode: exitCodes.someFailed,
    code: "scorecard_unpublished",
    fix: "Publish it first, or compare with a file.",
  });
}
