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
  "/reviews": lazyRouteComponent(() => load(import("./reviews/reviews-page.tsx")), "ReviewsPage"),
  "/reviews/$id": lazyRouteComponent(() => load(import("./reviews/review-page.tsx")), "ReviewPage"),
  "/disputes": lazyRouteComponent(() => load(import("./reviews/disputes/disputes-page.tsx")), "DisputesPage"),
  "/calls/$id/review": lazyRouteComponent(() => load(import("./review-screen/review-call-page.tsx")), "ReviewCallPage"),
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
  "/account": lazyRouteComponent(() => load(import("./access/account-page.tsx")), "AccountPage"),
};

export const shell = lazyRouteComponent(() => load(import("./shell/shell.tsx")), "Shell");
