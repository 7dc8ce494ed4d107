import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFindText } from "../../i18n/fill-text.ts";
import en from "../en.json" with { type: "json" };
import { findingText } from "../finding-text.ts";
import type { DraftDocument } from "./draft-document.ts";
import { findingsByElement, lintDraft, placeOfFinding } from "./lint-draft.ts";

const form: DraftDocument = {
  ...{ format: "hearback.scorecard/1" },
  name: "Form",
  passing_score: 80,
  sections: [
    {
      id: "opening",
      title: "Opening",
      questions: [
        { id: "greeting", title: "Greeting", type: "yes_no", weight: 60 },
        {
          id: "identity",
          title: "Identity",
          type: "choice",
          weight: 35,
          options: [
            { id: "full", label: "Fully", points: 1 },
            { id: "none", label: "Not at all" },
          ],
        },
      ],
    },
  ],
};
const texts = { find: makeFindText("en", en) };
const show = (document: DraftDocument) =>
  lintDraft(document, undefined).findings.map((finding) => findingText(finding, document, texts));

test("findings are in words, with what they are about", () => {
  expect(show(form)).toEqual([
    "The weights add up to 95, not 100. With 100, a weight is the number of points a question is worth.",
    "The option “Not at all” has no points and counts as 0.",
  ]);
});

test("an empty text is one error, and an incomplete draft has no document", () => {
  const draft = { ...form, name: "", sections: [{ id: "opening", title: " ", questions: [] }] };
  const linted = lintDraft(draft, undefined);
  expect([linted.errors, linted.document]).toEqual([2, undefined]);
  expect(show(draft)).toEqual(["Fill in the name.", "Fill in the title."]);
});

test("findings are grouped by section and question", () => {
  const { findings } = lintDraft(form, undefined);
  expect([...findingsByElement(form, findings)].map(([id, found]) => [id, found.length])).toEqual([
    ["", 1],
    ["identity", 1],
  ]);
});

test.each([
  ["", { kind: "settings" }],
  ["/passing_score", { kind: "settings", field: "passing_score" }],
  ["/sections/0/weight", { kind: "section", id: "opening", field: "weight" }],
  ["/sections/0/questions/1", { kind: "question", id: "identity", field: undefined }],
  ["/sections/0/questions/1/options/1/label", { kind: "question", id: "identity", entry: 1, field: "label" }],
  ["/sections/9/questions/9", { kind: "settings" }],
])("%j leads to its element", (path, place) => {
  expect(placeOfFinding(form, path)).toMatchObject(place);
});

test("every code of the linter has a text", () => {
  const scoring = join(import.meta.dirname, "../../../../scoring/src");
  const files = [...readdirSync(join(scoring, "lint")).map((name) => join("lint", name)), "lint-new-version.ts"];
  const sources = files.map((file) => readFileSync(join(scoring, file), "utf8")).join("\n");
  const calls = [...sources.matchAll(/\b(?:error|warning)\(\s*[^,]+?,\s*"([a-z_0-9]+)"/g)];
  const codes = [...new Set(calls.map(([, code = ""]) => code))];
  expect(codes.length).toBeGreaterThan(30);
  expect(codes.filter((code) => !texts.find(`finding_${code}`))).toEqual([]);
});
