import { compareVersions } from "@hearback/scoring/compare-versions";
import { ScorecardDocument, type ScorecardInput } from "@hearback/scoring/document";
import { expect, test } from "vitest";
import { makeFindText } from "../i18n/fill-text.ts";
import { describeChange } from "./describe-change.ts";
import en from "./en.json" with { type: "json" };

const find = makeFindText("en", en);
const t = (key: string, values?: Readonly<Record<string, string | number>>) => find(key, values) ?? `missing: ${key}`;

const base: ScorecardInput = {
  format: "hearback.scorecard/1",
  name: "Form",
  passing_score: 80,
  sections: [
    {
      id: "opening",
      title: "Opening",
      questions: [
        { id: "greeting", title: "Greeting", type: "yes_no", weight: 4 },
        {
          id: "identity",
          title: "Identity",
          type: "choice",
          weight: 6,
          options: [
            { id: "full", label: "Fully", points: 1 },
            { id: "none", label: "Not at all", points: 0 },
          ],
        },
        { id: "notes", title: "Notes", type: "text" },
      ],
    },
    { id: "closing", title: "Closing", questions: [{ id: "goodbye", title: "Goodbye", type: "yes_no", weight: 90 }] },
  ],
};

function changes(edit: (document: ScorecardDocument) => void): string[] {
  const before = ScorecardDocument.parse(base);
  const after = structuredClone(before);
  edit(after);
  return compareVersions(before, after).map((change) => describeChange(change, { before, after }, t));
}

const [greeting, identity, notes] = [0, 1, 2].map(
  (index) => (document: ScorecardDocument) => document.sections[0]?.questions[index] as Record<string, unknown>,
) as [Get, Get, Get];
type Get = (document: ScorecardDocument) => Record<string, unknown>;

test.each<[text: string, edit: (document: ScorecardDocument) => void]>([
  ["“Greeting”: weight 4 → 5", (document) => Object.assign(greeting(document), { weight: 5 })],
  ["“Hello”: title “Greeting” → “Hello”", (document) => Object.assign(greeting(document), { title: "Hello" })],
  ["“Greeting”: effect of no changed", (document) => Object.assign(greeting(document), { no: { fails: "call" } })],
  ["“Greeting”: type Yes or no → Text", (document) => Object.assign(greeting(document), { type: "text" })],
  ["“Notes”: N/A allowed No → Yes", (document) => Object.assign(notes(document), { not_applicable: true })],
  [
    "“Notes”: condition none → “Identity” is “Not at all” or “Fully”",
    (document) => Object.assign(notes(document), { when: { question: "identity", is: ["none", "full"] } }),
  ],
  [
    "“Identity”, answer “Not at all”: fails none → the call",
    (document) => Object.assign((identity(document).options as object[])[1] ?? {}, { fails: "call" }),
  ],
  [
    "“Identity”, answer “Not at all”: removed",
    (document) => Object.assign(identity(document), { options: [{ id: "full", label: "Fully", points: 1 }] }),
  ],
  ["Passing score: 80 → Passing score: 85", (document) => Object.assign(document, { passing_score: 85 })],
  ["Settings: Name changed", (document) => Object.assign(document, { name: "Other" })],
  ["Section “End”: title “Closing” → “End”", (document) => Object.assign(document.sections[1] ?? {}, { title: "End" })],
])("%s", (text, edit) => {
  expect(changes(edit)).toContain(text);
});

test("a question that moves names its new section", () => {
  const moved = changes((document) => {
    const [question] = document.sections[0]?.questions.splice(2, 1) ?? [];
    if (question) document.sections[1]?.questions.push(question);
  });
  expect(moved).toEqual(["“Notes”: moved to section “Closing”"]);
});
