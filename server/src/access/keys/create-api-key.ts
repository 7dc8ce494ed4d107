import { randomUUID } from "node:crypto";
import type { Scope } from "@hearback/contract";
import { recordAuditEntry } from "../../audit/record-audit-entry.ts";
import { missingCampaigns } from "../../campaigns/find-campaign.ts";
import { copyKeyLimits } from "../../limits/copy-key-limits.ts";
import type { Actor, WorkspaceActor } from "../../platform/actor.ts";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/database/database.ts";
import { inWorkspace } from "../../platform/database/in-workspace.ts";
import { type AppError, fieldInvalid } from "../../platform/errors.ts";
import { hashApiKey, newApiKey } from "./api-key.ts";
import { type Key, keyColumns } from "./key-body.ts";
import { type FromRequest, requireKeyWithinCaller } from "./require-key-within-caller.ts";

interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Campaigns the key is restricted to; null: all. */
  readonly campaignIds?: readonly string[] | null | undefined;
  readonly expiresAt?: Date | null | undefined;
}

/** A key including its secret, which is returned only once. */
export type CreatedKey = Key & { readonly key: string };

/** Creates a key. Only its hash is stored, so this is the only time the secret is returned. */
export async function createApiKey(
  app: App,
  { workspaceId, actor }: WorkspaceActor,
  { caller, ...input }: NewKey & FromRequest,
): Promise<CreatedKey> {
  return inWorkspace(app, workspaceId, async (tx) => {
    await requireKeyWithinCaller(app, tx, caller, input);
    const missing = await missingCampaigns(tx, workspaceId, input.campaignIds ?? []);
    if (missing.length > 0) throw campaignsNotFound(missing);
    const created = await insertKey(tx, workspaceId, { ...input, key: newApiKey(app.config.cell), actor });
    const { id, scopes, campaignIds } = created;
    if (caller?.kind === "key") await copyKeyLimits(tx, workspaceId, caller.keyId, id);
    const data = { scopes, campaign_ids: campaignIds };
    await recordAuditEntry(tx, workspaceId, { actor, action: "key.created", subject: { type: "key", id }, data });
    return created;
  });
}

interface InsertedKey extends NewKey {
  readonly key: string;
  /** A user who creates or rotates a key, themselves or with a key of theirs, becomes its creator. */
  readonly actor: Actor;
}

/** The user who acts, or who created the key that acts. */
async function findCreator(tx: Db, workspaceId: string, { type, id }: Actor): Promise<string | null> {
  if (type !== "key" || id === null) return type === "user" ? id : null;
  const acting = await tx
    .selectFrom("apiKey")
    .select("createdBy")
    .where("workspaceId", "=", workspaceId)
    .where("id", "=", id)
    .executeTakeFirst();
  return acting?.createdBy ?? null;
}

export async function insertKey(tx: Db, workspaceId: string, input: InsertedKey) {
  const { key, name, scopes, campaignIds = null, expiresAt = null, actor } = input;
  const created = await tx
    .insertInto("apiKey")
    .values({
      workspaceId,
      id: randomUUID(),
      name,
      scopes: [...scopes],
      campaignIds: campaignIds && [...campaignIds],
      hash: hashApiKey(key),
      expiresAt,
      createdBy: await findCreator(tx, workspaceId, actor),
    })
    .returning(keyColumns)
    .executeTakeFirstOrThrow();
  return { ...created, key };
}

function campaignsNotFound(missing: readonly string[]): AppError {
  const list = missing.map((id) => `"${id}"`).join(", ");
  const detail = `campaign_ids contains campaigns that do not exist in this workspace: ${list}. List campaigns with GET /campaigns.`;
  return fieldInvalid("campaign_ids", "campaign_not_found", detail);
}
