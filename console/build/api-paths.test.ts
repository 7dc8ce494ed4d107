import { expect, test } from "vitest";
import { apiPaths } from "./api-paths.ts";

const pattern = new RegExp(apiPaths());

test.each([
  "/transcription/usage?from=x",
  "/calls",
  "/calls/1/audio",
  "/session/oidc/callback?a=b",
  "/docs/",
  "/errors/a",
  "/openapi.json",
])("npm run dev passes %s on to the API", (path) => expect(path).toMatch(pattern));

test.each(["/console/calls", "/", "/callsheet", "/@vite/client"])("npm run dev leaves %s to the console", (path) =>
  expect(path).not.toMatch(pattern),
);
