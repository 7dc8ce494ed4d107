import { errorCodes } from "@hearback/contract";
import { expect, test } from "vitest";
import * as access from "./access/errors.ts";
import * as calls from "./calls/errors.ts";
import * as campaigns from "./campaigns/errors.ts";
import * as events from "./events/errors.ts";
import { overLimit } from "./limits/over-limit.ts";
import * as plans from "./plans/errors.ts";
import * as caller from "./platform/caller.ts";
import type { DocumentedError } from "./platform/errors.ts";
import * as platform from "./platform/errors.ts";
import * as privacy from "./privacy/errors.ts";
import * as reviews from "./reviews/errors.ts";
import * as scorecards from "./scorecards/errors.ts";
import * as teams from "./teams/errors.ts";
import * as transcripts from "./transcripts/errors.ts";
import * as users from "./users/errors.ts";
import * as webhooks from "./webhooks/errors.ts";
import * as workspaces from "./workspaces/errors.ts";

const modules = [
  access,
  calls,
  campaigns,
  events,
  caller,
  plans,
  platform,
  privacy,
  reviews,
  scorecards,
  teams,
  transcripts,
  users,
  webhooks,
  workspaces,
];
const isFactory = (value: unknown): value is DocumentedError => typeof value === "function" && "example" in value;
const factories = modules
  .flatMap((module) => Object.values(module))
  .flatMap((value) => (typeof value === "object" && value !== null ? Object.values(value) : [value]))
  .filter(isFactory);

test("every error code has exactly one factory", () => {
  const codes = factories.filter(({ responseName }) => responseName === undefined).map(({ code }) => code);
  expect(codes.sort()).toEqual(Object.keys(errorCodes).sort());
});

test.each(factories.filter(({ responseName }) => responseName === undefined))(
  "the documented detail of $code is what the service says",
  (factory) => {
    expect(factory.example()).toMatchObject({ code: factory.code, message: errorCodes[factory.code].detail });
  },
);

test.each([
  ["key_requests", 200],
  ["key_uploads", 50],
  ["key_downloads", 50],
  ["workspace_calls_per_day", 10_000],
] as const)("the documented detail of the limit %s is what the service says", (name, limit) => {
  const { code, message } = overLimit({ name, limit, left: 0, resetsInSeconds: 1 });
  expect(message).toBe(errorCodes[code].detail);
});
