import { template } from "@hearback/scoring/templates";
import { expect, test } from "vitest";
import { readScorecardFile } from "./read-scorecard-file.ts";

const read = (content: unknown) => readScorecardFile(JSON.stringify(content));

test("a document of ours is taken as it is, also if it is incomplete", () => {
  const document = template("support", "en");
  expect(read(document)).toMatchObject({ ok: true, source: "hearback", name: "Support call", document, notes: [] });
  expect(read({ format: "hearback.scorecard/1" })).toMatchObject({ ok: true, name: "" });
});

test("forms of other products are converted, with notes", () => {
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
  const file = read(genesys);
  expect(file).toMatchObject({ ok: true, source: "genesys", name: "Form" });
  expect(file.ok && file.notes.length).toBeGreaterThan(0);
  expect(read({ questionGroups: 1 })).toMatchObject({ ok: false, reason: "invalid" });
  expect(read({ EvaluationForm: 1 })).toMatchObject({ ok: false, reason: "invalid" });
});

test.each([
  ["a text", "hello", "not_json"],
  ["another object", "{}", "unknown"],
  ["a list", "[]", "unknown"],
  ["null", "null", "unknown"],
])("%s is no scorecard", (_, text, reason) => {
  expect(readScorecardFile(text)).toMatchObject({ ok: false, reason });
});
