// Written by "npm run db:types" from the migrations. Do not edit.
import type { ColumnType, Generated } from "kysely";

type Json = ColumnType<unknown, string, string>;
type DefaultedJson = ColumnType<unknown, string | undefined, string>;

export interface AccessLink {
  workspaceId: string;
  id: string;
  userId: string;
  kind: string;
  handedOver: boolean;
  hash: Buffer;
  createdAt: Generated<Date>;
  expiresAt: Date;
  endedAt: Date | null;
}

export interface AgentScoreSum {
  workspaceId: string;
  agentId: string;
  day: Date;
  scorecardId: string;
  version: number;
  teamId: string;
  campaignId: string;
  selection: string;
  scored: Generated<number>;
  unscored: Generated<number>;
  passed: Generated<number>;
  failed: Generated<number>;
  failedCall: Generated<number>;
  scoreTotal: Generated<number>;
  scoreSquares: Generated<number>;
  disputes: Generated<number>;
  disputesChanged: Generated<number>;
  releaseSeconds: Generated<number>;
  acknowledged: Generated<number>;
  acknowledgementSeconds: Generated<number>;
}

export interface ApiKey {
  workspaceId: string;
  id: string;
  name: string;
  hash: Buffer;
  scopes: string[];
  expiresAt: Date | null;
  revokedAt: Date | null;
  createdAt: Generated<Date>;
  campaignIds: string[] | null;
  lastUsedAt: Date | null;
  replacedBy: string | null;
  createdBy: string | null;
}

export interface ApiKeyLimit {
  workspaceId: string;
  keyId: string;
  requestsPerSecond: number | null;
  uploadsAtOnce: number | null;
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
  deactivatedAt: Date | null;
  formerAgent: Generated<boolean>;
  teamId: string | null;
  reviewEmail: Generated<boolean>;
  listensToOriginals: Generated<boolean>;
}

export interface Assignment {
  workspaceId: string;
  id: string;
  planId: string;
  drawId: string;
  scorecardId: string;
  callId: string;
  agentId: string;
  kind: string;
  ticket: Buffer;
  place: number;
  month: Date;
  state: string;
  reviewerId: string | null;
  dueAt: Date;
  reviewId: string | null;
  doneAt: Date | null;
  skipReason: string | null;
  skipNote: string | null;
  skippedBy: string | null;
  toReplace: Generated<boolean>;
  declinedBy: Generated<string[]>;
}

export interface AuditEntry {
  workspaceId: string;
  number: number;
  at: Date;
  actorType: string;
  actorId: string | null;
  action: string;
  subjectType: string;
  subjectId: string;
  data: DefaultedJson;
  hash: Buffer;
}

export interface AuditHead {
  workspaceId: string;
  number: number;
  hash: Buffer;
}

export interface Calibration {
  workspaceId: string;
  id: string;
  name: string;
  scorecardId: string;
  version: number;
  state: Generated<string>;
  dueAt: Date | null;
  expertId: string | null;
  createdByType: string;
  createdById: string;
  createdAt: Generated<Date>;
  closedAt: Date | null;
}

export interface CalibrationCall {
  workspaceId: string;
  calibrationId: string;
  callId: string;
  position: number;
  erasedAt: Date | null;
}

export interface CalibrationDecision {
  workspaceId: string;
  calibrationId: string;
  questionId: string;
  text: string;
  decidedByType: string;
  decidedById: string;
  decidedAt: Generated<Date>;
}

export interface CalibrationParticipant {
  workspaceId: string;
  calibrationId: string;
  userId: string;
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
  agentChannel: string | null;
  measured: Json | null;
  warnings: DefaultedJson;
  playbackKey: string | null;
  playbackBytes: number | null;
  drawingKey: string | null;
  waveformBytes: number | null;
  drawingBytes: number | null;
  importedOn: Generated<Date>;
  recordingDamage: string | null;
  originalErasedAt: Date | null;
}

export interface CallChange {
  workspaceId: string;
  callId: string;
  number: number;
  at: Generated<Date>;
  actorType: string;
  actorId: string | null;
  changed: Json;
}

export interface CallMetadata {
  workspaceId: string;
  key: string;
  value: string;
  callId: string;
  phoneDigits: string | null;
}

export interface CallMonth {
  month: Date;
  openedBy: string | null;
  openedAt: Generated<Date>;
}

export interface CallNote {
  workspaceId: string;
  id: string;
  callId: string;
  positionMs: number;
  text: string;
  authorType: string;
  authorId: string;
  createdAt: Generated<Date>;
  changedAt: Date | null;
}

export interface CallStep {
  workspaceId: string;
  callId: string;
  step: string;
  state: string;
  attempts: number;
  reasonCode: string | null;
  reasonDetail: string | null;
  startedAt: Date;
  endedAt: Date | null;
  reasonSince: Date | null;
}

export interface CallWords {
  workspaceId: string;
  callId: string;
  channel: string;
  part: number;
  parts: Generated<number>;
  words: string;
  places: Generated<string[]>;
}

export interface Campaign {
  workspaceId: string;
  id: string;
  name: string;
  archivedAt: Date | null;
  createdAt: Generated<Date>;
  agentChannel: string | null;
  retentionDays: number | null;
  transcriptionLanguage: string | null;
  masking: Generated<string>;
  eraseMaskedOriginals: Generated<boolean>;
}

export interface Credential {
  workspaceId: string;
  userId: string;
  passwordHash: string;
  changedAt: Generated<Date>;
}

export interface DeletedScoreSum {
  workspaceId: string;
  day: Date;
  scorecardId: string;
  version: number;
  teamId: string;
  campaignId: string;
  selection: string;
  part: string;
  itemId: string;
  scored: Generated<number>;
  unscored: Generated<number>;
  passed: Generated<number>;
  failed: Generated<number>;
  failedCall: Generated<number>;
  scoreTotal: Generated<number>;
  scoreSquares: Generated<number>;
  disputes: Generated<number>;
  disputesChanged: Generated<number>;
  releaseSeconds: Generated<number>;
  acknowledged: Generated<number>;
  acknowledgementSeconds: Generated<number>;
}

export interface Dispute {
  workspaceId: string;
  id: string;
  reviewId: string;
  level: number;
  state: string;
  revision: number;
  resolvedRevision: number | null;
  arbiterId: string | null;
  openedAt: Generated<Date>;
  dueAt: Date;
  overdueAt: Date | null;
  resolvedAt: Date | null;
  resolvedByType: string | null;
  resolvedById: string | null;
  testCase: string | null;
  agentId: string;
}

export interface DisputeItem {
  workspaceId: string;
  disputeId: string;
  questionId: string;
  proposed: Json;
  reason: string;
  moment: Json | null;
  decision: string | null;
  decided: Json | null;
  explanation: string | null;
}

export interface DrawAgent {
  workspaceId: string;
  drawId: string;
  position: number;
  agentId: string | null;
  calls: number;
  root: Buffer;
  take: number | null;
}

export interface DrawCall {
  workspaceId: string;
  planId: string;
  callId: string;
  drawId: string;
  agentId: string;
}

export interface ErasedAgent {
  workspaceId: string;
  digest: Buffer;
  userId: string;
}

export interface ErasedCall {
  workspaceId: string;
  id: string;
}

export interface Erasure {
  workspaceId: string;
  id: string;
  kind: string;
  state: string;
  callId: string | null;
  agentId: string | null;
  campaignId: string | null;
  before: Date | null;
  metadataKey: string | null;
  metadataValue: string | null;
  requestedByType: string;
  requestedById: string | null;
  found: number | null;
  erased: Generated<number>;
  held: Generated<number>;
  bytes: Generated<number>;
  idsDigest: Generated<Buffer>;
  agentErased: Generated<boolean>;
  createdAt: Generated<Date>;
  startedAt: Date | null;
  endedAt: Date | null;
  auditNumber: number | null;
  auditHash: Buffer | null;
}

export interface ErasureCall {
  workspaceId: string;
  erasureId: string;
  callId: string;
}

export interface ErasureEntry {
  workspaceId: string;
  erasureId: string;
  id: string;
}

export interface Event {
  workspaceId: string;
  epoch: Generated<number>;
  xid: Generated<number>;
  seq: Generated<number>;
  type: string;
  data: Json;
  createdAt: Generated<Date>;
}

export interface EventEpoch {
  epoch: number;
  cluster: number;
  timeline: number | null;
  startedAt: Date | null;
  beganAt: Generated<Date>;
}

export interface EventIdKey {
  workspaceId: string;
  key: Generated<Buffer>;
}

export interface EventRemoval {
  workspaceId: string;
  epoch: number;
  xid: number;
  seq: number;
}

export interface ImportCount {
  workspaceId: string;
  bucket: Date;
  campaignId: string;
  status: string;
  failureCode: string;
  count: number;
}

export interface ImportDelta {
  workspaceId: string;
  id: Generated<number>;
  bucket: Date;
  campaignId: string;
  status: string;
  failureCode: Generated<string>;
  count: number;
}

export interface ImportRefusal {
  workspaceId: string;
  hour: Date;
  code: string;
  campaignId: string | null;
  count: number;
}

export interface InvitationMailCount {
  workspaceId: string;
  day: Date;
  mails: number;
}

export interface JobTurn {
  name: string;
  workspaceId: string;
  turn: number;
}

export interface LegalHold {
  workspaceId: string;
  id: string;
  subjectType: string;
  subjectId: string;
  reason: string;
  createdByType: string;
  createdById: string | null;
  createdAt: Generated<Date>;
  releasedByType: string | null;
  releasedById: string | null;
  releasedAt: Date | null;
}

export interface Listening {
  workspaceId: string;
  callId: string;
  keyId: string;
  form: string;
  until: Date;
}

export interface OutgoingJob {
  id: Generated<number>;
  name: string;
  payload: Json;
  startAfter: Date | null;
}

export interface Passkey {
  workspaceId: string;
  id: string;
  userId: string;
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  transports: Generated<string[]>;
  name: string;
  createdAt: Generated<Date>;
  lastUsedAt: Date | null;
}

export interface PasskeyChallenge {
  digest: Buffer;
  expiresAt: Date;
}

export interface PendingSignIn {
  workspaceId: string;
  hash: Buffer;
  userId: string;
  signedInBy: string;
  expiresAt: Date;
}

export interface PlanReviewer {
  workspaceId: string;
  planId: string;
  userId: string;
  capacity: number;
}

export interface ProviderIdentity {
  workspaceId: string;
  userId: string;
  issuer: string;
  subject: string;
  linkedAt: Generated<Date>;
}

export interface ProviderSignIn {
  digest: Buffer;
  expiresAt: Date;
}

export interface ReadyCall {
  workspaceId: string;
  readyAt: Generated<Date>;
  callId: string;
}

export interface RecoveryCode {
  workspaceId: string;
  userId: string;
  hash: Buffer;
  usedAt: Date | null;
}

export interface Review {
  workspaceId: string;
  id: string;
  callId: string;
  agentId: string;
  campaignId: string;
  teamId: string | null;
  scorecardId: string;
  version: number;
  reviewerType: string;
  reviewerId: string;
  selection: string;
  state: string;
  number: Generated<number>;
  revision: Generated<number>;
  score: number | null;
  outcome: string | null;
  activeMs: Generated<number>;
  createdAt: Generated<Date>;
  submittedAt: Date | null;
  releasedAt: Date | null;
  disputableUntil: Date | null;
  acknowledgedAt: Date | null;
  acknowledgement: string | null;
  dispute: string | null;
  voidedAt: Date | null;
  voidedByType: string | null;
  voidedById: string | null;
  voidReason: string | null;
  calibrationId: string | null;
  objectionsFrom: Generated<number>;
}

export interface ReviewComment {
  workspaceId: string;
  reviewId: string;
  revision: number;
  part: string;
  questionId: Generated<string>;
  comment: string;
  moments: DefaultedJson;
}

export interface ReviewDraft {
  workspaceId: string;
  reviewId: string;
  answers: DefaultedJson;
  comment: Generated<string>;
}

export interface ReviewDraw {
  workspaceId: string;
  id: string;
  planId: string;
  number: number;
  period: string;
  startsAt: Date;
  endsAt: Date;
  closesAt: Date;
  rules: Json;
  key: Buffer | null;
  commitment: Buffer;
  commitmentEntry: number | null;
  nonce: Generated<string>;
  state: Generated<string>;
  position: DefaultedJson;
  staffing: Json | null;
  root: Buffer | null;
  agents: Generated<number>;
  calls: Generated<number>;
  closedAt: Date | null;
  drawnAt: Date | null;
  sealedKey: string | null;
  secondKey: Buffer | null;
  sealedSecondKey: string | null;
  secondCommitment: Buffer | null;
  secondLimit: Buffer | null;
  queueKey: Generated<Buffer>;
}

export interface ReviewEmail {
  workspaceId: string;
  agentId: string;
  released: Generated<number>;
  decided: Generated<number>;
  queuedAt: Date | null;
}

export interface ReviewPlan {
  workspaceId: string;
  id: string;
  name: string;
  scorecardId: string;
  rules: Json;
  dueDays: number;
  secondPercent: number;
  skipTeamLead: boolean;
  closeDelayHours: number;
  createdAt: Generated<Date>;
  endedAt: Date | null;
}

export interface ReviewRevision {
  workspaceId: string;
  reviewId: string;
  number: number;
  at: Generated<Date>;
  authorType: string;
  authorId: string;
  cause: string;
  answers: Json;
  result: Json;
  score: number | null;
  outcome: string;
}

export interface ScoreBackfill {
  workspaceId: string;
  countedTo: Date | null;
}

export interface ScoreSum {
  workspaceId: string;
  day: Date;
  scorecardId: string;
  version: number;
  teamId: string;
  campaignId: string;
  selection: string;
  part: string;
  itemId: string;
  scored: Generated<number>;
  unscored: Generated<number>;
  passed: Generated<number>;
  failed: Generated<number>;
  failedCall: Generated<number>;
  scoreTotal: Generated<number>;
  scoreSquares: Generated<number>;
  disputes: Generated<number>;
  disputesChanged: Generated<number>;
  releaseSeconds: Generated<number>;
  acknowledged: Generated<number>;
  acknowledgementSeconds: Generated<number>;
}

export interface Scorecard {
  workspaceId: string;
  id: string;
  name: string;
  draft: Json | null;
  draftNumber: Generated<number>;
  draftChangedAt: Date | null;
  latestVersion: number | null;
  retiredAt: Date | null;
  createdAt: Generated<Date>;
}

export interface ScorecardArbiter {
  workspaceId: string;
  scorecardId: string;
  userId: string;
}

export interface ScorecardCampaign {
  workspaceId: string;
  scorecardId: string;
  campaignId: string;
}

export interface ScorecardVersion {
  workspaceId: string;
  scorecardId: string;
  version: number;
  document: Json;
  digest: Buffer;
  publishedByType: string;
  publishedById: string | null;
  publishedAt: Generated<Date>;
}

export interface Session {
  workspaceId: string;
  id: string;
  userId: string;
  hash: Buffer;
  signedInBy: string;
  userAgent: string | null;
  createdAt: Generated<Date>;
  lastSeenAt: Generated<Date>;
  idleUntil: Date;
  expiresAt: Date;
  endedAt: Date | null;
  confirmedAt: Date | null;
  secondFactor: string | null;
}

export interface SetAsideJob {
  id: number;
  name: string;
  payload: Json;
  startAfter: Date | null;
  reason: string;
  detail: string;
  setAsideAt: Generated<Date>;
}

export interface SetupLink {
  hash: Buffer;
  createdAt: Generated<Date>;
  expiresAt: Date;
  endedAt: Date | null;
}

export interface SignInGuess {
  digest: Buffer;
  tries: Generated<number>;
  lastAt: Generated<Date>;
  blockedUntil: Date | null;
  succeededAt: Date | null;
}

export interface StagedObject {
  key: string;
  condemnedAt: Date | null;
  createdAt: Generated<Date>;
  erasureId: string | null;
  callId: string | null;
}

export interface Team {
  workspaceId: string;
  id: string;
  name: string;
  nameKey: string;
  createdAt: Generated<Date>;
  leadId: string | null;
}

export interface TotpFactor {
  workspaceId: string;
  userId: string;
  secret: string | null;
  confirmedAt: Date | null;
  lastStep: number | null;
  pendingSecret: string | null;
  pendingAt: Date | null;
}

export interface Transcript {
  workspaceId: string;
  callId: string;
  id: string;
  objectKey: string;
  objectBytes: number;
  language: string;
  engine: string;
  model: string;
  version: number;
  words: Json;
  masked: DefaultedJson;
  muted: Json | null;
  createdAt: Generated<Date>;
}

export interface TranscriptCorrection {
  workspaceId: string;
  callId: string;
  transcriptId: string;
  turn: number;
  word: number;
  number: number;
  text: string | null;
  authorType: string;
  authorId: string;
  at: Generated<Date>;
}

export interface TranscriptRun {
  workspaceId: string;
  callId: string;
  keyObject: string;
  startedAt: Generated<Date>;
  answered: Generated<number>;
}

export interface TranscriptStretch {
  workspaceId: string;
  callId: string;
  number: number;
  sent: Generated<number>;
  encryptedWords: Buffer | null;
}

export interface TranscriptionUsage {
  workspaceId: string;
  day: Date;
  calls: Generated<number>;
  speechMs: Generated<number>;
}

export interface WebhookDelivery {
  workspaceId: string;
  id: string;
  endpointId: string;
  eventEpoch: number;
  eventXid: number;
  eventSeq: number;
  eventType: string;
  state: Generated<string>;
  attempts: Generated<number>;
  dueAt: Date | null;
  log: Json;
  createdAt: Generated<Date>;
  settledAt: Date | null;
}

export interface WebhookEndpoint {
  workspaceId: string;
  id: string;
  url: string;
  description: Generated<string>;
  types: Generated<string[]>;
  secret: string;
  previousSecret: string | null;
  previousSecretUntil: Date | null;
  failingSince: Date | null;
  disabledAt: Date | null;
  disabledReason: string | null;
  cursorEpoch: number;
  cursorXid: number;
  cursorSeq: number;
  createdAt: Generated<Date>;
}

export interface WebhookFollower {
  endpointId: string;
  workspaceId: string;
  dueAt: Generated<Date>;
  leasedUntil: Generated<Date>;
  lease: string | null;
}

export interface WhatIf {
  workspaceId: string;
  id: string;
  scorecardId: string;
  version: number;
  draftNumber: number | null;
  digest: Buffer;
  document: Json | null;
  periodFrom: Date;
  periodTo: Date;
  state: Generated<string>;
  reviews: number | null;
  complete: Generated<boolean>;
  replayed: Generated<number>;
  olderVersions: Generated<number>;
  position: string | null;
  sums: Json | null;
  result: Json | null;
  requestedByType: string;
  requestedById: string;
  createdAt: Generated<Date>;
  startedAt: Date | null;
  endedAt: Date | null;
}

export interface WordsLanguage {
  workspaceId: string;
  language: string;
}

export interface Workspace {
  id: string;
  name: string;
  createdAt: Generated<Date>;
  settings: DefaultedJson;
  erasedAt: Date | null;
  erasuresReplayedBelow: string | null;
}

export interface WorkspaceLimit {
  workspaceId: string;
  requestsPerSecond: number | null;
  importsPerSecond: number | null;
  uploadsAtOnce: number | null;
  callsPerDay: number | null;
  storedBytes: number | null;
  invitationMailsPerDay: number | null;
}

export interface WorkspaceUsage {
  workspaceId: string;
  calls: number;
  bytes: number;
  day: Date;
  dayCalls: number;
  countedAt: Date | null;
  importsCountedAt: Date | null;
}

export interface DB {
  accessLink: AccessLink;
  agentScoreSum: AgentScoreSum;
  apiKey: ApiKey;
  apiKeyLimit: ApiKeyLimit;
  appUser: AppUser;
  assignment: Assignment;
  auditEntry: AuditEntry;
  auditHead: AuditHead;
  calibration: Calibration;
  calibrationCall: CalibrationCall;
  calibrationDecision: CalibrationDecision;
  calibrationParticipant: CalibrationParticipant;
  call: Call;
  callChange: CallChange;
  callMetadata: CallMetadata;
  callMonth: CallMonth;
  callNote: CallNote;
  callStep: CallStep;
  callWords: CallWords;
  campaign: Campaign;
  credential: Credential;
  deletedScoreSum: DeletedScoreSum;
  dispute: Dispute;
  disputeItem: DisputeItem;
  drawAgent: DrawAgent;
  drawCall: DrawCall;
  erasedAgent: ErasedAgent;
  erasedCall: ErasedCall;
  erasure: Erasure;
  erasureCall: ErasureCall;
  erasureEntry: ErasureEntry;
  event: Event;
  eventEpoch: EventEpoch;
  eventIdKey: EventIdKey;
  eventRemoval: EventRemoval;
  importCount: ImportCount;
  importDelta: ImportDelta;
  importRefusal: ImportRefusal;
  invitationMailCount: InvitationMailCount;
  jobTurn: JobTurn;
  legalHold: LegalHold;
  listening: Listening;
  outgoingJob: OutgoingJob;
  passkey: Passkey;
  passkeyChallenge: PasskeyChallenge;
  pendingSignIn: PendingSignIn;
  planReviewer: PlanReviewer;
  providerIdentity: ProviderIdentity;
  providerSignIn: ProviderSignIn;
  readyCall: ReadyCall;
  recoveryCode: RecoveryCode;
  review: Review;
  reviewComment: ReviewComment;
  reviewDraft: ReviewDraft;
  reviewDraw: ReviewDraw;
  reviewEmail: ReviewEmail;
  reviewPlan: ReviewPlan;
  reviewRevision: ReviewRevision;
  scoreBackfill: ScoreBackfill;
  scoreSum: ScoreSum;
  scorecard: Scorecard;
  scorecardArbiter: ScorecardArbiter;
  scorecardCampaign: ScorecardCampaign;
  scorecardVersion: ScorecardVersion;
  session: Session;
  setAsideJob: SetAsideJob;
  setupLink: SetupLink;
  signInGuess: SignInGuess;
  stagedObject: StagedObject;
  team: Team;
  totpFactor: TotpFactor;
  transcript: Transcript;
  transcriptCorrection: TranscriptCorrection;
  transcriptRun: TranscriptRun;
  transcriptStretch: TranscriptStretch;
  transcriptionUsage: TranscriptionUsage;
  webhookDelivery: WebhookDelivery;
  webhookEndpoint: WebhookEndpoint;
  webhookFollower: WebhookFollower;
  whatIf: WhatIf;
  wordsLanguage: WordsLanguage;
  workspace: Workspace;
  workspaceLimit: WorkspaceLimit;
  workspaceUsage: WorkspaceUsage;
}
