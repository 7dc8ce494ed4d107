import { randomUUID } from "node:crypto";
import type { Scope } from "@hearback/contract";
import { record } from "../audit/record.ts";
import { missingCampaigns } from "../campaigns/find-campaign.ts";
import type { Acting } from "../platform/actor.ts";
import type { App } from "../platform/app.ts";
import type { Db } from "../platform/database/database.ts";
import { inWorkspace } from "../platform/database/in-workspace.ts";
import { AppError } from "../platform/errors.ts";
import { hashApiKey, newApiKey } from "./api-key.ts";
import { type Key, keyColumns } from "./key-body.ts";

interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** The campaigns it is restricted to; null: all of them. */
  readonly campaignIds?: readonly string[] | null | undefined;
  readonly expiresAt?: Date | null | undefined;
}

/** A key with the key itself: given once, to who made it. */
export type MadeKey = Key & { readonly key: string };

/** Makes a key and gives it, this once: only its hash is kept. */
export async function createApiKey(app: App, { workspaceId, actor }: Acting, input: NewKey): Promise<MadeKey> {
  return inWorkspace(app, workspaceId, async (tx) => {
    const missing = await missingCampaigns(tx, workspaceId, input.campaignIds ?? []);
    if (missing.length > 0) throw noSuchCampaigns(missing);
    const made = await insertKey(tx, workspaceId, { ...input, key: newApiKey(app.config.cell) });
    const { id, scopes, campaignIds } = made;
    const data = { scopes, campaign_ids: campaignIds };
    await record(tx, workspaceId, { actor, action: "key.created", subject: { type: "key", id }, data });
    return made;
  });
}

export async function insertKey(tx: Db, workspaceId: string, input: NewKey & { readonly key: string }) {
  const { key, name, scopes, campaignIds = null, expiresAt = null } = input;
  const made = await tx
    .insertInto("apiKey")
    .values({
      workspaceId,
      id: randomUUID(),
      name,
      scopes: [...scopes],
      campaignIds: campaignIds && [...campaignIds],
      hash: hashApiKey(key),
      expiresAt,
    })
    .returning(keyColumns)
    .executeTakeFirstOrThrow();
  return { ...made, key };
}

function noSuchCampaigns(missing: readonly string[]): AppError {
  const named = missing.map((id) => `"${id}"`).join(", ");
  const detail = `campaign_ids names campaigns that are not in this workspace: ${named}. GET /campaigns shows those that are.`;
  return new AppError("fields_invalid", detail, {
    issues: [{ part: "campaign_ids", code: "campaign_not_found", detail }],
  });
}
