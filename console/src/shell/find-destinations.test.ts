import { expect, test } from "vitest";
import { findDestinations } from "./find-destinations.ts";

const pages = ["Calls", "Add calls", "API keys", "Clés d’accès"].map((label) => ({ label, href: label }));
const find = (typed: string) => findDestinations(pages, typed).map(({ label }) => label);

test.each([
  ["", ["Calls", "Add calls", "API keys", "Clés d’accès"]],
  ["call", ["Calls", "Add calls"]],
  ["add CALL", ["Add calls"]],
  ["keys api", ["API keys"]],
  ["cles", ["Clés d’accès"]],
  ["none", []],
])("%j finds %j", (typed, labels) => {
  expect(find(typed)).toEqual(labels);
});
