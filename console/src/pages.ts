import { lazyRouteComponent } from "@tanstack/react-router";
import { onceClient } from "./client.ts";
import { withTexts } from "./i18n/language.ts";

async function load<Module>(module: Promise<Module>): Promise<Module> {
  try {
    return await withTexts(module);
  } catch (error) {
    // Distinguishes a network failure from a missing chunk. The request fails if the server is down. Otherwise the chunk
    // was removed by an update, and the router reloads the page.
    await onceClient.session.options();
    throw error;
  }
}

// Code of each page, loaded on demand. build/preload-manifest.ts parses these lines.

export const outsidePages = {
  "/sign-in": lazyRouteComponent(() => load(import("./access/sign-in-page.tsx")), "SignInPage"),
  "/welcome": lazyRouteComponent(() => load(import("./access/welcome-page.tsx")), "WelcomePage"),
};

/** Pages inside the shell. */
export const insidePages = {
  "/calls": lazyRouteComponent(() => load(import("./calls/calls-page.tsx")), "CallsPage"),
  "/calls/$id": lazyRouteComponent(() => load(import("./call-page/call-page.tsx")), "CallPage"),
  "/reviews": lazyRouteComponent(() => load(import("./reviews/list/reviews-page.tsx")), "ReviewsPage"),
  "/reviews/$id": lazyRouteComponent(() => load(import("./reviews/review-page.tsx")), "ReviewPage"),
  "/disputes": lazyRouteComponent(() => load(import("./reviews/disputes/disputes-page.tsx")), "DisputesPage"),
  "/calls/$id/review": lazyRouteComponent(() => load(import("./review-screen/review-call-page.tsx")), "ReviewCallPage"),
  "/queue": lazyRouteComponent(() => load(import("./queue/queue-page.tsx")), "QueuePage"),
  "/scores": lazyRouteComponent(() => load(import("./scores/overview-page.tsx")), "OverviewPage"),
  "/scores/agents": lazyRouteComponent(() => load(import("./scores/agents-page.tsx")), "AgentsPage"),
  "/scores/reviewers": lazyRouteComponent(() => load(import("./scores/reviewers-page.tsx")), "ReviewersPage"),
  "/my-scores": lazyRouteComponent(() => load(import("./scores/my-scores-page.tsx")), "MyScoresPage"),
  "/plans": lazyRouteComponent(() => load(import("./plans/plans-page.tsx")), "PlansPage"),
  "/plans/new": lazyRouteComponent(() => load(import("./plans/new-plan-page.tsx")), "NewPlanPage"),
  "/plans/$id": lazyRouteComponent(() => load(import("./plans/plan-page.tsx")), "PlanPage"),
  "/plans/$id/edit": lazyRouteComponent(() => load(import("./plans/edit-plan-page.tsx")), "EditPlanPage"),
  "/how-i-am-reviewed": lazyRouteComponent(() => load(import("./my-draws/my-draws-page.tsx")), "MyDrawsPage"),
  "/calibrations": lazyRouteComponent(() => load(import("./calibrations/sessions-page.tsx")), "SessionsPage"),
  "/calibrations/new": lazyRouteComponent(() => load(import("./calibrations/new-session-page.tsx")), "NewSessionPage"),
  "/calibrations/agreement": lazyRouteComponent(
    () => load(import("./calibrations/results/agreement.tsx")),
    "AgreementPage",
  ),
  "/calibrations/$id": lazyRouteComponent(() => load(import("./calibrations/session-page.tsx")), "SessionPage"),
  "/uploads": lazyRouteComponent(() => load(import("./uploads/uploads-page.tsx")), "UploadsPage"),
  "/imports": lazyRouteComponent(() => load(import("./imports/imports-page.tsx")), "ImportsPage"),
  "/campaigns": lazyRouteComponent(() => load(import("./campaigns/campaigns-page.tsx")), "CampaignsPage"),
  "/people": lazyRouteComponent(() => load(import("./users/people-page.tsx")), "PeoplePage"),
  "/people/teams": lazyRouteComponent(() => load(import("./teams/teams-page.tsx")), "TeamsPage"),
  "/scorecards": lazyRouteComponent(() => load(import("./scorecards/scorecards-page.tsx")), "ScorecardsPage"),
  "/scorecards/$id": lazyRouteComponent(() => load(import("./scorecards/scorecard-page.tsx")), "ScorecardPage"),
  "/keys": lazyRouteComponent(() => load(import("./keys/keys-page.tsx")), "KeysPage"),
  "/webhooks": lazyRouteComponent(() => load(import("./webhooks/webhooks-page.tsx")), "WebhooksPage"),
  "/webhooks/$id": lazyRouteComponent(() => load(import("./webhooks/webhook-page.tsx")), "WebhookPage"),
  "/privacy": lazyRouteComponent(() => load(import("./privacy/privacy-page.tsx")), "PrivacyPage"),
  "/audit": lazyRouteComponent(() => load(import("./audit/audit-page.tsx")), "AuditPage"),
  "/workspace": lazyRouteComponent(() => load(import("./workspace/workspace-page.tsx")), "WorkspacePage"),
  "/account": lazyRouteComponent(() => load(import("./access/account/account-page.tsx")), "AccountPage"),
};

export const shell = lazyRouteComponent(() => load(import("./shell/shell.tsx")), "Shell");
