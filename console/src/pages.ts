import { lazyRouteComponent } from "@tanstack/react-router";
import { onceClient } from "./client.ts";

/**
 * If the service is away, that is what is said. If it answers, the file is not there any more: there was an update, and the
 * router gets it by loading the page anew.
 */
async function whyMissing(error: unknown): Promise<never> {
  await onceClient.session.options();
  throw error;
}

// The code of every page, fetched when somebody goes there. build/note-first.ts reads these lines, too.

export const outsidePages = {
  "/sign-in": lazyRouteComponent(() => import("./access/sign-in-page.tsx").catch(whyMissing), "SignInPage"),
  "/welcome": lazyRouteComponent(() => import("./access/welcome-page.tsx").catch(whyMissing), "WelcomePage"),
};

/** Behind the sign-in, each within the shell. */
export const insidePages = {
  "/calls": lazyRouteComponent(() => import("./calls/calls-page.tsx").catch(whyMissing), "CallsPage"),
  "/calls/$id": lazyRouteComponent(() => import("./player/call-page.tsx").catch(whyMissing), "CallPage"),
  "/uploads": lazyRouteComponent(() => import("./uploads/uploads-page.tsx").catch(whyMissing), "UploadsPage"),
  "/imports": lazyRouteComponent(() => import("./imports/imports-page.tsx").catch(whyMissing), "ImportsPage"),
  "/campaigns": lazyRouteComponent(() => import("./campaigns/campaigns-page.tsx").catch(whyMissing), "CampaignsPage"),
  "/people": lazyRouteComponent(() => import("./users/people-page.tsx").catch(whyMissing), "PeoplePage"),
  "/keys": lazyRouteComponent(() => import("./keys/keys-page.tsx").catch(whyMissing), "KeysPage"),
  "/webhooks": lazyRouteComponent(() => import("./webhooks/webhooks-page.tsx").catch(whyMissing), "WebhooksPage"),
  "/webhooks/$id": lazyRouteComponent(() => import("./webhooks/webhook-page.tsx").catch(whyMissing), "WebhookPage"),
  "/privacy": lazyRouteComponent(() => import("./privacy/privacy-page.tsx").catch(whyMissing), "PrivacyPage"),
  "/audit": lazyRouteComponent(() => import("./audit/audit-page.tsx").catch(whyMissing), "AuditPage"),
  "/workspace": lazyRouteComponent(() => import("./workspace/workspace-page.tsx").catch(whyMissing), "WorkspacePage"),
  "/account": lazyRouteComponent(() => import("./access/account-page.tsx").catch(whyMissing), "AccountPage"),
};

export const shell = lazyRouteComponent(() => import("./shell/shell.tsx").catch(whyMissing), "Shell");
