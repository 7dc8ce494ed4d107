export type { AuditFilter, ExportAudit, ListAudit } from "./audit.ts";
export type {
  ChangeCalibration,
  CreateCalibration,
  DecideCalibration,
  FindAgreement,
  ListCalibrations,
} from "./calibrations.ts";
export type { ByteRange, ExportCalls, ExportFormat, GetAudio } from "./call-files.ts";
export type { CallFilter } from "./call-filter.ts";
export type { ChangeCall, ImportCall, ListCallChanges, SearchCalls } from "./calls.ts";
export type { ChangeCampaign, CreateCampaign, ListCampaigns } from "./campaigns.ts";
export { type Client, createClient } from "./client.ts";
export type { Download } from "./download.ts";
export type { ErasureTarget, ListErasures } from "./erasures.ts";
export type { FollowEvents, ListEvents } from "./events.ts";
export { type FormProgress, type Recording, RecordingError } from "./form.ts";
export type { CreateHold, ListHolds } from "./holds.ts";
export type { SummarizeImports } from "./imports.ts";
export type { ChangeKey, CreateKey, ListKeys, RotateKey } from "./keys.ts";
export type { Items } from "./pages.ts";
export type { RetryPolicy } from "./retry.ts";
export type { ListReviews } from "./reviews.ts";
export type { ChangeScorecard, CreateScorecard } from "./scorecards.ts";
export { isRetryable, ServiceError, type ServiceErrorCode, unreachable } from "./service-error.ts";
export type { ChangePassword, ChangeSessionUser, ListSessions, RedeemLink, SecondStep, SignIn } from "./session.ts";
export type { CorrectTranscript } from "./transcripts.ts";
export type { ClientOptions, RequestOptions } from "./transport.ts";
export type { ChangeUser, InviteUser, ListUsers } from "./users.ts";
export { verifyWebhook, WebhookError, type WebhookEvent } from "./verify-webhook.ts";
export type { ChangeWebhook, CreateWebhook, ListDeliveries, ReplayEvents } from "./webhooks.ts";
export type { ListWhatIfs, StartWhatIf } from "./what-ifs.ts";
export type * from "./wire.ts";
export type { ChangeWorkspace } from "./workspace.ts";
