import { expect, test } from "vitest";
import { detailTexts } from "./details.ts";
import type { Names } from "./names.ts";
import { texts } from "./texts.en.ts";

const nobody = () => undefined;
const names: Names = {
  ...{ user: nobody, key: nobody, webhook: nobody, keys: [] },
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
  [{ changed: ["name", "agent_channel", "brand_new"] }, ["Changed: name, agent’s channel, brand_new"]],
  [{ kind: "metadata", erased: 2, held: 1 }, ["2 erased, 1 held", "Kind: a customer (metadata)"]],
  [{ scopes: ["import", "read"], campaign_ids: null }, ["May: import, read"]],
  [{ scopes: ["import"], campaign_ids: ["support-fr"] }, ["May: import", "Campaigns: Support France"]],
  [{ changed: ["retention_days"], retention_days: null }, ["Changed: retention", "Kept for good"]],
  [{ retention_days: 1 }, ["Kept for 1 day"]],
  [{ retention_days: 30, erased: 4 }, ["4 erased", "Kept for 30 days"]],
  [{ changed: ["enabled"], reason: "gone" }, ["Changed: on or off", "Reason: the receiver answered 410"]],
  [{ call_id: "018f32c1-5e80-7c4e-9b1c-2f6d1c3e4a5b" }, ["the call 018f32c1…"]],
  [{ something_new: { deep: true } }, ['something_new: {"deep":true}']],
])("%j is said as %j", (data, expected) => {
  expect(said(data)).toEqual(expected);
});
