import { template } from "@hearback/scoring/templates";
import { expect, test } from "vitest";
import { readScorecardFile } from "./read-scorecard-file.ts";

const read = (content: unknown) => readScorecardFile(JSON.stringify(content));

test("a document of ours is taken as it is, also if it is incomplete", async () => {
  const document = template("support", "en");
  expect(await read(document)).toMatchObject({
    ok: true,
    source: "hearback",
    name: "Support call",
    document,
    notes: [],
  });
  expect(await read({ format: "hearback.scorecard/1" })).toMatchObject({ ok: true, name: "" });
});

test("a document of ours can be YAML", async () => {
  const text = "format: hearback.scorecard/1 # comment\nname: Support\nsections: []\n";
  expect(await readScorecardFile(text)).toMatchObject({ ok: true, source: "hearback", name: "Support" });
});

test("forms of other products are converted, with notes", async () => {
  const genesys = {
    name: "Form",
    questionGroups: [
      {
        name: "Opening",
        weight: 1,
        questions: [
          {
            text: "Greeting?",
            type: "multipleChoiceQuestion",
            answerOptions: [
              { text: "Yes", value: 1 },
              { text: "No", value: 0 },
            ],
          },
        ],
      },
    ],
  };
  const file = await read(genesys);
  expect(file).toMatchObject({ ok: true, source: "genesys", name: "Form" });
  expect(file.ok && file.notes.length).toBeGreaterThan(0);
  expect(await read({ questionGroups: 1 })).toMatchObject({ ok: false, reason: "invalid" });
  expect(await read({ EvaluationForm: 1 })).toMatchObject({ ok: false, reason: "invalid" });
});

test.each([
  ["a text", "hello", "unknown"],
  ["neither JSON nor YAML", "a: [", "unreadable"],
  ["another object", "{}", "unknown"],
  ["a list", "[]", "unknown"],
  ["null", "null", "unknown"],
])("%s is no scorecard", async (_, text, reason) => {
  expect(await readScorecardFile(text)).toMatchObject({ ok: false, reason });
});
