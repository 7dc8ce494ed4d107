import { expect, test } from "vitest";
import { detailTexts } from "./details.ts";
import texts from "./en.json";
import type { Names } from "./names.ts";

const nobody = () => undefined;
const names: Names = {
  user: nobody,
  key: nobody,
  scorecard: nobody,
  team: nobody,
  webhook: nobody,
  keys: [],
  campaign: (id) => (id === "support-fr" ? "Support France" : undefined),
};

const formOf = (key: string, count: unknown) =>
  (texts as Record<string, string>)[count === undefined ? key : `${key}_${count === 1 ? "one" : "other"}`];

const said = (data: Record<string, unknown>) =>
  detailTexts(
    { data },
    names,
    (key, values = {}) =>
      formOf(key, values.count)?.replace(/{{(\w+)}}/g, (_, name: string) => String(values[name])) ?? key,
  );

test.each([
  [{}, []],
  [{ changed: ["name", "agent_channel", "brand_new"] }, ["Changed: name, agent channel, brand_new"]],
  [{ kind: "metadata", erased: 2, held: 1 }, ["2 erased, 1 on hold", "Type: customer (metadata)"]],
  [{ scopes: ["import", "read"], campaign_ids: null }, ["Permissions: import, read"]],
  [{ scopes: ["import"], campaign_ids: ["support-fr"] }, ["Permissions: import", "Campaigns: Support France"]],
  [{ changed: ["retention_days"], retention_days: null }, ["Changed: retention", "Kept forever"]],
  [{ changed: ["role", "team_id"] }, ["Changed: role, team"]],
  [{ members: 1 }, ["1 member"]],
  [{ retention_days: 1 }, ["Kept for 1 day"]],
  [{ retention_days: 30, erased: 4 }, ["4 erased", "Kept for 30 days"]],
  [{ changed: ["enabled"], reason: "gone" }, ["Changed: status", "Reason: the endpoint returned 410"]],
  [{ call_id: "018f32c1-5e80-7c4e-9b1c-2f6d1c3e4a5b" }, ["call 018f32c1…"]],
  [{ ids_digest: "4a4a2dc0c61e7d0a9a902effbcea6b16ef31390e" }, ["Digest of the IDs: 4a4a2dc0…"]],
  [{ something_new: { deep: true } }, ['something_new: {"deep":true}']],
])("%j is described as %j", (data, expected) => {
  expect(said(data)).toEqual(expected);
});
