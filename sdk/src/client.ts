import { type Assignments, openAssignments } from "./assignments.ts";
import { type Audit, openAudit } from "./audit.ts";
import { type Calibrations, openCalibrations } from "./calibrations.ts";
import { type CallNotes, openCallNotes } from "./call-notes.ts";
import { type Calls, openCalls } from "./calls.ts";
import { type Campaigns, openCampaigns } from "./campaigns.ts";
import { type Disputes, openDisputes } from "./disputes.ts";
import { type Draws, openDraws } from "./draws.ts";
import { type Erasures, openErasures } from "./erasures.ts";
import { type Events, openEvents } from "./events.ts";
import { type Holds, openHolds } from "./holds.ts";
import { type Imports, openImports } from "./imports.ts";
import { type Keys, openKeys } from "./keys.ts";
import { type Limits, openLimits } from "./limits.ts";
import { openPlans, type Plans } from "./plans.ts";
import { openReviews, type Reviews } from "./reviews.ts";
import { openScorecards, type Scorecards } from "./scorecards.ts";
import { openScores, type Scores } from "./scores.ts";
import { openSession, type Session } from "./session.ts";
import { openTeams, type Teams } from "./teams.ts";
import { openTranscripts, type Transcripts } from "./transcripts.ts";
import { type ClientOptions, openTransport } from "./transport.ts";
import { openTwoStep, type TwoStep } from "./two-step.ts";
import { openUsers, type Users } from "./users.ts";
import { openWebhooks, type Webhooks } from "./webhooks.ts";
import { openWhatIfs, type WhatIfs } from "./what-ifs.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

/** All API operations, grouped by resource. */
export interface Client {
  readonly audit: Audit;
  readonly calibrations: Calibrations;
  readonly calls: Calls;
  readonly callNotes: CallNotes;
  readonly campaigns: Campaigns;
  readonly disputes: Disputes;
  readonly plans: Plans;
  readonly draws: Draws;
  readonly assignments: Assignments;
  readonly erasures: Erasures;
  readonly events: Events;
  readonly holds: Holds;
  readonly imports: Imports;
  readonly keys: Keys;
  readonly limits: Limits;
  readonly reviews: Reviews;
  readonly scorecards: Scorecards;
  readonly scores: Scores;
  readonly session: Session;
  readonly teams: Teams;
  readonly transcripts: Transcripts;
  readonly twoStep: TwoStep;
  readonly users: Users;
  readonly webhooks: Webhooks;
  readonly whatIfs: WhatIfs;
  readonly workspace: Workspace;
  /** Closes idle upload connections. A program can also exit without it. */
  readonly close: () => void;
}

export function createClient(options: ClientOptions): Client {
  const transport = openTransport(options);
  return {
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
    events: openEvents(transport),
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
    close: transport.close,
  };
}
