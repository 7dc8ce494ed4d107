// Written by npm run openapi from openapi.json and generate/methods.ts. Do not edit.
import type { CreateHold, ErasureTarget, SaveTeam } from "../arguments.ts";
import type { Download } from "../download.ts";
import { ifMatchHeader } from "../if-match.ts";
import { type Items, paged } from "../pages.ts";
import { inSnakeCase } from "../snake-case.ts";
import type { RequestOptions, Transport } from "../transport.ts";
import type {
  AgentScore,
  AgentScorePageBody,
  AgreementReportBody,
  AssignmentBody,
  AssignmentPageBody,
  AuditEntryBody,
  AuditPageBody,
  CalibrationAnswersBody,
  CalibrationBody,
  CalibrationDecidedBody,
  CalibrationDetailBody,
  CalibrationPageBody,
  CalibrationResultsBody,
  CallChangeBody,
  CallChangePageBody,
  CallDetailBody,
  CallNoteBody,
  CallNoteListBody,
  CampaignBody,
  CampaignPageBody,
  CertificateBody,
  CoverageBody,
  DeliveryBody,
  DeliveryPageBody,
  DisputeBody,
  DisputePageBody,
  DrawBody,
  DrawPageBody,
  DrawReviewersBody,
  ErasureBody,
  ErasurePageBody,
  ErasurePreviewBody,
  FactorAddedBody,
  HoldBody,
  HoldPageBody,
  ImportSummaryBody,
  InvitationBody,
  KeyBody,
  KeyPageBody,
  LimitsBody,
  LinkBody,
  ListedSessionBody,
  Masking,
  NewKeyBody,
  NewTotpBody,
  OwnScoresBody,
  PasskeyOptionsBody,
  PlanBody,
  PlanInput,
  PlanPageBody,
  PlanPreviewBody,
  QueueBody,
  RecoveryCodesBody,
  ReplayedBody,
  ReviewAnswer,
  ReviewBody,
  ReviewDetailBody,
  ReviewerScore,
  ReviewerScorePageBody,
  ReviewPageBody,
  ReviewsReleasedBody,
  SavedBody,
  ScorecardBody,
  ScorecardDetailBody,
  ScorecardPageBody,
  ScorecardVersionBody,
  ScorecardVersionPageBody,
  ScoresOverviewBody,
  SessionBody,
  SessionOptionsBody,
  SessionPageBody,
  SpeechBody,
  TeamBody,
  TeamListBody,
  TestCasesBody,
  TranscriptBody,
  TranscriptionUsageBody,
  TranscriptMatchesBody,
  TwoStepBody,
  TwoStepCountsBody,
  UserBody,
  UserPageBody,
  WaitingBody,
  WebhookBody,
  WebhookListBody,
  WebhookTestBody,
  WebhookWithSecretBody,
  WhatIfBody,
  WhatIfPageBody,
  WorkspaceBody,
} from "../wire.ts";

export interface ListAudit extends RequestOptions {
  /** Only entries with this action. Repeat to match any of several. */
  readonly action?:
    | "call.changed"
    | "call.listened"
    | "call.downloaded"
    | "call.transcript_read"
    | "call.transcript_corrected"
    | "call.transcription_requested"
    | "call.original_erased"
    | "calls.exported"
    | "audit.exported"
    | "campaign.created"
    | "campaign.changed"
    | "campaign.archived"
    | "note.created"
    | "note.changed"
    | "note.deleted"
    | "plan.created"
    | "plan.changed"
    | "plan.ended"
    | "draw.committed"
    | "draw.nonce_set"
    | "draw.closed"
    | "draw.second_key_published"
    | "assignment.skipped"
    | "assignment.handed_back"
    | "assignment.reassigned"
    | "review.started"
    | "review.discarded"
    | "review.submitted"
    | "review.released"
    | "review.reopened"
    | "review.corrected"
    | "review.voided"
    | "review.acknowledged"
    | "review.disputed"
    | "review.resolved"
    | "dispute.assigned"
    | "dispute.test_case_changed"
    | "calibration.created"
    | "calibration.changed"
    | "calibration.closed"
    | "calibration.decided"
    | "calibration.deleted"
    | "reviews.expired"
    | "reviews.exported"
    | "scorecard.created"
    | "scorecard.changed"
    | "scorecard.published"
    | "scorecard.draft_discarded"
    | "scorecard.retired"
    | "scorecard.what_if_started"
    | "team.created"
    | "team.changed"
    | "team.deleted"
    | "user.created"
    | "user.changed"
    | "user.deactivated"
    | "key.created"
    | "key.changed"
    | "key.revoked"
    | "key.rotated"
    | "key.limits_changed"
    | "session.created"
    | "session.failed"
    | "session.ended"
    | "password.changed"
    | "provider.linked"
    | "provider.unlinked"
    | "two_step.added"
    | "two_step.removed"
    | "two_step.codes_created"
    | "two_step.reset"
    | "link.created"
    | "workspace.changed"
    | "workspace.limits_changed"
    | "webhook.created"
    | "webhook.changed"
    | "webhook.deleted"
    | "webhook.secret_rotated"
    | "call.erased"
    | "erasure.requested"
    | "erasure.done"
    | "erasure.replayed"
    | "hold.created"
    | "hold.released"
    | "retention.changed"
    | "retention.executed"
    | "workspace.erased"
    | readonly (
        | "call.changed"
        | "call.listened"
        | "call.downloaded"
        | "call.transcript_read"
        | "call.transcript_corrected"
        | "call.transcription_requested"
        | "call.original_erased"
        | "calls.exported"
        | "audit.exported"
        | "campaign.created"
        | "campaign.changed"
        | "campaign.archived"
        | "note.created"
        | "note.changed"
        | "note.deleted"
        | "plan.created"
        | "plan.changed"
        | "plan.ended"
        | "draw.committed"
        | "draw.nonce_set"
        | "draw.closed"
        | "draw.second_key_published"
        | "assignment.skipped"
        | "assignment.handed_back"
        | "assignment.reassigned"
        | "review.started"
        | "review.discarded"
        | "review.submitted"
        | "review.released"
        | "review.reopened"
        | "review.corrected"
        | "review.voided"
        | "review.acknowledged"
        | "review.disputed"
        | "review.resolved"
        | "dispute.assigned"
        | "dispute.test_case_changed"
        | "calibration.created"
        | "calibration.changed"
        | "calibration.closed"
        | "calibration.decided"
        | "calibration.deleted"
        | "reviews.expired"
        | "reviews.exported"
        | "scorecard.created"
        | "scorecard.changed"
        | "scorecard.published"
        | "scorecard.draft_discarded"
        | "scorecard.retired"
        | "scorecard.what_if_started"
        | "team.created"
        | "team.changed"
        | "team.deleted"
        | "user.created"
        | "user.changed"
        | "user.deactivated"
        | "key.created"
        | "key.changed"
        | "key.revoked"
        | "key.rotated"
        | "key.limits_changed"
        | "session.created"
        | "session.failed"
        | "session.ended"
        | "password.changed"
        | "provider.linked"
        | "provider.unlinked"
        | "two_step.added"
        | "two_step.removed"
        | "two_step.codes_created"
        | "two_step.reset"
        | "link.created"
        | "workspace.changed"
        | "workspace.limits_changed"
        | "webhook.created"
        | "webhook.changed"
        | "webhook.deleted"
        | "webhook.secret_rotated"
        | "call.erased"
        | "erasure.requested"
        | "erasure.done"
        | "erasure.replayed"
        | "hold.created"
        | "hold.released"
        | "retention.changed"
        | "retention.executed"
        | "workspace.erased"
      )[]
    | undefined;
  /** Only entries about this object, as type:id. */
  readonly subject?: string | undefined;
  /** Only actions of this API key or user, by id. */
  readonly actor?: string | undefined;
  /** Entries at or after this time. */
  readonly from?: Date | undefined;
  /** Entries before this time. */
  readonly to?: Date | undefined;
  /** Entries after this number, oldest first; 0 starts at the first entry. Omit for newest first. */
  readonly after?: number | undefined;
  /** Entries before this number, newest first. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

export interface ExportAudit extends RequestOptions {
  /** csv: RFC 4180 with a header row. jsonl: one JSON object per line. */
  readonly format: "csv" | "jsonl";
  /** csv: start with a byte order mark, so that Excel reads the file as UTF-8. */
  readonly bom?: boolean | undefined;
  /** csv: the field separator. Use semicolon for Excel in locales that expect it. */
  readonly separator?: "comma" | "semicolon" | undefined;
  /** Only entries with this action. Repeat to match any of several. */
  readonly action?:
    | "call.changed"
    | "call.listened"
    | "call.downloaded"
    | "call.transcript_read"
    | "call.transcript_corrected"
    | "call.transcription_requested"
    | "call.original_erased"
    | "calls.exported"
    | "audit.exported"
    | "campaign.created"
    | "campaign.changed"
    | "campaign.archived"
    | "note.created"
    | "note.changed"
    | "note.deleted"
    | "plan.created"
    | "plan.changed"
    | "plan.ended"
    | "draw.committed"
    | "draw.nonce_set"
    | "draw.closed"
    | "draw.second_key_published"
    | "assignment.skipped"
    | "assignment.handed_back"
    | "assignment.reassigned"
    | "review.started"
    | "review.discarded"
    | "review.submitted"
    | "review.released"
    | "review.reopened"
    | "review.corrected"
    | "review.voided"
    | "review.acknowledged"
    | "review.disputed"
    | "review.resolved"
    | "dispute.assigned"
    | "dispute.test_case_changed"
    | "calibration.created"
    | "calibration.changed"
    | "calibration.closed"
    | "calibration.decided"
    | "calibration.deleted"
    | "reviews.expired"
    | "reviews.exported"
    | "scorecard.created"
    | "scorecard.changed"
    | "scorecard.published"
    | "scorecard.draft_discarded"
    | "scorecard.retired"
    | "scorecard.what_if_started"
    | "team.created"
    | "team.changed"
    | "team.deleted"
    | "user.created"
    | "user.changed"
    | "user.deactivated"
    | "key.created"
    | "key.changed"
    | "key.revoked"
    | "key.rotated"
    | "key.limits_changed"
    | "session.created"
    | "session.failed"
    | "session.ended"
    | "password.changed"
    | "provider.linked"
    | "provider.unlinked"
    | "two_step.added"
    | "two_step.removed"
    | "two_step.codes_created"
    | "two_step.reset"
    | "link.created"
    | "workspace.changed"
    | "workspace.limits_changed"
    | "webhook.created"
    | "webhook.changed"
    | "webhook.deleted"
    | "webhook.secret_rotated"
    | "call.erased"
    | "erasure.requested"
    | "erasure.done"
    | "erasure.replayed"
    | "hold.created"
    | "hold.released"
    | "retention.changed"
    | "retention.executed"
    | "workspace.erased"
    | readonly (
        | "call.changed"
        | "call.listened"
        | "call.downloaded"
        | "call.transcript_read"
        | "call.transcript_corrected"
        | "call.transcription_requested"
        | "call.original_erased"
        | "calls.exported"
        | "audit.exported"
        | "campaign.created"
        | "campaign.changed"
        | "campaign.archived"
        | "note.created"
        | "note.changed"
        | "note.deleted"
        | "plan.created"
        | "plan.changed"
        | "plan.ended"
        | "draw.committed"
        | "draw.nonce_set"
        | "draw.closed"
        | "draw.second_key_published"
        | "assignment.skipped"
        | "assignment.handed_back"
        | "assignment.reassigned"
        | "review.started"
        | "review.discarded"
        | "review.submitted"
        | "review.released"
        | "review.reopened"
        | "review.corrected"
        | "review.voided"
        | "review.acknowledged"
        | "review.disputed"
        | "review.resolved"
        | "dispute.assigned"
        | "dispute.test_case_changed"
        | "calibration.created"
        | "calibration.changed"
        | "calibration.closed"
        | "calibration.decided"
        | "calibration.deleted"
        | "reviews.expired"
        | "reviews.exported"
        | "scorecard.created"
        | "scorecard.changed"
        | "scorecard.published"
        | "scorecard.draft_discarded"
        | "scorecard.retired"
        | "scorecard.what_if_started"
        | "team.created"
        | "team.changed"
        | "team.deleted"
        | "user.created"
        | "user.changed"
        | "user.deactivated"
        | "key.created"
        | "key.changed"
        | "key.revoked"
        | "key.rotated"
        | "key.limits_changed"
        | "session.created"
        | "session.failed"
        | "session.ended"
        | "password.changed"
        | "provider.linked"
        | "provider.unlinked"
        | "two_step.added"
        | "two_step.removed"
        | "two_step.codes_created"
        | "two_step.reset"
        | "link.created"
        | "workspace.changed"
        | "workspace.limits_changed"
        | "webhook.created"
        | "webhook.changed"
        | "webhook.deleted"
        | "webhook.secret_rotated"
        | "call.erased"
        | "erasure.requested"
        | "erasure.done"
        | "erasure.replayed"
        | "hold.created"
        | "hold.released"
        | "retention.changed"
        | "retention.executed"
        | "workspace.erased"
      )[]
    | undefined;
  /** Only entries about this object, as type:id. */
  readonly subject?: string | undefined;
  /** Only actions of this API key or user, by id. */
  readonly actor?: string | undefined;
  /** Entries at or after this time. */
  readonly from?: Date | undefined;
  /** Entries before this time. */
  readonly to?: Date | undefined;
  /** Only entries after this number. */
  readonly after?: number | undefined;
}

export interface ListCalibrations extends RequestOptions {
  readonly state?: "open" | "closed" | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface CreateCalibration extends RequestOptions {
  readonly name: string;
  /** The session uses the version that is the latest now. */
  readonly scorecardId: string;
  readonly callIds: readonly string[];
  /** Reviewers, supervisors or administrators. */
  readonly participantIds: readonly string[];
  /** When the participants should be done. Nothing closes by itself. */
  readonly dueAt?: Date | null | undefined;
  /** A participant whom the others are compared with. null: the median of all. */
  readonly expertId?: string | null | undefined;
}

export interface ChangeCalibration extends RequestOptions {
  readonly name?: string | undefined;
  /** Those of the session stay. */
  readonly addCallIds?: readonly string[] | undefined;
  /** Only before the first submission. */
  readonly removeCallIds?: readonly string[] | undefined;
  /** Those of the session stay. */
  readonly addParticipantIds?: readonly string[] | undefined;
  /** Only before the first submission. */
  readonly removeParticipantIds?: readonly string[] | undefined;
  /** When the participants should be done. Nothing closes by itself. */
  readonly dueAt?: Date | null | undefined;
  /** A participant whom the others are compared with. null: the median of all. */
  readonly expertId?: string | null | undefined;
}

export interface DecideCalibration extends RequestOptions {
  /** Empty: removes the decision. */
  readonly text: string;
  /** true: adds the text to the guidance of the question, in the draft of the scorecard. */
  readonly apply?: boolean | undefined;
}

export interface FindAgreement extends RequestOptions {
  readonly scorecardId: string;
  /** Second reviews submitted at or after this time. */
  readonly from?: Date | undefined;
  /** Second reviews submitted before this time. */
  readonly to?: Date | undefined;
}

export interface ListCallChanges extends RequestOptions {
  /** The `next` value from the previous page. */
  readonly cursor?: number | undefined;
  readonly limit?: number | undefined;
}

export interface CreateNote extends RequestOptions {
  /** Position in the recording, in milliseconds. */
  readonly positionMs: number;
  readonly text: string;
}

export interface ChangeNote extends RequestOptions {
  /** Position in the recording, in milliseconds. */
  readonly positionMs?: number | undefined;
  readonly text?: string | undefined;
}

export interface ListCampaigns extends RequestOptions {
  /** true: only archived campaigns. false: only active campaigns. all: both. */
  readonly archived?: boolean | "all" | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface CreateCampaign extends RequestOptions {
  /** The id to use in imports. Generated if omitted. */
  readonly id?: string | undefined;
  readonly name: string;
  /** The channel of a stereo recording that carries the agent. */
  readonly agentChannel?: "left" | "right" | "unknown" | undefined;
  /** The language of the calls. New calls are transcribed if the workspace setting `transcription` is on, too. null: they are not. */
  readonly transcriptionLanguage?: string | null | undefined;
  /** Card numbers, security codes, expiry dates and IBANs are masked: nowhere, in the text of transcripts, or also in the sound of the playback copy. */
  readonly masking?: Masking | undefined;
  /** Whether the original recording is erased once the sound of a call was masked. This cannot be undone. */
  readonly eraseMaskedOriginals?: boolean | undefined;
}

export interface ChangeCampaign extends RequestOptions {
  readonly name?: string | undefined;
  /** Also applies to existing calls. */
  readonly agentChannel?: "left" | "right" | "unknown" | undefined;
  /** Calls are erased this many days after the conversation. null: calls are kept. */
  readonly retentionDays?: number | null | undefined;
  /** The language of the calls. New calls are transcribed if the workspace setting `transcription` is on, too. null: they are not. */
  readonly transcriptionLanguage?: string | null | undefined;
  /** Card numbers, security codes, expiry dates and IBANs are masked: nowhere, in the text of transcripts, or also in the sound of the playback copy. */
  readonly masking?: Masking | undefined;
  /** Whether the original recording is erased once the sound of a call was masked. This cannot be undone. */
  readonly eraseMaskedOriginals?: boolean | undefined;
  /** true: stop accepting calls and keep existing ones. false: accept calls again. */
  readonly archived?: boolean | undefined;
}

export interface ListDisputes extends RequestOptions {
  readonly state?: "open" | "resolved" | undefined;
  /** true: only disputes that you decide. */
  readonly mine?: boolean | undefined;
  readonly reviewId?: string | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ListPlans extends RequestOptions {
  readonly ended?: boolean | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ListDraws extends RequestOptions {
  readonly planId?: string | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface GetDrawProof extends RequestOptions {
  /** Only this agent. Agents get their own part in any case. */
  readonly agentId?: string | undefined;
}

export interface ListAssignments extends RequestOptions {
  readonly drawId?: string | undefined;
  /** `none`: unassigned. Reviewers see their own in any case. */
  readonly reviewerId?: string | "none" | undefined;
  readonly state?: "open" | "done" | "skipped" | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface SkipAssignment extends RequestOptions {
  readonly reason: "inaudible" | "wrong_agent" | "conflict" | "other";
  /** Required with the reason `other`. */
  readonly note?: string | undefined;
}

export interface Reassign extends RequestOptions {
  /** true: deletes the reviewer's draft although every question is answered. */
  readonly discardDraft?: boolean | undefined;
}

export interface ListErasures extends RequestOptions {
  readonly kind?: "call" | "agent" | "metadata" | "retention" | "workspace" | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ListHolds extends RequestOptions {
  /** all: include released holds. */
  readonly state?: "active" | "all" | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface SummarizeImports extends RequestOptions {
  /** Number of days, including today. */
  readonly days?: number | undefined;
  /** IANA time zone that defines where days start. Default: the workspace's `time_zone`. */
  readonly timeZone?: string | undefined;
}

export interface ListKeys extends RequestOptions {
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface CreateKey extends RequestOptions {
  /** What the key is used for. */
  readonly name: string;
  /** import: create agents and import calls. read: read data and play back calls. review: read and write scorecards. manage: change data and settings. listen_original: with read, also hear original recordings of campaigns whose sound is masked. */
  readonly scopes: readonly ("import" | "read" | "review" | "manage" | "listen_original")[];
  /** Restricts the key to these campaigns. It cannot see or use anything else. */
  readonly campaignIds?: readonly string[] | null | undefined;
  /** When the key expires. Omit for a key that does not expire. */
  readonly expiresAt?: Date | null | undefined;
}

export interface ChangeKey extends RequestOptions {
  readonly name?: string | undefined;
  /** New expiry, in the future. null: the key does not expire. */
  readonly expiresAt?: Date | null | undefined;
}

export interface RotateKey extends RequestOptions {
  /** How long the old key keeps working after the rotation. */
  readonly overlapHours?: number | undefined;
  /** When the new key expires. Omit to give it the same lifetime as the old key. */
  readonly expiresAt?: Date | null | undefined;
}

export interface ListReviews extends RequestOptions {
  readonly callId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly reviewerId?: string | undefined;
  readonly scorecardId?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly teamId?: string | undefined;
  /** submitted: reviews that wait for release, without calibration and second reviews. */
  readonly state?: "draft" | "submitted" | "released" | "voided" | undefined;
  readonly outcome?: "passed" | "failed" | "not_scored" | undefined;
  readonly selection?: "drawn" | "picked" | "calibration" | "second" | undefined;
  /** Reviews whose answer to this question got no points. */
  readonly failedQuestion?: string | undefined;
  /** Reviews of calls on or after this day (UTC), latest call first. */
  readonly calledFrom?: string | undefined;
  /** Reviews of calls on or before this day (UTC). */
  readonly calledTo?: string | undefined;
  /** true: only reviews with an open dispute. */
  readonly disputed?: boolean | undefined;
  /** Reviews started at or after this time. */
  readonly from?: Date | undefined;
  /** Reviews started before this time. */
  readonly to?: Date | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ExportReviews extends RequestOptions {
  readonly callId?: string | undefined;
  readonly agentId?: string | undefined;
  readonly reviewerId?: string | undefined;
  readonly scorecardId?: string | undefined;
  readonly campaignId?: string | undefined;
  readonly teamId?: string | undefined;
  /** submitted: reviews that wait for release, without calibration and second reviews. */
  readonly state?: "draft" | "submitted" | "released" | "voided" | undefined;
  readonly outcome?: "passed" | "failed" | "not_scored" | undefined;
  readonly selection?: "drawn" | "picked" | "calibration" | "second" | undefined;
  /** Reviews whose answer to this question got no points. */
  readonly failedQuestion?: string | undefined;
  /** Reviews of calls on or after this day (UTC), latest call first. */
  readonly calledFrom?: string | undefined;
  /** Reviews of calls on or before this day (UTC). */
  readonly calledTo?: string | undefined;
  /** true: only reviews with an open dispute. */
  readonly disputed?: boolean | undefined;
  /** Reviews started at or after this time. */
  readonly from?: Date | undefined;
  /** Reviews started before this time. */
  readonly to?: Date | undefined;
  /** csv: RFC 4180 with a header row. jsonl: one JSON object per line. */
  readonly format: "csv" | "jsonl";
  /** csv: start with a byte order mark, so that Excel reads the file as UTF-8. */
  readonly bom?: boolean | undefined;
  /** csv: the field separator. Use semicolon for Excel in locales that expect it. */
  readonly separator?: "comma" | "semicolon" | undefined;
  /** reviews: one row per review. answers: one row per question of each submitted review. */
  readonly rows?: "reviews" | "answers" | undefined;
}

export interface StartReview extends RequestOptions {
  readonly callId: string;
  /** Required unless the review is for a calibration session. */
  readonly scorecardId?: string | undefined;
  /** The review is for this session, on its version of the scorecard. */
  readonly calibrationId?: string | undefined;
}

export interface SaveAnswer extends RequestOptions {
  /** The number of the state that you loaded. If it has another number now, nothing changes. */
  readonly ifMatch: number;
}

export interface ChangeReview extends RequestOptions {
  /** On the whole review. */
  readonly comment?: string | undefined;
  /** Time that the reviewer worked on it so far. */
  readonly activeMs?: number | undefined;
  /** The number of the state that you loaded. If it has another number now, nothing changes. */
  readonly ifMatch?: number | undefined;
}

export interface SubmitReview extends RequestOptions {
  /** The number of the state that you loaded. If it has another number now, nothing changes. */
  readonly ifMatch: number;
}

export interface CorrectReview extends RequestOptions {
  /** The answers that change, by question id. */
  readonly answers: Readonly<
    Record<
      string,
      {
        /** yes or no, an option id, a list of option ids, a number, or text, as the question requires. */
        readonly value?: string | readonly string[] | number | undefined;
        readonly not_applicable?: true | undefined;
        readonly comment?: string | undefined;
        readonly moments?:
          | readonly {
              readonly start_ms: number;
              readonly end_ms: number;
            }[]
          | undefined;
      }
    >
  >;
  /** The agent reads it. Blank only if the call was erased: then texts are not stored. */
  readonly reason: string;
}

export interface ListScorecards extends RequestOptions {
  /** true: only retired scorecards. Default: only others. */
  readonly retired?: boolean | undefined;
  /** Only published scorecards for calls of this campaign. */
  readonly campaignId?: string | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface CreateScorecard extends RequestOptions {
  /** Start from a template. Not together with `document`. */
  readonly template?: "support" | "sales" | "collections" | undefined;
  /** The language of the template. Default: en. */
  readonly language?: "en" | "fr" | undefined;
  /** A scorecard document. A draft may be incomplete; `findings` lists what is missing. */
  readonly document?: Readonly<Record<string, unknown>> | undefined;
  /** Replaces the name in the template or document. */
  readonly name?: string | undefined;
  /** The scorecard is for calls of these campaigns. Empty: all campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
}

export interface ChangeScorecard extends RequestOptions {
  /** The scorecard is for calls of these campaigns. Empty: all campaigns. */
  readonly campaignIds?: readonly string[] | undefined;
  /** The users who decide disputes. Empty: all supervisors and administrators. */
  readonly arbiterIds?: readonly string[] | undefined;
  /** true: no new reviews. Existing reviews stay. false: reviews are possible again. */
  readonly retired?: boolean | undefined;
}

export interface SaveScorecardDraft extends RequestOptions {
  /** The number of the state that you loaded. If it has another number now, nothing changes. */
  readonly ifMatch?: number | undefined;
}

export interface DiscardScorecardDraft extends RequestOptions {
  /** The number of the state that you loaded. If it has another number now, nothing changes. */
  readonly ifMatch?: number | undefined;
}

export interface PublishScorecard extends RequestOptions {
  /** The number of the state that you loaded. If it has another number now, nothing changes. */
  readonly ifMatch?: number | undefined;
}

export interface ListScorecardVersions extends RequestOptions {
  readonly cursor?: number | undefined;
  readonly limit?: number | undefined;
}

export interface GetScoresOverview extends RequestOptions {
  /** The first day (UTC) of the conversations. */
  readonly from: string;
  /** The last day. At most 53 weeks. */
  readonly to: string;
  readonly scorecardId?: string | undefined;
  /** How the calls were selected. Calibrations and second reviews never count. */
  readonly selection?: "drawn" | "picked" | "both" | undefined;
  readonly campaignId?: string | undefined;
  /** The team of the agent when the review was submitted. */
  readonly teamId?: string | undefined;
}

export interface GetCoverage extends RequestOptions {
  readonly from: string;
  readonly to: string;
  readonly scorecardId?: string | undefined;
}

export interface ListAgentScores extends RequestOptions {
  /** The first day (UTC) of the conversations. */
  readonly from: string;
  /** The last day. At most 53 weeks. */
  readonly to: string;
  readonly scorecardId?: string | undefined;
  /** How the calls were selected. Calibrations and second reviews never count. */
  readonly selection?: "drawn" | "picked" | "both" | undefined;
  readonly campaignId?: string | undefined;
  /** The team of the agent when the review was submitted. */
  readonly teamId?: string | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ListReviewerScores extends RequestOptions {
  /** The first day (UTC) of the conversations. */
  readonly from: string;
  /** The last day. At most 53 weeks. */
  readonly to: string;
  readonly scorecardId?: string | undefined;
  readonly campaignId?: string | undefined;
  /** The team of the agent when the review was submitted. */
  readonly teamId?: string | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface GetOwnScores extends RequestOptions {
  /** The first day (UTC) of the conversations. */
  readonly from: string;
  /** The last day. At most 53 weeks. */
  readonly to: string;
  readonly scorecardId?: string | undefined;
  /** How the calls were selected. Calibrations and second reviews never count. */
  readonly selection?: "drawn" | "picked" | "both" | undefined;
}

export interface SignIn extends RequestOptions {
  readonly email: string;
  readonly password: string;
  /** The workspace to sign in to, if the same email and password are valid in several. */
  readonly workspaceId?: string | undefined;
}

export interface SecondStep extends RequestOptions {
  /** The 6-digit code from the authenticator app. */
  readonly code?: string | undefined;
  /** A recovery code, instead of `code`. Each works once. */
  readonly recoveryCode?: string | undefined;
}

export interface ChangeSessionUser extends RequestOptions {
  /** Whether the user wants an email, at most once a day, about reviews of their calls. Sent to agents. */
  readonly reviewEmail: boolean;
}

export interface ChangePassword extends RequestOptions {
  /** Required if the user has a password. */
  readonly currentPassword?: string | undefined;
  /** 12 to 200 characters of any kind. Common passwords, repeated or sequential characters, and passwords built from names or addresses are rejected. */
  readonly newPassword: string;
}

export interface ConfirmSession extends RequestOptions {
  readonly password: string;
}

export interface ForgotPassword extends RequestOptions {
  readonly email: string;
}

export interface RedeemLink extends RequestOptions {
  /** The part of the link after the #. */
  readonly token: string;
  /** Required for every kind of link except sign_in. */
  readonly password?: string | undefined;
  /** The user's name. Omit to keep the name from the invitation. */
  readonly name?: string | undefined;
  /** Required for links of kind setup. */
  readonly email?: string | undefined;
  /** Required for links of kind setup. */
  readonly workspaceName?: string | undefined;
}

export interface ListSessions extends RequestOptions {
  /** List the sessions of another user. Administrators only. */
  readonly userId?: string | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface CreateTeam extends RequestOptions {
  /** Unique in the workspace. Case-insensitive. */
  readonly name: string;
}

export interface CorrectTranscript extends RequestOptions {
  /** The `id` of the transcript that was read. 409 `transcript_changed` if it was made again meanwhile. */
  readonly transcriptId: string;
  readonly corrections: readonly {
    /** Index of the turn. */
    readonly turn: number;
    /** Index of the word in the turn. */
    readonly word: number;
    /** What was said, at most 10 words. null: what the engine understood. */
    readonly text: string | null;
  }[];
}

export interface ListTranscriptMatches extends RequestOptions {
  /** What was said, as in `GET /calls`. */
  readonly said: string;
  readonly saidBy?: "agent" | "customer" | "left" | "right" | undefined;
  readonly limit?: number | undefined;
}

export interface GetTranscriptionUsage extends RequestOptions {
  readonly days?: number | undefined;
}

export interface InviteUser extends RequestOptions {
  readonly email: string;
  /** First and last name, separated by a space. */
  readonly name: string;
  /** An API key with only the `import` scope can create agents only. */
  readonly role: "agent" | "reviewer" | "supervisor" | "admin";
  /** false: do not send an invitation email. */
  readonly sendInviteEmail?: boolean | undefined;
}

export interface SendInvitation extends RequestOptions {
  /** false: send no email. The response contains the link, for you to pass on. */
  readonly byMail?: boolean | undefined;
}

export interface ListUsers extends RequestOptions {
  /** Only the user with this email address. Case-insensitive. */
  readonly email?: string | undefined;
  /** Only users whose name or email address contains this text. */
  readonly search?: string | undefined;
  readonly role?: "agent" | "reviewer" | "supervisor" | "admin" | undefined;
  readonly status?: "active" | "invited" | "deactivated" | undefined;
  /** Only the members of this team. */
  readonly teamId?: string | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ChangeUser extends RequestOptions {
  readonly name?: string | undefined;
  /** Imports can still name a former agent. */
  readonly role?: "agent" | "reviewer" | "supervisor" | "admin" | undefined;
  /** true: the user can no longer sign in. Their calls are kept, and earlier calls can still be imported. */
  readonly deactivated?: boolean | undefined;
  /** Moves the user to this team. null: no team. */
  readonly teamId?: string | null | undefined;
  /** Whether the user may hear original recordings in campaigns whose sound is masked. */
  readonly listensToOriginals?: boolean | undefined;
}

export interface CreateWebhook extends RequestOptions {
  /** URL that receives events by POST. Must use https and a publicly reachable address. */
  readonly url: string;
  readonly description?: string | undefined;
  /** Send only events of these types. Empty: all types, including future ones. */
  readonly types?:
    | readonly (
        | "call.imported"
        | "call.ready"
        | "call.failed"
        | "call.transcribed"
        | "call.transcription_failed"
        | "call.changed"
        | "call.erased"
        | "user.created"
        | "user.erased"
        | "user.changed"
        | "campaign.changed"
        | "review.submitted"
        | "review.released"
        | "review.acknowledged"
        | "review.disputed"
        | "review.resolved"
        | "review.voided"
        | "dispute.overdue"
        | "scorecard.published"
        | "draw.committed"
        | "draw.closed"
        | "calibration.closed"
      )[]
    | undefined;
}

export interface ChangeWebhook extends RequestOptions {
  /** URL that receives events by POST. Must use https and a publicly reachable address. */
  readonly url?: string | undefined;
  readonly description?: string | undefined;
  /** Send only events of these types. Empty: all types, including future ones. */
  readonly types?:
    | readonly (
        | "call.imported"
        | "call.ready"
        | "call.failed"
        | "call.transcribed"
        | "call.transcription_failed"
        | "call.changed"
        | "call.erased"
        | "user.created"
        | "user.erased"
        | "user.changed"
        | "campaign.changed"
        | "review.submitted"
        | "review.released"
        | "review.acknowledged"
        | "review.disputed"
        | "review.resolved"
        | "review.voided"
        | "dispute.overdue"
        | "scorecard.published"
        | "draw.committed"
        | "draw.closed"
        | "calibration.closed"
      )[]
    | undefined;
  /** false: stop sending events and cancel pending deliveries. true: send new events; use replay for missed ones. */
  readonly enabled?: boolean | undefined;
}

export interface RotateWebhookSecret extends RequestOptions {
  /** How long deliveries are also signed with the old secret. */
  readonly overlapHours?: number | undefined;
}

export interface ListDeliveries extends RequestOptions {
  readonly state?: "pending" | "delivered" | "failed" | "cancelled" | undefined;
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ReplayEvents extends RequestOptions {
  /** Replay only this event. Cannot be combined with other members. */
  readonly eventId?: string | undefined;
  /** Events at or after this time. */
  readonly from?: Date | undefined;
  /** Events before this time. */
  readonly to?: Date | undefined;
  /** Events after this one, such as the `next` value of a previous response. */
  readonly after?: string | undefined;
  /** Events up to and including this one. */
  readonly until?: string | undefined;
}

export interface ListWhatIfs extends RequestOptions {
  /** The `next` value from the previous page. */
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
}

export interface StartWhatIf extends RequestOptions {
  /** Reviews that were started at or after this time. */
  readonly from: Date;
  /** Reviews that were started before this time. Default: now. */
  readonly to?: Date | undefined;
  /** The changed scorecard. It is not saved as a draft. Default: the draft. */
  readonly document?: Readonly<Record<string, unknown>> | undefined;
  /** The number of the state that you loaded. If it has another number now, nothing changes. */
  readonly ifMatch?: number | undefined;
}

export interface ChangeWorkspace extends RequestOptions {
  readonly name?: string | undefined;
  /** Settings to change. Omitted settings keep their value. */
  readonly settings?:
    | {
        readonly timeZone?: string | undefined;
        readonly earliestConversation?: string | undefined;
        readonly twoStep?: "optional" | "admins" | "all" | undefined;
        readonly passwordSignIn?: boolean | undefined;
        readonly agentsCanDownload?: boolean | undefined;
        readonly reviewersPickCalls?: boolean | undefined;
        readonly disputeDueDays?: number | undefined;
        readonly minReviews?: number | undefined;
        readonly transcription?: boolean | undefined;
        readonly transcriptionMinutesPerDay?: number | null | undefined;
        readonly maskPhoneNumbers?: boolean | undefined;
        readonly maskEmails?: boolean | undefined;
        readonly maskedWords?: readonly string[] | undefined;
        readonly searchableMonths?: number | null | undefined;
        readonly reviewRetentionMonths?: number | null | undefined;
      }
    | undefined;
}

const openAudit = (transport: Transport) => ({
  /** Lists the audit log of the workspace, newest first. With `after`, lists entries after that number, oldest first, so that you can follow the log. With filters, a page can be short or empty and still have a `next`. docs/audit.md describes each action and how to verify the log. */
  list: (args: ListAudit = {}): Items<AuditEntryBody> =>
    paged(
      ({ signal, ...query }: ListAudit) =>
        transport.json<AuditPageBody>({ method: "GET", path: `/audit`, query, signal }),
      (page) => ({ items: page.entries, next: page.next }),
      ({ after }) => (after === undefined ? "before" : "after"),
    ).all(args),
  /** Lists the audit log of the workspace, newest first. With `after`, lists entries after that number, oldest first, so that you can follow the log. With filters, a page can be short or empty and still have a `next`. docs/audit.md describes each action and how to verify the log. */
  page: (args: ListAudit = {}): Promise<AuditPageBody> =>
    paged(
      ({ signal, ...query }: ListAudit) =>
        transport.json<AuditPageBody>({ method: "GET", path: `/audit`, query, signal }),
      (page) => ({ items: page.entries, next: page.next }),
      ({ after }) => (after === undefined ? "before" : "after"),
    ).page(args),
  /** Exports the audit log as a file, oldest first, with the hashed text of each entry, so that the file can be verified without this service (docs/audit.md). The last entry records the export itself. If the export fails midway, the connection is closed without completing the response. */
  export: ({ signal, ...query }: ExportAudit): Promise<Download> =>
    transport.download({ method: "GET", path: `/audit/export`, query: query, signal }),
});

const openCalibrations = (transport: Transport) => ({
  /** Lists calibration sessions, newest first. Reviewers see those that they take part in. */
  list: (args: ListCalibrations = {}): Items<CalibrationBody> =>
    paged(
      ({ signal, ...query }: ListCalibrations) =>
        transport.json<CalibrationPageBody>({ method: "GET", path: `/calibrations`, query, signal }),
      (page) => ({ items: page.calibrations, next: page.next }),
    ).all(args),
  /** Lists calibration sessions, newest first. Reviewers see those that they take part in. */
  page: (args: ListCalibrations = {}): Promise<CalibrationPageBody> =>
    paged(
      ({ signal, ...query }: ListCalibrations) =>
        transport.json<CalibrationPageBody>({ method: "GET", path: `/calibrations`, query, signal }),
      (page) => ({ items: page.calibrations, next: page.next }),
    ).page(args),
  /** Returns a session with its calls and who has submitted how many reviews. */
  find: (id: string, options: RequestOptions = {}): Promise<CalibrationDetailBody> =>
    transport.json({ method: "GET", path: `/calibrations/${encodeURIComponent(id)}`, ...options }),
  /** Create a calibration session. Several reviewers score the same calls, blind: until the session is closed, nobody sees the answers and scores of others, not even supervisors and API keys. */
  create: ({ signal, ...body }: CreateCalibration): Promise<CalibrationDetailBody> =>
    transport.json({ method: "POST", path: `/calibrations`, body: inSnakeCase(body), signal }),
  /** Changes an open session. Calls and participants that are removed lose their drafts. After the first submission, they can only be added. */
  change: (id: string, { signal, ...body }: ChangeCalibration = {}): Promise<CalibrationDetailBody> =>
    transport.json({
      method: "PATCH",
      path: `/calibrations/${encodeURIComponent(id)}`,
      body: inSnakeCase(body),
      signal,
    }),
  /** Makes the answers visible to the participants and to supervisors. Drafts can no longer be submitted. A session cannot be opened again. */
  close: (id: string, options: RequestOptions = {}): Promise<CalibrationDetailBody> =>
    transport.json({ method: "POST", path: `/calibrations/${encodeURIComponent(id)}/close`, ...options }),
  /** Deletes an open session and its drafts, while nobody has submitted a review. */
  delete: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/calibrations/${encodeURIComponent(id)}`, options),
  /** Returns scores, agreement per question and each participant's distance from the expert or the median. Only after the session is closed. */
  results: (id: string, options: RequestOptions = {}): Promise<CalibrationResultsBody> =>
    transport.json({ method: "GET", path: `/calibrations/${encodeURIComponent(id)}/results`, ...options }),
  /** Returns the answers of all participants side by side, with comments and moments. Only after the session is closed. */
  answers: (id: string, question: string, options: RequestOptions = {}): Promise<CalibrationAnswersBody> =>
    transport.json({
      method: "GET",
      path: `/calibrations/${encodeURIComponent(id)}/answers/${encodeURIComponent(question)}`,
      ...options,
    }),
  /** Saves the decision of a closed session. With `apply`, adds it to the guidance of the question in the draft of the scorecard, which is created from the latest version if there is none. */
  decide: (id: string, question: string, { signal, ...body }: DecideCalibration): Promise<CalibrationDecidedBody> =>
    transport.json({
      method: "PUT",
      path: `/calibrations/${encodeURIComponent(id)}/decisions/${encodeURIComponent(question)}`,
      body: inSnakeCase(body),
      signal,
    }),
  /** Compares first reviews with their blind second reviews, per question of the latest version. See docs/statistics.md for the formulas. */
  agreement: ({ signal, ...query }: FindAgreement): Promise<AgreementReportBody> =>
    transport.json({ method: "GET", path: `/agreement`, query: query, signal }),
});

const openCalls = (transport: Transport) => ({
  /** Returns the start and end of each turn of speech, by side, in milliseconds from the start of the recording. */
  speech: (id: string, options: RequestOptions = {}): Promise<SpeechBody> =>
    transport.json({ method: "GET", path: `/calls/${encodeURIComponent(id)}/speech`, ...options }),
  /** Returns the call with its recording, talk time, preparation status and, if preparation failed, the reason. */
  find: (id: string, options: RequestOptions = {}): Promise<CallDetailBody> =>
    transport.json({ method: "GET", path: `/calls/${encodeURIComponent(id)}`, ...options }),
  /** Erase a call. Permanently erases the call and its recording. A later import of the same call returns the status `erased` and stores nothing. */
  erase: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/calls/${encodeURIComponent(id)}`, options),
  /** Queues a failed call to be prepared again. */
  prepare: (id: string, options: RequestOptions = {}): Promise<CallDetailBody> =>
    transport.json({ method: "POST", path: `/calls/${encodeURIComponent(id)}/prepare`, repeatable: true, ...options }),
  /** Returns every change, newest first: when it was made, by whom, and the old and new value of each field. */
  changes: (id: string, args: ListCallChanges = {}): Items<CallChangeBody> =>
    paged(
      ({ signal, ...query }: ListCallChanges) =>
        transport.json<CallChangePageBody>({
          method: "GET",
          path: `/calls/${encodeURIComponent(id)}/changes`,
          query,
          signal,
        }),
      (page) => ({ items: page.changes, next: page.next }),
    ).all(args),
  /** Returns every change, newest first: when it was made, by whom, and the old and new value of each field. */
  changesPage: (id: string, args: ListCallChanges = {}): Promise<CallChangePageBody> =>
    paged(
      ({ signal, ...query }: ListCallChanges) =>
        transport.json<CallChangePageBody>({
          method: "GET",
          path: `/calls/${encodeURIComponent(id)}/changes`,
          query,
          signal,
        }),
      (page) => ({ items: page.changes, next: page.next }),
    ).page(args),
});

const openCallNotes = (transport: Transport) => ({
  /** Lists the notes of a call by their position in the recording. Agents do not see them. */
  list: (id: string, options: RequestOptions = {}): Promise<CallNoteListBody["notes"]> =>
    transport
      .json<CallNoteListBody>({ method: "GET", path: `/calls/${encodeURIComponent(id)}/notes`, ...options })
      .then((body) => body.notes),
  /** Adds a note at a position of the recording. */
  create: (id: string, { signal, ...body }: CreateNote): Promise<CallNoteBody> =>
    transport.json({ method: "POST", path: `/calls/${encodeURIComponent(id)}/notes`, body: inSnakeCase(body), signal }),
  /** Changes the text or the position of your note. */
  change: (id: string, note: string, { signal, ...body }: ChangeNote = {}): Promise<CallNoteBody> =>
    transport.json({
      method: "PATCH",
      path: `/calls/${encodeURIComponent(id)}/notes/${encodeURIComponent(note)}`,
      body: inSnakeCase(body),
      signal,
    }),
  /** Deletes your note. Supervisors and administrators may delete every note. */
  delete: (id: string, note: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/calls/${encodeURIComponent(id)}/notes/${encodeURIComponent(note)}`, options),
});

const openCampaigns = (transport: Transport) => ({
  /** Lists the campaigns of the workspace, ordered by id. Archived campaigns are included only if requested with `archived`. A restricted key sees its own campaigns; an agent sees the campaigns in which they have calls. */
  list: (args: ListCampaigns = {}): Items<CampaignBody> =>
    paged(
      ({ signal, ...query }: ListCampaigns) =>
        transport.json<CampaignPageBody>({ method: "GET", path: `/campaigns`, query, signal }),
      (page) => ({ items: page.campaigns, next: page.next }),
    ).all(args),
  /** Lists the campaigns of the workspace, ordered by id. Archived campaigns are included only if requested with `archived`. A restricted key sees its own campaigns; an agent sees the campaigns in which they have calls. */
  page: (args: ListCampaigns = {}): Promise<CampaignPageBody> =>
    paged(
      ({ signal, ...query }: ListCampaigns) =>
        transport.json<CampaignPageBody>({ method: "GET", path: `/campaigns`, query, signal }),
      (page) => ({ items: page.campaigns, next: page.next }),
    ).page(args),
  /** Returns a campaign, including archived campaigns. */
  find: (id: string, options: RequestOptions = {}): Promise<CampaignBody> =>
    transport.json({ method: "GET", path: `/campaigns/${encodeURIComponent(id)}`, ...options }),
  /** Creates a campaign. Every call belongs to a campaign. You can treat a 409 as success: the campaign already exists and nothing was changed. */
  create: ({ signal, ...body }: CreateCampaign): Promise<CampaignBody> =>
    transport.json({
      method: "POST",
      path: `/campaigns`,
      body: inSnakeCase(body),
      repeatable: body.id !== undefined,
      signal,
    }),
  /** Update a campaign. Changes, archives or reactivates a campaign. Omitted fields stay unchanged. Only administrators change retention, transcription and masking. An archived campaign keeps its calls and rejects imports (404 `campaign_archived`). */
  change: (id: string, { signal, ...body }: ChangeCampaign = {}): Promise<CampaignBody> =>
    transport.json({ method: "PATCH", path: `/campaigns/${encodeURIComponent(id)}`, body: inSnakeCase(body), signal }),
});

const openDisputes = (transport: Transport) => ({
  /** Lists disputes: open ones oldest first, resolved ones newest first. Agents see their own; reviewers those that they decide. */
  list: (args: ListDisputes = {}): Items<DisputeBody> =>
    paged(
      ({ signal, ...query }: ListDisputes) =>
        transport.json<DisputePageBody>({ method: "GET", path: `/disputes`, query, signal }),
      (page) => ({ items: page.disputes, next: page.next }),
    ).all(args),
  /** Lists disputes: open ones oldest first, resolved ones newest first. Agents see their own; reviewers those that they decide. */
  page: (args: ListDisputes = {}): Promise<DisputePageBody> =>
    paged(
      ({ signal, ...query }: ListDisputes) =>
        transport.json<DisputePageBody>({ method: "GET", path: `/disputes`, query, signal }),
      (page) => ({ items: page.disputes, next: page.next }),
    ).page(args),
  /** Returns a dispute with its questions and decisions. */
  find: (id: string, options: RequestOptions = {}): Promise<DisputeBody> =>
    transport.json({ method: "GET", path: `/disputes/${encodeURIComponent(id)}`, ...options }),
  /** Objects to answers of a released review of your call. The person who decides is neither you nor the reviewer. A dispute never lowers the score. */
  open: (
    id: string,
    items: readonly {
      readonly question_id: string;
      /** The answer that the agent thinks right: value or not_applicable. */
      readonly proposed: {
        /** yes or no, an option id, a list of option ids, a number, or text, as the question requires. */
        readonly value?: string | readonly string[] | number | undefined;
        readonly not_applicable?: true | undefined;
        readonly comment?: string | undefined;
        readonly moments?:
          | readonly {
              readonly start_ms: number;
              readonly end_ms: number;
            }[]
          | undefined;
      };
      /** Blank only if the call was erased: then texts are not stored. */
      readonly reason: string;
      readonly moment?:
        | {
            readonly start_ms: number;
            readonly end_ms: number;
          }
        | undefined;
    }[],
    options: RequestOptions = {},
  ): Promise<DisputeBody> =>
    transport.json({
      method: "POST",
      path: `/reviews/${encodeURIComponent(id)}/disputes`,
      body: { items: items },
      ...options,
    }),
  /** Gives an open dispute to another arbiter. */
  assign: (id: string, arbiterId: string, options: RequestOptions = {}): Promise<DisputeBody> =>
    transport.json({
      method: "PATCH",
      path: `/disputes/${encodeURIComponent(id)}`,
      body: { arbiter_id: arbiterId },
      ...options,
    }),
  /** Keeps a decided dispute as a test case of its scorecard, with this name. null: no longer. */
  keepAsTestCase: (id: string, testCase: string | null, options: RequestOptions = {}): Promise<DisputeBody> =>
    transport.json({
      method: "PATCH",
      path: `/disputes/${encodeURIComponent(id)}`,
      body: { test_case: testCase },
      ...options,
    }),
  /** Upholds or changes each disputed answer, with an explanation that the agent reads. Changed answers make a new revision of the review. */
  resolve: (
    id: string,
    items: readonly {
      readonly question_id: string;
      readonly decision: "upheld" | "changed";
      /** With `changed`: the new answer. Default: the proposed one. */
      readonly answer?:
        | {
            /** yes or no, an option id, a list of option ids, a number, or text, as the question requires. */
            readonly value?: string | readonly string[] | number | undefined;
            readonly not_applicable?: true | undefined;
            readonly comment?: string | undefined;
            readonly moments?:
              | readonly {
                  readonly start_ms: number;
                  readonly end_ms: number;
                }[]
              | undefined;
          }
        | undefined;
      /** The agent reads it. Blank only if the call was erased: then texts are not stored. */
      readonly explanation: string;
    }[],
    options: RequestOptions = {},
  ): Promise<DisputeBody> =>
    transport.json({
      method: "POST",
      path: `/disputes/${encodeURIComponent(id)}/resolve`,
      body: { items: items },
      ...options,
    }),
});

const openPlans = (transport: Transport) => ({
  /** Lists the plans by which calls are drawn for review, newest first. */
  list: (args: ListPlans = {}): Items<PlanBody> =>
    paged(
      ({ signal, ...query }: ListPlans) =>
        transport.json<PlanPageBody>({ method: "GET", path: `/plans`, query, signal }),
      (page) => ({ items: page.plans, next: page.next }),
    ).all(args),
  /** Lists the plans by which calls are drawn for review, newest first. */
  page: (args: ListPlans = {}): Promise<PlanPageBody> =>
    paged(
      ({ signal, ...query }: ListPlans) =>
        transport.json<PlanPageBody>({ method: "GET", path: `/plans`, query, signal }),
      (page) => ({ items: page.plans, next: page.next }),
    ).page(args),
  /** Returns a plan. */
  find: (id: string, options: RequestOptions = {}): Promise<PlanBody> =>
    transport.json({ method: "GET", path: `/plans/${encodeURIComponent(id)}`, ...options }),
  /** Creates a plan. Its first period begins now and ends with the current day, week or month. */
  create: (body: PlanInput, options: RequestOptions = {}): Promise<PlanBody> =>
    transport.json({ method: "POST", path: `/plans`, body, ...options }),
  /** Counts the calls of the last day, week or month that match, and the reviews that a draw would make. */
  preview: (body: Partial<PlanInput>, options: RequestOptions = {}): Promise<PlanPreviewBody> =>
    transport.json({ method: "POST", path: `/plans/preview`, body, ...options }),
  /** Changes a plan, or ends it after its current period. Rules apply from the next period on; reviewers, due date and second reviews from the next draw on. */
  change: (id: string, body: Partial<PlanInput>, options: RequestOptions = {}): Promise<PlanBody> =>
    transport.json({ method: "PATCH", path: `/plans/${encodeURIComponent(id)}`, body, ...options }),
  /** Ends the plan after its current period. */
  end: (id: string, options: RequestOptions = {}): Promise<PlanBody> =>
    transport.json({ method: "PATCH", path: `/plans/${encodeURIComponent(id)}`, body: { ended: true }, ...options }),
});

const openDraws = (transport: Transport) => ({
  /** Lists draws, newest first: what was published before each period, and after it. Agents see how many of their own calls were drawn. */
  list: (args: ListDraws = {}): Items<DrawBody> =>
    paged(
      ({ signal, ...query }: ListDraws) =>
        transport.json<DrawPageBody>({ method: "GET", path: `/draws`, query, signal }),
      (page) => ({ items: page.draws, next: page.next }),
    ).all(args),
  /** Lists draws, newest first: what was published before each period, and after it. Agents see how many of their own calls were drawn. */
  page: (args: ListDraws = {}): Promise<DrawPageBody> =>
    paged(
      ({ signal, ...query }: ListDraws) =>
        transport.json<DrawPageBody>({ method: "GET", path: `/draws`, query, signal }),
      (page) => ({ items: page.draws, next: page.next }),
    ).page(args),
  /** Returns a draw. */
  find: (id: string, options: RequestOptions = {}): Promise<DrawBody> =>
    transport.json({ method: "GET", path: `/draws/${encodeURIComponent(id)}`, ...options }),
  /** Sets a text that nobody could know when the service committed to the draw, for example lottery numbers. It becomes part of the seed. */
  setNonce: (id: string, nonce: string, options: RequestOptions = {}): Promise<DrawBody> =>
    transport.json({ method: "PATCH", path: `/draws/${encodeURIComponent(id)}`, body: { nonce: nonce }, ...options }),
  /** Returns a file with which anyone can recompute the draw: `hearback draws verify`, or docs/verify-draw.py. Agents get the part with their own calls. See docs/fairness.md. */
  proof: (id: string, { signal, ...query }: GetDrawProof = {}): Promise<Download> =>
    transport.download({ method: "GET", path: `/draws/${encodeURIComponent(id)}/proof`, query: query, signal }),
  /** Returns how many reviews of a draw each reviewer has to do and has done. */
  reviewers: (id: string, options: RequestOptions = {}): Promise<DrawReviewersBody> =>
    transport.json({ method: "GET", path: `/draws/${encodeURIComponent(id)}/reviewers`, ...options }),
});

const openAssignments = (transport: Transport) => ({
  /** Lists drawn calls: open ones in the order of the queue, others newest first. Reviewers see their own; supervisors all. */
  list: (args: ListAssignments = {}): Items<AssignmentBody> =>
    paged(
      ({ signal, ...query }: ListAssignments) =>
        transport.json<AssignmentPageBody>({ method: "GET", path: `/assignments`, query, signal }),
      (page) => ({ items: page.assignments, next: page.next }),
    ).all(args),
  /** Lists drawn calls: open ones in the order of the queue, others newest first. Reviewers see their own; supervisors all. */
  page: (args: ListAssignments = {}): Promise<AssignmentPageBody> =>
    paged(
      ({ signal, ...query }: ListAssignments) =>
        transport.json<AssignmentPageBody>({ method: "GET", path: `/assignments`, query, signal }),
      (page) => ({ items: page.assignments, next: page.next }),
    ).page(args),
  /** Returns what you have to review, what you did this week, and the next call. */
  queue: (options: RequestOptions = {}): Promise<QueueBody> =>
    transport.json({ method: "GET", path: `/assignments/queue`, ...options }),
  /** Skips a call that cannot be reviewed. The agent's next ticket takes its place. Reasons are counted and visible to agents. */
  skip: (id: string, { signal, ...body }: SkipAssignment): Promise<AssignmentBody> =>
    transport.json({
      method: "POST",
      path: `/assignments/${encodeURIComponent(id)}/skip`,
      body: inSnakeCase(body),
      signal,
    }),
  /** Gives the call to another reviewer of the plan. If nobody can review it, it waits for a supervisor. */
  handBack: (id: string, options: RequestOptions = {}): Promise<AssignmentBody> =>
    transport.json({ method: "POST", path: `/assignments/${encodeURIComponent(id)}/hand-back`, ...options }),
  /** Gives a drawn call to another reviewer. A draft that was started for it is deleted. */
  reassign: (id: string, reviewerId: string, { signal, ...body }: Reassign = {}): Promise<AssignmentBody> =>
    transport.json({
      method: "PATCH",
      path: `/assignments/${encodeURIComponent(id)}`,
      body: { reviewer_id: reviewerId, ...inSnakeCase(body) },
      signal,
    }),
});

const openErasures = (transport: Transport) => ({
  /** Counts what an erasure would erase now, without changing anything. Counting stops after 8 seconds; `complete` is then false and the counts are lower bounds. */
  preview: ({ signal, ...body }: ErasureTarget): Promise<ErasurePreviewBody> =>
    transport.json({ method: "POST", path: `/erasures/preview`, body: inSnakeCase(body), repeatable: true, signal }),
  /** Erases all calls of the subject, with their recordings, in the background. Calls under a legal hold are kept and counted. If the subject is an agent, the agent is erased too, unless calls of theirs are kept. Poll GET /erasures/{id} for progress. */
  request: ({ signal, ...body }: ErasureTarget): Promise<ErasureBody> =>
    transport.json({ method: "POST", path: `/erasures`, body: inSnakeCase(body), signal }),
  /** Returns erasures, newest first: those requested, and those that a campaign's retention started. */
  list: (args: ListErasures = {}): Items<ErasureBody> =>
    paged(
      ({ signal, ...query }: ListErasures) =>
        transport.json<ErasurePageBody>({ method: "GET", path: `/erasures`, query, signal }),
      (page) => ({ items: page.erasures, next: page.next }),
    ).all(args),
  /** Returns erasures, newest first: those requested, and those that a campaign's retention started. */
  page: (args: ListErasures = {}): Promise<ErasurePageBody> =>
    paged(
      ({ signal, ...query }: ListErasures) =>
        transport.json<ErasurePageBody>({ method: "GET", path: `/erasures`, query, signal }),
      (page) => ({ items: page.erasures, next: page.next }),
    ).page(args),
  /** Returns the state of an erasure and how many calls it found, erased and kept because of a legal hold. */
  find: (id: string, options: RequestOptions = {}): Promise<ErasureBody> =>
    transport.json({ method: "GET", path: `/erasures/${encodeURIComponent(id)}`, ...options }),
  /** Returns proof of an erasure: what was erased, when and by whom, as counts and ids, with a reference to the audit log. It contains no erased data. */
  certificate: (id: string, options: RequestOptions = {}): Promise<CertificateBody> =>
    transport.json({ method: "GET", path: `/erasures/${encodeURIComponent(id)}/certificate`, ...options }),
});

const openHolds = (transport: Transport) => ({
  /** Protects a call, the calls of an agent or the calls of a campaign from erasure, both on request and by retention, until the hold is released. */
  create: ({ signal, ...body }: CreateHold): Promise<HoldBody> =>
    transport.json({ method: "POST", path: `/holds`, body: inSnakeCase(body), signal }),
  /** Returns legal holds, newest first. */
  list: (args: ListHolds = {}): Items<HoldBody> =>
    paged(
      ({ signal, ...query }: ListHolds) =>
        transport.json<HoldPageBody>({ method: "GET", path: `/holds`, query, signal }),
      (page) => ({ items: page.holds, next: page.next }),
    ).all(args),
  /** Returns legal holds, newest first. */
  page: (args: ListHolds = {}): Promise<HoldPageBody> =>
    paged(
      ({ signal, ...query }: ListHolds) =>
        transport.json<HoldPageBody>({ method: "GET", path: `/holds`, query, signal }),
      (page) => ({ items: page.holds, next: page.next }),
    ).page(args),
  /** Ends the hold. The calls it protected can be erased again. The hold stays in the list as history. */
  release: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/holds/${encodeURIComponent(id)}`, options),
});

const openImports = (transport: Transport) => ({
  /** Counts the calls imported on each of the last days, by campaign and status, with the reasons for failed preparations and refused imports. Days start at midnight in `timeZone`. */
  summary: ({ signal, ...query }: SummarizeImports = {}): Promise<ImportSummaryBody> =>
    transport.json({ method: "GET", path: `/imports/summary`, query: query, signal }),
});

const openKeys = (transport: Transport) => ({
  /** Lists all API keys of the workspace, newest first, including revoked and expired ones. Secrets are not stored and cannot be retrieved. */
  list: (args: ListKeys = {}): Items<KeyBody> =>
    paged(
      ({ signal, ...query }: ListKeys) => transport.json<KeyPageBody>({ method: "GET", path: `/keys`, query, signal }),
      (page) => ({ items: page.keys, next: page.next }),
    ).all(args),
  /** Lists all API keys of the workspace, newest first, including revoked and expired ones. Secrets are not stored and cannot be retrieved. */
  page: (args: ListKeys = {}): Promise<KeyPageBody> =>
    paged(
      ({ signal, ...query }: ListKeys) => transport.json<KeyPageBody>({ method: "GET", path: `/keys`, query, signal }),
      (page) => ({ items: page.keys, next: page.next }),
    ).page(args),
  /** Create an API key. The response contains the key's secret. Save it now: only a hash is stored. A key restricted to campaigns can access only their data, and cannot manage keys, webhooks, other users or the workspace. A key created with another key cannot have scopes that key lacks, and inherits its limits. */
  create: ({ signal, ...body }: CreateKey): Promise<NewKeyBody> =>
    transport.json({ method: "POST", path: `/keys`, body: inSnakeCase(body), signal }),
  /** Returns the key without its secret, with its last use, expiry and revocation. */
  find: (id: string, options: RequestOptions = {}): Promise<KeyBody> =>
    transport.json({ method: "GET", path: `/keys/${encodeURIComponent(id)}`, ...options }),
  /** Renames a key or changes its expiry. Omitted fields stay unchanged. Scopes and campaigns cannot be changed; create a new key instead. Revoked and expired keys cannot be reactivated. A key cannot extend a key with more scopes or higher limits than its own. */
  change: (id: string, { signal, ...body }: ChangeKey = {}): Promise<KeyBody> =>
    transport.json({ method: "PATCH", path: `/keys/${encodeURIComponent(id)}`, body: inSnakeCase(body), signal }),
  /** Revoke an API key. Permanently revokes the key within a second on every process. Idempotent. A key cannot revoke the last key that can manage the workspace, to prevent a lockout. */
  revoke: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/keys/${encodeURIComponent(id)}`, options),
  /** Creates a new key with the same name, scopes, campaigns and limits. The response contains its secret; save it now. The old key keeps working for `overlapHours` (default 24), so that you can deploy the new key without downtime. A key cannot rotate a key with more scopes or higher limits than its own. */
  rotate: (id: string, { signal, ...body }: RotateKey = {}): Promise<NewKeyBody> =>
    transport.json({ method: "POST", path: `/keys/${encodeURIComponent(id)}/rotate`, body: inSnakeCase(body), signal }),
});

const openLimits = (transport: Transport) => ({
  /** Returns the limits and current usage of this key and its workspace, and the fixed limits of the API. Every response reports the limits that apply to its request in the `RateLimit-Policy` and `RateLimit` headers. Requests over a limit get a 429 response with `Retry-After`. */
  find: (options: RequestOptions = {}): Promise<LimitsBody> =>
    transport.json({ method: "GET", path: `/limits`, ...options }),
});

const openReviews = (transport: Transport) => ({
  /** Lists reviews, newest first. Agents see their own released reviews. Reviewers see their own and, with `callId`, those of others after they submitted one for the same call. A page can be shorter than `limit`; `next` is null only at the end. */
  list: (args: ListReviews = {}): Items<ReviewBody> =>
    paged(
      ({ signal, ...query }: ListReviews) =>
        transport.json<ReviewPageBody>({ method: "GET", path: `/reviews`, query, signal }),
      (page) => ({ items: page.reviews, next: page.next }),
    ).all(args),
  /** Lists reviews, newest first. Agents see their own released reviews. Reviewers see their own and, with `callId`, those of others after they submitted one for the same call. A page can be shorter than `limit`; `next` is null only at the end. */
  page: (args: ListReviews = {}): Promise<ReviewPageBody> =>
    paged(
      ({ signal, ...query }: ListReviews) =>
        transport.json<ReviewPageBody>({ method: "GET", path: `/reviews`, query, signal }),
      (page) => ({ items: page.reviews, next: page.next }),
    ).page(args),
  /** Exports all reviews that match the filters, newest first, with one row per review or per answer. See docs/exports.md for the format. If the export fails midway, the connection is closed before the end of the file. */
  export: ({ signal, ...query }: ExportReviews): Promise<Download> =>
    transport.download({ method: "GET", path: `/reviews/export`, query: query, signal }),
  /** Returns a review with its answers, score breakdown and history. The answers of a draft are visible to its reviewer only. */
  find: (id: string, options: RequestOptions = {}): Promise<ReviewDetailBody> =>
    transport.json({ method: "GET", path: `/reviews/${encodeURIComponent(id)}`, ...options }),
  /** Starts a review of a call on the latest version of a scorecard. With `calibrationId`, for a calibration session, on its version. If you have started it already, returns it with status 200. */
  start: ({ signal, ...body }: StartReview): Promise<ReviewDetailBody> =>
    transport.json({ method: "POST", path: `/reviews`, body: inSnakeCase(body), signal }),
  /** Saves the answer to one question of your draft, with its comment and moments. An empty object removes the answer. If the draft was changed meanwhile, nothing is saved, and the response contains its current state (412). */
  saveAnswer: (id: string, question: string, body: ReviewAnswer, { signal, ifMatch }: SaveAnswer): Promise<SavedBody> =>
    transport.json({
      method: "PUT",
      path: `/reviews/${encodeURIComponent(id)}/answers/${encodeURIComponent(question)}`,
      body,
      headers: ifMatchHeader(ifMatch),
      signal,
    }),
  /** Saves the comment on the whole review, and the time that you worked on it. The comment needs `If-Match`; the time does not, and does not change the number. */
  changeDraft: (id: string, { signal, ifMatch, ...body }: ChangeReview = {}): Promise<SavedBody> =>
    transport.json({
      method: "PATCH",
      path: `/reviews/${encodeURIComponent(id)}`,
      body: inSnakeCase(body),
      headers: ifMatchHeader(ifMatch),
      signal,
    }),
  /** Deletes your draft. A review that was submitted once cannot be deleted. */
  discard: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/reviews/${encodeURIComponent(id)}`, options),
  /** Submits a review. Throws a ServiceError with code "review_incomplete" if answers are missing. */
  submit: (id: string, { signal, ifMatch }: SubmitReview): Promise<ReviewDetailBody> =>
    transport.json({
      method: "POST",
      path: `/reviews/${encodeURIComponent(id)}/submit`,
      headers: ifMatchHeader(ifMatch),
      signal,
    }),
  /** Makes a submitted review, which is not released yet, a draft of its reviewer again. For the reviewer and for supervisors. */
  reopen: (id: string, options: RequestOptions = {}): Promise<ReviewDetailBody> =>
    transport.json({ method: "POST", path: `/reviews/${encodeURIComponent(id)}/reopen`, ...options }),
  /** Makes a submitted review visible to the agent. From now on the agent can acknowledge and dispute it. */
  release: (id: string, options: RequestOptions = {}): Promise<ReviewDetailBody> =>
    transport.json({ method: "POST", path: `/reviews/${encodeURIComponent(id)}/release`, ...options }),
  /** Releases up to 200 reviews. Those that do not wait for release, are never released, or do not exist, are skipped. */
  releaseMany: (ids: readonly string[], options: RequestOptions = {}): Promise<ReviewsReleasedBody> =>
    transport.json({ method: "POST", path: `/reviews/release`, body: { ids: ids }, ...options }),
  /** Changes answers of a submitted or released review. Adds a revision with your reason; earlier revisions and scores stay visible. */
  correct: (id: string, { signal, ...body }: CorrectReview): Promise<ReviewDetailBody> =>
    transport.json({
      method: "POST",
      path: `/reviews/${encodeURIComponent(id)}/correct`,
      body: inSnakeCase(body),
      signal,
    }),
  /** Voids a submitted or released review: it counts nowhere from now on, and stays visible with your reason. */
  void: (id: string, reason: string, options: RequestOptions = {}): Promise<ReviewDetailBody> =>
    transport.json({
      method: "POST",
      path: `/reviews/${encodeURIComponent(id)}/void`,
      body: { reason: reason },
      ...options,
    }),
  /** Records that you have read the review of your call. Optionally with a note. */
  acknowledge: (id: string, note?: string, options: RequestOptions = {}): Promise<ReviewDetailBody> =>
    transport.json({
      method: "POST",
      path: `/reviews/${encodeURIComponent(id)}/acknowledge`,
      body: { note: note },
      ...options,
    }),
  /** Counts your drafts, reviews to release or to acknowledge, and disputes to decide. Each count stops at 100. */
  waiting: (options: RequestOptions = {}): Promise<WaitingBody> =>
    transport.json({ method: "GET", path: `/reviews/waiting`, ...options }),
});

const openScorecards = (transport: Transport) => ({
  /** Lists the scorecards of the workspace, newest first. Retired ones are included only if requested with `retired`. Agents, reviewers, keys without the `review` scope and keys restricted to campaigns see published scorecards only. */
  list: (args: ListScorecards = {}): Items<ScorecardBody> =>
    paged(
      ({ signal, ...query }: ListScorecards) =>
        transport.json<ScorecardPageBody>({ method: "GET", path: `/scorecards`, query, signal }),
      (page) => ({ items: page.scorecards, next: page.next }),
    ).all(args),
  /** Lists the scorecards of the workspace, newest first. Retired ones are included only if requested with `retired`. Agents, reviewers, keys without the `review` scope and keys restricted to campaigns see published scorecards only. */
  page: (args: ListScorecards = {}): Promise<ScorecardPageBody> =>
    paged(
      ({ signal, ...query }: ListScorecards) =>
        transport.json<ScorecardPageBody>({ method: "GET", path: `/scorecards`, query, signal }),
      (page) => ({ items: page.scorecards, next: page.next }),
    ).page(args),
  /** Returns a scorecard. For those who may change it, `draft` contains the unpublished changes and what the linter found in them. */
  find: (id: string, options: RequestOptions = {}): Promise<ScorecardDetailBody> =>
    transport.json({ method: "GET", path: `/scorecards/${encodeURIComponent(id)}`, ...options }),
  /** Creates a scorecard with a draft: from a template, from a document, or empty. Reviews are possible once it is published. */
  create: ({ signal, ...body }: CreateScorecard = {}): Promise<ScorecardDetailBody> =>
    transport.json({ method: "POST", path: `/scorecards`, body: inSnakeCase(body), signal }),
  /** Changes the campaigns that the scorecard is for and the users who decide disputes, or retires it. Omitted fields stay unchanged. */
  change: (id: string, { signal, ...body }: ChangeScorecard = {}): Promise<ScorecardBody> =>
    transport.json({ method: "PATCH", path: `/scorecards/${encodeURIComponent(id)}`, body: inSnakeCase(body), signal }),
  /** Replaces the draft. It may be incomplete: `findings` in the response lists what the linter found. The published versions stay as they are. */
  saveDraft: (
    id: string,
    document: Readonly<Record<string, unknown>>,
    { signal, ifMatch }: SaveScorecardDraft = {},
  ): Promise<ScorecardDetailBody> =>
    transport.json({
      method: "PUT",
      path: `/scorecards/${encodeURIComponent(id)}/draft`,
      body: { document: document },
      headers: ifMatchHeader(ifMatch),
      signal,
    }),
  /** Deletes the draft. The published versions stay as they are. */
  discardDraft: (id: string, { signal, ifMatch }: DiscardScorecardDraft = {}): Promise<void> =>
    transport.send({
      method: "DELETE",
      path: `/scorecards/${encodeURIComponent(id)}/draft`,
      headers: ifMatchHeader(ifMatch),
      signal,
    }),
  /** Publishes the draft as the next version. Throws a ServiceError with code "scorecard_invalid" if the linter finds errors. */
  publish: (id: string, { signal, ifMatch }: PublishScorecard = {}): Promise<ScorecardVersionBody> =>
    transport.json({
      method: "POST",
      path: `/scorecards/${encodeURIComponent(id)}/publish`,
      headers: ifMatchHeader(ifMatch),
      signal,
    }),
  /** Returns the decided disputes that are kept as test cases: answers, and the score that they must have. The response is a file for `hearback scorecards test`. */
  testCases: (id: string, options: RequestOptions = {}): Promise<TestCasesBody> =>
    transport.json({ method: "GET", path: `/scorecards/${encodeURIComponent(id)}/test-cases`, ...options }),
  /** Lists the published versions without their documents, newest first. */
  versionsPage: (id: string, args: ListScorecardVersions = {}): Promise<ScorecardVersionPageBody> =>
    paged(
      ({ signal, ...query }: ListScorecardVersions) =>
        transport.json<ScorecardVersionPageBody>({
          method: "GET",
          path: `/scorecards/${encodeURIComponent(id)}/versions`,
          query,
          signal,
        }),
      (page) => ({ items: page.versions, next: page.next }),
    ).page(args),
  /** Returns a published version with its document. It never changes. */
  version: (id: string, version: number, options: RequestOptions = {}): Promise<ScorecardVersionBody> =>
    transport.json({
      method: "GET",
      path: `/scorecards/${encodeURIComponent(id)}/versions/${encodeURIComponent(version)}`,
      ...options,
    }),
});

const openScores = (transport: Transport) => ({
  /** Returns the scores of released reviews: by week, question and section, with intervals, outcomes, disputes and times. */
  overview: ({ signal, ...query }: GetScoresOverview): Promise<ScoresOverviewBody> =>
    transport.json({ method: "GET", path: `/scores/overview`, query: query, signal }),
  /** Returns how many of the calls that plans drew in the period are reviewed, and how many are overdue. Skipped calls and second reviews do not count. */
  coverage: ({ signal, ...query }: GetCoverage): Promise<CoverageBody> =>
    transport.json({ method: "GET", path: `/scores/coverage`, query: query, signal }),
  /** Lists agents with released reviews in the period, in the order of their ids. No ranking: differences are mostly chance. A page can be shorter than `limit`. */
  agents: (args: ListAgentScores): Items<AgentScore> =>
    paged(
      ({ signal, ...query }: ListAgentScores) =>
        transport.json<AgentScorePageBody>({ method: "GET", path: `/scores/agents`, query, signal }),
      (page) => ({ items: page.agents, next: page.next }),
    ).all(args),
  /** Lists agents with released reviews in the period, in the order of their ids. No ranking: differences are mostly chance. A page can be shorter than `limit`. */
  agentsPage: (args: ListAgentScores): Promise<AgentScorePageBody> =>
    paged(
      ({ signal, ...query }: ListAgentScores) =>
        transport.json<AgentScorePageBody>({ method: "GET", path: `/scores/agents`, query, signal }),
      (page) => ({ items: page.agents, next: page.next }),
    ).page(args),
  /** Lists reviewers with released reviews in the period, in the order of their ids. This is no ranking. */
  reviewers: (args: ListReviewerScores): Items<ReviewerScore> =>
    paged(
      ({ signal, ...query }: ListReviewerScores) =>
        transport.json<ReviewerScorePageBody>({ method: "GET", path: `/scores/reviewers`, query, signal }),
      (page) => ({ items: page.reviewers, next: page.next }),
    ).all(args),
  /** Lists reviewers with released reviews in the period, in the order of their ids. This is no ranking. */
  reviewersPage: (args: ListReviewerScores): Promise<ReviewerScorePageBody> =>
    paged(
      ({ signal, ...query }: ListReviewerScores) =>
        transport.json<ReviewerScorePageBody>({ method: "GET", path: `/scores/reviewers`, query, signal }),
      (page) => ({ items: page.reviewers, next: page.next }),
    ).page(args),
  /** Returns the scores of your own released reviews, by week and question. */
  mine: ({ signal, ...query }: GetOwnScores): Promise<OwnScoresBody> =>
    transport.json({ method: "GET", path: `/scores/mine`, query: query, signal }),
});

const openSession = (transport: Transport) => ({
  /** Returns the available sign-in methods. No authentication required. */
  options: (options: RequestOptions = {}): Promise<SessionOptionsBody> =>
    transport.json({ method: "GET", path: `/session/options`, ...options }),
  /** Signs in. Throws a ServiceError with code "second_step_needed" if the user has a second factor: continue with `secondStep`. */
  signIn: ({ signal, ...body }: SignIn): Promise<SessionBody> =>
    transport.json({ method: "POST", path: `/session`, body: inSnakeCase(body), signal }),
  /** Completes a sign-in that returned `second_step_needed`, with a code from the authenticator app or a recovery code. Send the cookie of that response within 5 minutes. Each code works once. Sets the session cookie. */
  secondStep: ({ signal, ...body }: SecondStep = {}): Promise<SessionBody> =>
    transport.json({ method: "POST", path: `/session/second-step`, body: inSnakeCase(body), signal }),
  /** Returns options for `navigator.credentials.get`. Complete the sign-in within 5 minutes. */
  beginPasskeySignIn: (options: RequestOptions = {}): Promise<PasskeyOptionsBody> =>
    transport.json({ method: "POST", path: `/session/passkey/options`, ...options }),
  /** Sets the session cookie. A passkey replaces both the password and the second step, because the device verifies its user. */
  signInByPasskey: (credential: object, options: RequestOptions = {}): Promise<SessionBody> =>
    transport.json({ method: "POST", path: `/session/passkey`, body: { credential: credential }, ...options }),
  /** Returns the session of the request's cookie, with its user and workspace. */
  find: (options: RequestOptions = {}): Promise<SessionBody> =>
    transport.json({ method: "GET", path: `/session`, ...options }),
  /** Changes preferences of the signed-in user that the server applies. */
  change: ({ signal, ...body }: ChangeSessionUser): Promise<SessionBody> =>
    transport.json({ method: "PATCH", path: `/session`, body: inSnakeCase(body), signal }),
  /** Ends the session within a second on every process and clears the session cookie. */
  signOut: (options: RequestOptions = {}): Promise<void> => transport.remove(`/session`, options),
  /** Requires the current password or, to set a first password, a recent confirmation (`POST /session/confirm`). Ends all your other sessions and revokes unused links. */
  changePassword: ({ signal, ...body }: ChangePassword): Promise<void> =>
    transport.send({ method: "POST", path: `/session/password`, body: inSnakeCase(body), signal }),
  /** Confirm your password. Some requests fail with `confirmation_needed` unless you authenticated in the last 10 minutes, by signing in with your password or with this request. Without a password, open `GET /session/oidc?confirm=true` in the browser. */
  confirm: ({ signal, ...body }: ConfirmSession): Promise<void> =>
    transport.send({ method: "POST", path: `/session/confirm`, body: inSnakeCase(body), signal }),
  /** Emails a password reset link that is valid for one hour. The response is the same if no user has this address or if no mail server is configured. */
  forgotPassword: ({ signal, ...body }: ForgotPassword): Promise<void> =>
    transport.send({ method: "POST", path: `/session/forgotten`, body: inSnakeCase(body), signal }),
  /** Returns the kind of a link and who it is for. Throws a ServiceError with code "link_ended" if it is no longer valid. */
  inspectLink: (token: string, options: RequestOptions = {}): Promise<LinkBody> =>
    transport.json({
      method: "POST",
      path: `/session/link/look`,
      body: { token: token },
      repeatable: true,
      ...options,
    }),
  /** Use a link to set a password and sign in. A link can be used once. Sets the session cookie and ends all other sessions of the user. A `sign_in` link needs no password and ends no sessions. A `setup` link creates a workspace and its first administrator, and requires `email`, `name` and `workspaceName`. */
  redeemLink: ({ signal, ...body }: RedeemLink): Promise<SessionBody> =>
    transport.json({ method: "POST", path: `/session/link`, body: inSnakeCase(body), signal }),
  /** Lists your active sessions, newest first. Administrators can list the sessions of any user with `userId`. */
  list: (args: ListSessions = {}): Items<ListedSessionBody> =>
    paged(
      ({ signal, ...query }: ListSessions) =>
        transport.json<SessionPageBody>({ method: "GET", path: `/sessions`, query, signal }),
      (page) => ({ items: page.sessions, next: page.next }),
    ).all(args),
  /** Lists your active sessions, newest first. Administrators can list the sessions of any user with `userId`. */
  page: (args: ListSessions = {}): Promise<SessionPageBody> =>
    paged(
      ({ signal, ...query }: ListSessions) =>
        transport.json<SessionPageBody>({ method: "GET", path: `/sessions`, query, signal }),
      (page) => ({ items: page.sessions, next: page.next }),
    ).page(args),
  /** Ends one of your sessions within a second on every process. Administrators can end any session in the workspace. */
  end: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/sessions/${encodeURIComponent(id)}`, options),
});

const openTeams = (transport: Transport) => ({
  /** Returns all teams of the workspace, ordered by name. A workspace has at most 500. */
  list: (options: RequestOptions = {}): Promise<TeamListBody["teams"]> =>
    transport.json<TeamListBody>({ method: "GET", path: `/teams`, ...options }).then((body) => body.teams),
  /** Creates a team of agents. Add users with PATCH /users/{id}. */
  create: ({ signal, ...body }: CreateTeam): Promise<TeamBody> =>
    transport.json({ method: "POST", path: `/teams`, body: inSnakeCase(body), signal }),
  /** Renames a team. */
  rename: (id: string, { signal, ...body }: SaveTeam): Promise<TeamBody> =>
    transport.json({ method: "PATCH", path: `/teams/${encodeURIComponent(id)}`, body: inSnakeCase(body), signal }),
  /** Says who leads the team. null: nobody. */
  setLead: (id: string, leadId: string | null, options: RequestOptions = {}): Promise<TeamBody> =>
    transport.json({
      method: "PATCH",
      path: `/teams/${encodeURIComponent(id)}`,
      body: { lead_id: leadId },
      ...options,
    }),
  /** Deletes a team. Its members stay and have no team. */
  delete: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/teams/${encodeURIComponent(id)}`, options),
});

const openTranscripts = (transport: Transport) => ({
  /** Returns what was said, in order of time: as JSON with the time of every word, as subtitles (`text/vtt`) or as plain text. Corrections by people are applied. If the call has no transcript, the 404 says why. The audit log records one entry per API key or user, call and 30 minutes. */
  find: (id: string, options: RequestOptions = {}): Promise<TranscriptBody> =>
    transport.json({
      method: "GET",
      path: `/calls/${encodeURIComponent(id)}/transcript`,
      query: { format: "json" },
      ...options,
    }),
  /** Corrects words. What the engine understood stays, and who corrected it and when is kept. A correction that contains a card number or something else that is masked in the campaign is refused (422). */
  correct: (id: string, { signal, ...body }: CorrectTranscript): Promise<TranscriptBody> =>
    transport.json({
      method: "PATCH",
      path: `/calls/${encodeURIComponent(id)}/transcript`,
      body: inSnakeCase(body),
      signal,
    }),
  /** Queues a call to be transcribed: one whose transcription failed, one from before transcription was turned on, or one that shall be transcribed again. A new transcript replaces the former one and its corrections when it is done. */
  request: (id: string, options: RequestOptions = {}): Promise<CallDetailBody> =>
    transport.json({
      method: "POST",
      path: `/calls/${encodeURIComponent(id)}/transcribe`,
      repeatable: true,
      ...options,
    }),
  /** Returns the sentences of a call in which `said` was said, as in `GET /calls`: what to show below a call that was found, and where to start playing it. Empty if the call has no transcript. The audit log records reading them as reading the transcript: one entry per API key or user, call and 30 minutes. */
  matches: (id: string, { signal, ...query }: ListTranscriptMatches): Promise<TranscriptMatchesBody> =>
    transport.json({
      method: "GET",
      path: `/calls/${encodeURIComponent(id)}/transcript/matches`,
      query: query,
      signal,
    }),
  /** Returns the minutes of speech that were sent to the engine on each of the last days (UTC), newest first, and the quota. Days without any are left out. */
  usage: ({ signal, ...query }: GetTranscriptionUsage = {}): Promise<TranscriptionUsageBody> =>
    transport.json({ method: "GET", path: `/transcription/usage`, query: query, signal }),
});

const openTwoStep = (transport: Transport) => ({
  /** Returns your authenticator app, your passkeys and the number of recovery codes left. */
  find: (options: RequestOptions = {}): Promise<TwoStepBody> =>
    transport.json({ method: "GET", path: `/session/two-step`, ...options }),
  /** Returns a secret for an authenticator app (TOTP, RFC 6238). The app becomes a second factor once you confirm a code. Requires a recent confirmation (`POST /session/confirm`). */
  beginTotp: (options: RequestOptions = {}): Promise<NewTotpBody> =>
    transport.json({ method: "POST", path: `/session/two-step/totp`, ...options }),
  /** Adds the app as a second factor and replaces the previous app. Adding your first factor ends your other sessions and returns recovery codes. */
  confirmTotp: (code: string, options: RequestOptions = {}): Promise<FactorAddedBody> =>
    transport.json({ method: "POST", path: `/session/two-step/totp/confirm`, body: { code: code }, ...options }),
  /** Requires a recent confirmation (`POST /session/confirm`). Idempotent. */
  removeTotp: (options: RequestOptions = {}): Promise<void> => transport.remove(`/session/two-step/totp`, options),
  /** Returns options for `navigator.credentials.create`. Add the passkey within 5 minutes, in the same session. Requires a recent confirmation (`POST /session/confirm`). */
  beginPasskey: (options: RequestOptions = {}): Promise<PasskeyOptionsBody> =>
    transport.json({ method: "POST", path: `/session/two-step/passkeys/options`, ...options }),
  /** Adds the passkey that the browser created. Adding your first factor ends your other sessions and returns recovery codes. */
  addPasskey: (name: string, credential: object, options: RequestOptions = {}): Promise<FactorAddedBody> =>
    transport.json({
      method: "POST",
      path: `/session/two-step/passkeys`,
      body: { name: name, credential: credential },
      ...options,
    }),
  /** Requires a recent confirmation (`POST /session/confirm`). */
  removePasskey: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/session/two-step/passkeys/${encodeURIComponent(id)}`, options),
  /** Creates ten recovery codes and invalidates the old ones. Each code replaces the second step once. */
  createRecoveryCodes: (options: RequestOptions = {}): Promise<RecoveryCodesBody> =>
    transport.json({ method: "POST", path: `/session/two-step/recovery-codes`, ...options }),
});

const openUsers = (transport: Transport) => ({
  /** Creates an agent or another user. Agents must exist before calls can be imported for them. You can treat a 409 as success: the user already exists and nothing was changed. Invitation emails are sent for signed-in users and for keys with the `manage` scope that are not restricted to campaigns. With other keys, the user is created without an email (`invitation` is `not_permitted`). */
  invite: ({ signal, ...body }: InviteUser): Promise<UserBody> =>
    transport.json(
      { method: "POST", path: `/users/invite`, body: inSnakeCase(body), repeatable: true, signal },
      ({ id }) => id !== undefined,
    ),
  /** Emails a new link for choosing a password. Earlier links stop working. If no mail server is configured or `byMail` is false, the response contains the link instead, for you to pass on. Supervisors can invite agents and reviewers, and never receive links. */
  sendInvitation: (id: string, { signal, ...body }: SendInvitation = {}): Promise<InvitationBody> =>
    transport.json({
      method: "POST",
      path: `/users/${encodeURIComponent(id)}/invitation`,
      body: inSnakeCase(body),
      signal,
    }),
  /** Removes a user's authenticator app, passkeys and recovery codes and ends their sessions, for example after a lost phone. A session needs a recent confirmation (`POST /session/confirm`). */
  resetTwoStep: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/users/${encodeURIComponent(id)}/two-step`, options),
  /** Lists the users of the workspace, ordered by email address. */
  list: (args: ListUsers = {}): Items<UserBody> =>
    paged(
      ({ signal, ...query }: ListUsers) =>
        transport.json<UserPageBody>({ method: "GET", path: `/users`, query, signal }),
      (page) => ({ items: page.users, next: page.next }),
    ).all(args),
  /** Lists the users of the workspace, ordered by email address. */
  page: (args: ListUsers = {}): Promise<UserPageBody> =>
    paged(
      ({ signal, ...query }: ListUsers) =>
        transport.json<UserPageBody>({ method: "GET", path: `/users`, query, signal }),
      (page) => ({ items: page.users, next: page.next }),
    ).page(args),
  /** Returns a user, including deactivated users. */
  find: (id: string, options: RequestOptions = {}): Promise<UserBody> =>
    transport.json({ method: "GET", path: `/users/${encodeURIComponent(id)}`, ...options }),
  /** Unlink a user's provider account. The first sign-in with the provider links the provider account to the user. Other accounts with the same email address are then refused. This request removes the link and ends the user's sessions; the next account that signs in with the verified email address is linked. Does nothing if no account is linked. */
  unlinkProvider: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/users/${encodeURIComponent(id)}/provider`, options),
  /** Changes the name, role or team of a user, lets them hear original recordings of masked calls, or deactivates or reactivates the user. Omitted fields stay unchanged. A deactivated agent keeps their calls, and older calls can still be imported with the warning `agent_deactivated`. Imports can also name former agents who now have another role. Deactivating a user revokes the API keys they created; first rotate the keys that must keep working. */
  change: (id: string, { signal, ...body }: ChangeUser = {}): Promise<UserBody> =>
    transport.json({ method: "PATCH", path: `/users/${encodeURIComponent(id)}`, body: inSnakeCase(body), signal }),
});

const openWebhooks = (transport: Transport) => ({
  /** Returns all webhooks of the workspace, oldest first, without their secrets. A workspace has at most 50. */
  list: (options: RequestOptions = {}): Promise<WebhookListBody["webhooks"]> =>
    transport.json<WebhookListBody>({ method: "GET", path: `/webhooks`, ...options }).then((body) => body.webhooks),
  /** Creates a webhook. New events are sent to its URL as signed POST requests (Standard Webhooks), at least once. The response contains the secret for verifying signatures, which is shown only once. */
  create: ({ signal, ...body }: CreateWebhook): Promise<WebhookWithSecretBody> =>
    transport.json({ method: "POST", path: `/webhooks`, body: inSnakeCase(body), signal }),
  /** Returns a webhook without its secret. If it is disabled, `disabled` contains the reason. */
  find: (id: string, options: RequestOptions = {}): Promise<WebhookBody> =>
    transport.json({ method: "GET", path: `/webhooks/${encodeURIComponent(id)}`, ...options }),
  /** Changes only the fields in the request. Disabling a webhook cancels its pending deliveries. A webhook that is enabled again receives new events only; replay the events that it missed. */
  change: (id: string, { signal, ...body }: ChangeWebhook = {}): Promise<WebhookBody> =>
    transport.json({ method: "PATCH", path: `/webhooks/${encodeURIComponent(id)}`, body: inSnakeCase(body), signal }),
  /** Deletes the webhook and its deliveries. Pending deliveries are not sent. */
  delete: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/webhooks/${encodeURIComponent(id)}`, options),
  /** Replaces the secret of a webhook. The response contains the new secret, which is shown only once. For `overlapHours` (default 24), payloads are signed with both secrets, so that receivers can switch at any time. */
  rotateSecret: (id: string, { signal, ...body }: RotateWebhookSecret = {}): Promise<WebhookWithSecretBody> =>
    transport.json({
      method: "POST",
      path: `/webhooks/${encodeURIComponent(id)}/rotate-secret`,
      body: inSnakeCase(body),
      signal,
    }),
  /** Sends a `webhook.test` event to this webhook only, whatever event types it subscribes to. */
  test: (id: string, options: RequestOptions = {}): Promise<WebhookTestBody> =>
    transport.json({ method: "POST", path: `/webhooks/${encodeURIComponent(id)}/test`, ...options }),
  /** Returns the deliveries of a webhook, sent and pending, newest first, each with all its attempts. */
  deliveries: (id: string, args: ListDeliveries = {}): Items<DeliveryBody> =>
    paged(
      ({ signal, ...query }: ListDeliveries) =>
        transport.json<DeliveryPageBody>({
          method: "GET",
          path: `/webhooks/${encodeURIComponent(id)}/deliveries`,
          query,
          signal,
        }),
      (page) => ({ items: page.deliveries, next: page.next }),
    ).all(args),
  /** Returns the deliveries of a webhook, sent and pending, newest first, each with all its attempts. */
  deliveriesPage: (id: string, args: ListDeliveries = {}): Promise<DeliveryPageBody> =>
    paged(
      ({ signal, ...query }: ListDeliveries) =>
        transport.json<DeliveryPageBody>({
          method: "GET",
          path: `/webhooks/${encodeURIComponent(id)}/deliveries`,
          query,
          signal,
        }),
      (page) => ({ items: page.deliveries, next: page.next }),
    ).page(args),
  /** Sends one event again, or all events in a range that this webhook subscribes to, with their original ids. Replays at most 10,000 events per request; if there are more, pass `next` as `after` to continue. */
  replay: (id: string, { signal, ...body }: ReplayEvents = {}): Promise<ReplayedBody> =>
    transport.json({
      method: "POST",
      path: `/webhooks/${encodeURIComponent(id)}/replay`,
      body: inSnakeCase(body),
      signal,
    }),
});

const openWhatIfs = (transport: Transport) => ({
  /** Lists the runs of the last 30 days without their results, newest first. */
  list: (id: string, args: ListWhatIfs = {}): Items<WhatIfPageBody["what_ifs"][number]> =>
    paged(
      ({ signal, ...query }: ListWhatIfs) =>
        transport.json<WhatIfPageBody>({
          method: "GET",
          path: `/scorecards/${encodeURIComponent(id)}/what-if`,
          query,
          signal,
        }),
      (page) => ({ items: page.what_ifs, next: page.next }),
    ).all(args),
  /** Lists the runs of the last 30 days without their results, newest first. */
  page: (id: string, args: ListWhatIfs = {}): Promise<WhatIfPageBody> =>
    paged(
      ({ signal, ...query }: ListWhatIfs) =>
        transport.json<WhatIfPageBody>({
          method: "GET",
          path: `/scorecards/${encodeURIComponent(id)}/what-if`,
          query,
          signal,
        }),
      (page) => ({ items: page.what_ifs, next: page.next }),
    ).page(args),
  /** Replays the released reviews of a period, at most the newest 200,000, on the draft or on the document in the body, and compares them with the published version. Changes no review. Poll `GET /what-ifs/{id}`. Deleted after 30 days. */
  start: (id: string, { signal, ifMatch, ...body }: StartWhatIf): Promise<WhatIfBody> =>
    transport.json({
      method: "POST",
      path: `/scorecards/${encodeURIComponent(id)}/what-if`,
      body: inSnakeCase(body),
      headers: ifMatchHeader(ifMatch),
      signal,
    }),
  /** Returns the progress of a run and, once it is done, its result. */
  find: (id: string, options: RequestOptions = {}): Promise<WhatIfBody> =>
    transport.json({ method: "GET", path: `/what-ifs/${encodeURIComponent(id)}`, ...options }),
  /** Cancels a run. A run that has ended stays as it is. */
  cancel: (id: string, options: RequestOptions = {}): Promise<void> =>
    transport.remove(`/what-ifs/${encodeURIComponent(id)}`, options),
});

const openWorkspace = (transport: Transport) => ({
  /** Returns the caller's workspace and its settings. */
  find: (options: RequestOptions = {}): Promise<WorkspaceBody> =>
    transport.json({ method: "GET", path: `/workspace`, ...options }),
  /** Counts active users who have a password and no second factor. */
  countWithoutTwoStep: (options: RequestOptions = {}): Promise<TwoStepCountsBody> =>
    transport.json({ method: "GET", path: `/workspace/two-step`, ...options }),
  /** Renames the workspace or changes its settings. Omitted fields and settings stay unchanged. Turning off `password_sign_in` requires an identity provider and an administrator who has signed in with it, and ends all sessions that were not started with the provider. */
  change: ({ signal, ...body }: ChangeWorkspace = {}): Promise<WorkspaceBody> =>
    transport.json({
      method: "PATCH",
      path: `/workspace`,
      body: inSnakeCase({ ...body, settings: body.settings && inSnakeCase(body.settings) }),
      signal,
    }),
});

export interface Resources {
  readonly audit: ReturnType<typeof openAudit>;
  readonly calibrations: ReturnType<typeof openCalibrations>;
  readonly calls: ReturnType<typeof openCalls>;
  readonly callNotes: ReturnType<typeof openCallNotes>;
  readonly campaigns: ReturnType<typeof openCampaigns>;
  readonly disputes: ReturnType<typeof openDisputes>;
  readonly plans: ReturnType<typeof openPlans>;
  readonly draws: ReturnType<typeof openDraws>;
  readonly assignments: ReturnType<typeof openAssignments>;
  readonly erasures: ReturnType<typeof openErasures>;
  readonly holds: ReturnType<typeof openHolds>;
  readonly imports: ReturnType<typeof openImports>;
  readonly keys: ReturnType<typeof openKeys>;
  readonly limits: ReturnType<typeof openLimits>;
  readonly reviews: ReturnType<typeof openReviews>;
  readonly scorecards: ReturnType<typeof openScorecards>;
  readonly scores: ReturnType<typeof openScores>;
  readonly session: ReturnType<typeof openSession>;
  readonly teams: ReturnType<typeof openTeams>;
  readonly transcripts: ReturnType<typeof openTranscripts>;
  readonly twoStep: ReturnType<typeof openTwoStep>;
  readonly users: ReturnType<typeof openUsers>;
  readonly webhooks: ReturnType<typeof openWebhooks>;
  readonly whatIfs: ReturnType<typeof openWhatIfs>;
  readonly workspace: ReturnType<typeof openWorkspace>;
}

export const openResources = (transport: Transport): Resources => ({
  audit: openAudit(transport),
  calibrations: openCalibrations(transport),
  calls: openCalls(transport),
  callNotes: openCallNotes(transport),
  campaigns: openCampaigns(transport),
  disputes: openDisputes(transport),
  plans: openPlans(transport),
  draws: openDraws(transport),
  assignments: openAssignments(transport),
  erasures: openErasures(transport),
  holds: openHolds(transport),
  imports: openImports(transport),
  keys: openKeys(transport),
  limits: openLimits(transport),
  reviews: openReviews(transport),
  scorecards: openScorecards(transport),
  scores: openScores(transport),
  session: openSession(transport),
  teams: openTeams(transport),
  transcripts: openTranscripts(transport),
  twoStep: openTwoStep(transport),
  users: openUsers(transport),
  webhooks: openWebhooks(transport),
  whatIfs: openWhatIfs(transport),
  workspace: openWorkspace(transport),
});
