export type { CreateHold, ErasureTarget } from "./arguments.ts";
export type { AuditFilter } from "./audit-filter.ts";
export type { ByteRange, ExportCalls, ExportFormat, GetAudio } from "./call-files.ts";
export type { CallFilter } from "./call-filter.ts";
export type { ChangeCall, ImportCall, SearchCalls } from "./calls.ts";
export { type Client, createClient } from "./client.ts";
export type { Download } from "./download.ts";
export type { FollowEvents, ListEvents } from "./events.ts";
export { type FormProgress, type Recording, RecordingError } from "./form.ts";
export type {
  ChangeCalibration,
  ChangeCampaign,
  ChangeKey,
  ChangePassword,
  ChangeScorecard,
  ChangeSessionUser,
  ChangeUser,
  ChangeWebhook,
  ChangeWorkspace,
  CorrectTranscript,
  CreateCalibration,
  CreateCampaign,
  CreateKey,
  CreateScorecard,
  CreateWebhook,
  DecideCalibration,
  ExportAudit,
  FindAgreement,
  InviteUser,
  ListAudit,
  ListCalibrations,
  ListCallChanges,
  ListCampaigns,
  ListDeliveries,
  ListErasures,
  ListHolds,
  ListKeys,
  ListReviews,
  ListSessions,
  ListUsers,
  ListWhatIfs,
  RedeemLink,
  ReplayEvents,
  RotateKey,
  SecondStep,
  SignIn,
  StartWhatIf,
  SummarizeImports,
} from "./generated/resources.ts";
export type { Items } from "./pages.ts";
export type { RetryPolicy } from "./retry.ts";
export { isRetryable, ServiceError, type ServiceErrorCode, unreachable } from "./service-error.ts";
export type { ClientOptions, RequestOptions } from "./transport.ts";
export { verifyWebhook, WebhookError, type WebhookEvent } from "./verify-webhook.ts";
export type * from "./wire.ts";
