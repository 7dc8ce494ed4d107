import type { CallItem, UserBody } from "@hearback/sdk";
import { expect, test } from "vitest";
import { findSuggestions, type SuggestionSources } from "./search-suggestions.ts";

const known: SuggestionSources = {
  campaigns: new Map([
    ["support-fr", "Support France"],
    ["sales", "Sales"],
  ]),
  agents: [{ id: "a1", name: "Ann Lee", email: "ann@example.com" } as UserBody],
  calls: [
    {
      metadata: [
        { key: "client_phone", value: "+33 1 23 45 67 89" },
        { key: "site", value: "Lyon" },
      ],
    } as unknown as CallItem,
  ],
  keys: ["client_phone", "site"],
};
const suggest = (typed: string) =>
  findSuggestions(typed, known).map((offer) =>
    offer.kind === "metadata"
      ? `${offer.key}=${offer.value}`
      : `${offer.kind} ${offer.kind === "phone" ? offer.digits : offer.id}`,
  );

test("suggests nothing for an empty text", () => {
  expect(suggest("  ")).toEqual([]);
});

test("suggests campaigns, then people, then metadata values for names", () => {
  expect(suggest("france")).toEqual(["campaign support-fr", "client_phone=france", "site=france"]);
  expect(suggest("ann")).toEqual(["agent a1", "client_phone=ann", "site=ann"]);
  expect(suggest("lyo")).toEqual(["site=Lyon", "client_phone=lyo", "site=lyo"]);
});

test("suggests a phone number's last digits, then numbers of loaded calls, ignoring separators", () => {
  expect(suggest("+33123").slice(0, 2)).toEqual(["phone 33123", "client_phone=+33 1 23 45 67 89"]);
  expect(suggest("0999 123")).toEqual(["phone 999123", "client_phone=0999 123", "site=0999 123"]);
  expect(suggest("123")[0]).not.toContain("phone 123");
});

test("an ID suggests that call", () => {
  expect(suggest("0190F3C2-7A55-7F0E-9D8E-0C8F5C3F8A11")[0]).toBe("call 0190f3c2-7a55-7f0e-9d8e-0c8f5c3f8a11");
});
