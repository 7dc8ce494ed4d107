import type { Limits } from "../platform/config.ts";
import type { Db } from "../platform/database/database.ts";
import { findUsage, type Usage } from "../workspaces/usage.ts";

interface LimitOwner {
  readonly workspaceId: string;
  readonly keyId: string | null;
}

export interface FoundLimits {
  readonly limits: Limits;
  /** Undefined: not counted yet. */
  readonly usage: Usage | undefined;
}

/** The limit set for the workspace or key (0: unlimited), or else the installation's default. */
const effective = (specific: number | null | undefined, fallback: number | null) =>
  specific === 0 ? null : (specific ?? fallback);

/** Finds the effective limits of a workspace and one of its keys, and the workspace's usage. */
export async function findLimits(tx: Db, defaults: Limits, { workspaceId, keyId }: LimitOwner): Promise<FoundLimits> {
  const ofWorkspace = await tx
    .selectFrom("workspaceLimit")
    .selectAll()
    .where("workspaceId", "=", workspaceId)
    .executeTakeFirst();
  const ofKey =
    keyId === null
      ? undefined
      : await tx
          .selectFrom("apiKeyLimit")
          .selectAll()
          .where("workspaceId", "=", workspaceId)
          .where("keyId", "=", keyId)
          .executeTakeFirst();
  const { key, workspace } = defaults;
  return {
    limits: {
      address: defaults.address,
      key: {
        requestsPerSecond: effective(ofKey?.requestsPerSecond, key.requestsPerSecond),
        uploadsAtOnce: effective(ofKey?.uploadsAtOnce, key.uploadsAtOnce),
        downloadsAtOnce: key.downloadsAtOnce,
      },
      workspace: {
        requestsPerSecond: effective(ofWorkspace?.requestsPerSecond, workspace.requestsPerSecond),
        importsPerSecond: effective(ofWorkspace?.importsPerSecond, workspace.importsPerSecond),
        uploadsAtOnce: effective(ofWorkspace?.uploadsAtOnce, workspace.uploadsAtOnce),
        downloadsAtOnce: workspace.downloadsAtOnce,
        callsPerDay: effective(ofWorkspace?.callsPerDay, workspace.callsPerDay),
        storedBytes: effective(ofWorkspace?.storedBytes, workspace.storedBytes),
        invitationMailsPerDay: effective(ofWorkspace?.invitationMailsPerDay, workspace.invitationMailsPerDay),
        newMonthsPerDay: workspace.newMonthsPerDay,
      },
    },
    usage: await findUsage(tx, workspaceId),
  };
}
