import type { CallItem, UserBody } from "@hearback/sdk";
import { expect, test } from "vitest";
import { findOffers, type Known } from "./quick-offers.ts";

const known: Known = {
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
const told = (typed: string) =>
  findOffers(typed, known).map((offer) =>
    offer.kind === "metadata" ? `${offer.key}=${offer.value}` : `${offer.kind} ${offer.id}`,
  );

test("nothing typed, nothing offered", () => {
  expect(told("  ")).toEqual([]);
});

test("a name is a campaign, a person or else a value", () => {
  expect(told("france")).toEqual(["campaign support-fr", "client_phone=france", "site=france"]);
  expect(told("ann")).toEqual(["agent a1", "client_phone=ann", "site=ann"]);
  expect(told("lyo")).toEqual(["site=Lyon", "client_phone=lyo", "site=lyo"]);
});

test("a number is completed from what was seen, however it is written", () => {
  expect(told("+33123")[0]).toBe("client_phone=+33 1 23 45 67 89");
  expect(told("0999 123")).toEqual(["client_phone=0999 123", "site=0999 123"]);
});

test("an id is that call", () => {
  expect(told("0190F3C2-7A55-7F0E-9D8E-0C8F5C3F8A11")[0]).toBe("call 0190f3c2-7a55-7f0e-9d8e-0c8f5c3f8a11");
});
