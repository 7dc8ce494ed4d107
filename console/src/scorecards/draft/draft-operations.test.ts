import { template } from "@hearback/scoring/templates";
import { expect, test } from "vitest";
import { type DraftDocument, readDraft } from "./draft-document.ts";
import * as operations from "./draft-operations.ts";

const form: DraftDocument = {
  name: "Form",
  sections: [
    {
      id: "opening",
      title: "Opening",
      questions: [
        { id: "greeting", title: "Greeting", type: "yes_no", weight: 7 },
        {
          id: "identity",
          title: "Identity",
          type: "choice",
          weight: 3,
          options: [
            { id: "full", label: "Full", points: 1 },
            { id: "none", label: "None", points: 0 },
          ],
        },
        { id: "missing", title: "Missing", type: "text", when: { question: "identity", is: ["none"] } },
      ],
    },
    { id: "closing", title: "Closing", questions: [{ id: "goodbye", title: "Goodbye", type: "yes_no" }] },
    { id: "empty", title: "Empty", questions: [] },
  ],
};

const order = (document: DraftDocument) =>
  document.sections.map(({ id, questions }) => `${id}: ${questions.map((question) => question.id).join(" ")}`.trim());
const question = (document: DraftDocument, id: string) => operations.findQuestion(document, id);

test("questions move within their section and to any place of another", () => {
  expect(order(operations.moveQuestion(form, "missing", "opening", 0))[0]).toBe("opening: missing greeting identity");
  expect(order(operations.moveQuestion(form, "greeting", "closing", 1))).toEqual([
    "opening: identity missing",
    "closing: goodbye greeting",
    "empty:",
  ]);
  expect(order(operations.moveQuestion(form, "greeting", "empty", 9))[2]).toBe("empty: greeting");
});

test("a step at the end of a section leads into the next one", () => {
  expect(order(operations.stepQuestion(form, "missing", 1))[1]).toBe("closing: missing goodbye");
  expect(order(operations.stepQuestion(form, "goodbye", -1))[0]).toBe("opening: greeting identity missing goodbye");
  expect(order(operations.stepQuestion(form, "goodbye", 1))[2]).toBe("empty: goodbye");
});

test("a move that changes nothing returns the same document", () => {
  expect(operations.stepQuestion(form, "greeting", -1)).toBe(form);
  expect(operations.moveQuestion(form, "greeting", "opening", 0)).toBe(form);
  expect(operations.moveQuestion(form, "unknown", "opening", 0)).toBe(form);
  expect(operations.moveSection(form, "opening", -1)).toBe(form);
  expect(operations.moveSection(form, "empty", 7)).toBe(form);
});

test("sections move with their questions", () => {
  expect(order(operations.moveSection(form, "closing", 0))[0]).toBe("closing: goodbye");
});

test("ids come from the title, are unique among sections and questions, and stay", () => {
  const { document, id } = operations.addQuestion(form, "closing", { title: "Opening?", type: "yes_no" });
  expect(id).toBe("opening_2");
  expect(operations.addSection(document, "Été à Lyon").id).toBe("ete_a_lyon");
  const renamed = operations.changeQuestion(document, id, { title: "Something else" });
  expect(question(renamed, id)?.title).toBe("Something else");
});

test("a new question weighs as much as the one above it", () => {
  const add = (section: string, type: "yes_no" | "text") => {
    const { document, id } = operations.addQuestion(form, section, { title: "New", type });
    return question(document, id)?.weight;
  };
  expect([add("opening", "yes_no"), add("empty", "yes_no"), add("opening", "text")]).toEqual([3, 5, undefined]);
});

test("a copy of a question is below it, with an id of its own", () => {
  const { document, id } = operations.duplicateQuestion(form, "greeting", "Greeting (copy)");
  expect(order(document)[0]).toBe(`opening: greeting ${id} identity missing`);
  expect(question(document, id)).toEqual({
    ...question(form, "greeting"),
    id: "greeting_copy",
    title: "Greeting (copy)",
  });
});

test("a copy of a section has copies of its questions, whose conditions refer to each other", () => {
  const { document } = operations.duplicateSection(form, "opening", "Opening (copy)");
  expect(order(document)[1]).toBe("opening_copy: greeting_2 identity_2 missing_2");
  expect(question(document, "missing_2")?.when).toEqual({ question: "identity_2", is: ["none"] });
  expect(question(document, "missing")?.when).toEqual({ question: "identity", is: ["none"] });
});

test("deleting names the question that takes the focus", () => {
  expect(order(operations.deleteQuestion(form, "identity"))[0]).toBe("opening: greeting missing");
  expect(["greeting", "missing", "goodbye"].map((id) => operations.neighbourOf(form, id))).toEqual([
    "identity",
    "identity",
    undefined,
  ]);
  expect(order(operations.deleteSection(form, "opening"))).toEqual(["closing: goodbye", "empty:"]);
});

test("another type keeps what both types have", () => {
  const scale = operations.changeType(form, "identity", "scale");
  expect(question(scale, "identity")).toMatchObject({ type: "scale", weight: 3, options: [{ id: "full" }, {}] });
  const text = operations.changeType(form, "identity", "text");
  expect(question(text, "identity")).toEqual({ id: "identity", title: "Identity", type: "text" });
  const choice = operations.changeType(form, "greeting", "choice", [{ label: "Good", points: 1 }]);
  expect(question(choice, "greeting")?.options).toEqual([{ id: "good", label: "Good", points: 1 }]);
});

test("a renewed id is followed by conditions", () => {
  const { document, id } = operations.renewId(form, "identity");
  expect(id).toBe("identity_2");
  expect(question(document, "missing")?.when).toEqual({ question: "identity_2", is: ["none"] });
});

test("the id of a new option comes from its first label, unless it is published", () => {
  const added = operations.changeOption(operations.addOption(form, "identity"), "identity", 2, { label: "Partly" });
  expect(question(added, "identity")?.options?.[2]).toEqual({ id: "option", label: "Partly", points: 0 });
  const conditional = operations.changeQuestion(added, "missing", { when: { question: "identity", is: ["option"] } });
  const settled = operations.settleOptionId(conditional, "identity", 2, () => false);
  expect(question(settled, "identity")?.options?.[2]?.id).toBe("partly");
  expect(question(settled, "missing")?.when).toEqual({ question: "identity", is: ["partly"] });
  const relabelled = operations.changeOption(settled, "identity", 2, { label: "Half" });
  expect(operations.settleOptionId(relabelled, "identity", 2, () => false)).toBe(relabelled);
  expect(operations.settleOptionId(conditional, "identity", 2, () => true)).toBe(conditional);
});

test("options move and are deleted", () => {
  const ids = (document: DraftDocument) => question(document, "identity")?.options?.map(({ id }) => id);
  expect(ids(operations.moveOption(form, "identity", 1, 0))).toEqual(["none", "full"]);
  expect(operations.moveOption(form, "identity", 0, -1)).toBe(form);
  expect(ids(operations.deleteOption(form, "identity", 0))).toEqual(["none"]);
});

test("operations leave the other sections and questions as they are", () => {
  const changed = operations.changeQuestion(form, "greeting", { weight: undefined });
  expect(question(changed, "greeting")).toEqual({ id: "greeting", title: "Greeting", type: "yes_no" });
  expect(changed.sections[1]).toBe(form.sections[1]);
  expect(question(changed, "identity")).toBe(question(form, "identity"));
});

test("conditions can refer to answerable questions above", () => {
  expect(operations.possibleConditions(form, "goodbye").map(({ id }) => id)).toEqual(["greeting", "identity"]);
  expect(operations.possibleConditions(form, "greeting")).toEqual([]);
});

test("a published document is read unchanged", () => {
  const document = template("support", "en");
  expect(readDraft(document)).toEqual(document);
});

test("an incomplete draft gets texts and ids", () => {
  const draft = readDraft({
    sections: [
      {
        questions: [
          { type: "yes_no", title: "Says hello" },
          { type: "choice", id: "says_hello" },
        ],
        extra: 1,
      },
    ],
  });
  expect(draft).toMatchObject({ name: "", sections: [{ id: "section", title: "", extra: 1 }] });
  expect(draft?.sections[0]?.questions).toEqual([
    { id: "says_hello", title: "Says hello", type: "yes_no" },
    { id: "says_hello_2", title: "", type: "choice", options: [] },
  ]);
});

test.each([
  [null],
  [{ sections: {} }],
  [{ sections: [{ questions: [{ type: "essay" }] }] }],
  [{ sections: [{ questions: [{ type: "text", guidance: 1 }] }] }],
  [{ sections: [{ questions: [{ type: "text", tags: [1] }] }] }],
  [{ sections: [{ questions: [{ type: "text", when: { question: "a", is: "b" } }] }] }],
])("%j cannot be edited", (document) => {
  expect(readDraft(document)).toBeUndefined();
});

test("a new option of a scale has one point more than the last; others have none", () => {
  const option = (points: number) => ({ id: `o${points}`, label: "x", points });
  const question = (type: "scale" | "choice") => ({ id: type, title: type, type, options: [option(0), option(2)] });
  const document = {
    name: "",
    sections: [{ id: "s", title: "S", questions: [question("scale"), question("choice")] }],
  };
  const pointsOf = (id: string) =>
    operations.findQuestion(operations.addOption(document, id), id)?.options?.at(-1)?.points;
  expect([pointsOf("scale"), pointsOf("choice")]).toEqual([3, 0]);
});
