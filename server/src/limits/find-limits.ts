import type { Limits } from "../platform/config.ts";
import type { Db } from "../platform/database/database.ts";
import { findUsage, type Usage } from "./usage.ts";

interface Whose {
  readonly workspaceId: string;
  readonly keyId: string | null;
}

export interface FoundLimits {
  readonly limits: Limits;
  /** Absent: never counted. */
  readonly usage: Usage | undefined;
}

/** What was set for one workspace or key (0: none), or else what the installation says. */
const inForce = (own: number | null | undefined, otherwise: number | null) => (own === 0 ? null : (own ?? otherwise));

/** The limits of a workspace and of one of its keys, and what the workspace has used. */
export async function findLimits(tx: Db, defaults: Limits, { workspaceId, keyId }: Whose): Promise<FoundLimits> {
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
      key: {
        requestsPerSecond: inForce(ofKey?.requestsPerSecond, key.requestsPerSecond),
        uploadsAtOnce: inForce(ofKey?.uploadsAtOnce, key.uploadsAtOnce),
      },
      workspace: {
        requestsPerSecond: inForce(ofWorkspace?.requestsPerSecond, workspace.requestsPerSecond),
        importsPerSecond: inForce(ofWorkspace?.importsPerSecond, workspace.importsPerSecond),
        uploadsAtOnce: inForce(ofWorkspace?.uploadsAtOnce, workspace.uploadsAtOnce),
        callsPerDay: inForce(ofWorkspace?.callsPerDay, workspace.callsPerDay),
        storedBytes: inForce(ofWorkspace?.storedBytes, workspace.storedBytes),
      },
    },
    usage: await findUsage(tx, workspaceId),
  };
}
