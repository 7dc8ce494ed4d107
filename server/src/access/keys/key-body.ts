import type { KeyBody } from "@hearback/contract";
import type { Selectable } from "kysely";
import type { ApiKey } from "../../platform/database/tables.ts";

/** A key without its hash. */
export type Key = Omit<Selectable<ApiKey>, "hash">;

export const keyColumns = [
  ...(["workspaceId", "id", "name", "scopes", "campaignIds"] as const),
  ...(["createdAt", "expiresAt", "revokedAt", "lastUsedAt", "replacedBy", "createdBy"] as const),
] as const;

export function toKeyBody(key: Key): KeyBody {
  return {
    id: key.id,
    name: key.name,
    scopes: key.scopes as KeyBody["scopes"],
    campaign_ids: key.campaignIds,
    created_at: key.createdAt.toISOString(),
    created_by: key.createdBy,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    replaced_by: key.replacedBy,
  };
}

export const isRevokedOrExpired = ({ revokedAt, expiresAt }: Key) =>
  revokedAt !== null || (expiresAt !== null && expiresAt.getTime() <= Date.now());
