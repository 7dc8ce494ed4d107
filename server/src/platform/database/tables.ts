// Written by "npm run db:types" from the migrations. Do not edit.
import type { ColumnType, Generated } from "kysely";

type Json = ColumnType<unknown, string, string>;

export interface ApiKey {
  workspaceId: string;
  id: string;
  name: string;
  hash: Buffer;
  scopes: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Generated<Date>;
}

export interface AppUser {
  workspaceId: string;
  id: string;
  email: string;
  emailKey: string;
  name: string;
  role: string;
  status: string;
  invitation: string;
  invitationSentAt: Date | null;
  createdAt: Generated<Date>;
}

export interface Call {
  workspaceId: string;
  id: string;
  campaignId: string;
  agentId: string;
  happenedAt: Date;
  status: Generated<string>;
  failureCode: string | null;
  failureDetail: string | null;
  metadata: Json;
  recordingKey: string;
  recordingBytes: number;
  sha256: Buffer;
  format: string;
  codec: string | null;
  channels: number | null;
  sampleRate: number | null;
  durationMs: number | null;
  createdAt: Generated<Date>;
}

export interface CallMetadata {
  workspaceId: string;
  key: string;
  value: string;
  callId: string;
}

export interface Campaign {
  workspaceId: string;
  id: string;
  name: string;
  archivedAt: Date | null;
  createdAt: Generated<Date>;
}

export interface OutgoingJob {
  id: Generated<number>;
  name: string;
  payload: Json;
}

export interface StagedObject {
  key: string;
  condemnedAt: Date | null;
  createdAt: Generated<Date>;
}

export interface Workspace {
  id: string;
  name: string;
  createdAt: Generated<Date>;
}

export interface DB {
  apiKey: ApiKey;
  appUser: AppUser;
  call: Call;
  callMetadata: CallMetadata;
  campaign: Campaign;
  outgoingJob: OutgoingJob;
  stagedObject: StagedObject;
  workspace: Workspace;
}
