import { CallsFoundBody, LookupCallsBody } from "@hearback/contract";
import type { App } from "../../platform/app.ts";
import { supervisors } from "../../platform/caller.ts";
import { route } from "../../platform/http/route.ts";
import type { Api } from "../../platform/http/server.ts";
import { lookUpCalls } from "./look-up-calls.ts";

/** Enough for 1,000 fingerprints. */
const lookupBodyBytes = 512 * 1024;

export function lookupRoutes(api: Api, app: App): void {
  route(api, {
    method: "POST",
    path: "/calls/lookup",
    id: "lookUpCalls",
    tag: "Calls",
    summary: "Look up calls by fingerprint",
    description:
      "Returns for up to 1,000 recordings whether they are already imported, before you upload them. A fingerprint consists of SHA-256, conversation time, agent and campaign, with the same values as in an import.",
    access: ["import", "read"],
    roles: supervisors,
    campaignKeys: true,
    bodyLimit: lookupBodyBytes,
    body: LookupCallsBody,
    answers: { 200: [CallsFoundBody, "The result for each fingerprint, in the order of the request."] },
  }).handle(async ({ caller, body: { fingerprints }, about }) => {
    about.fingerprints = fingerprints.length;
    return { calls: await lookUpCalls(app, caller, fingerprints) };
  });
}
