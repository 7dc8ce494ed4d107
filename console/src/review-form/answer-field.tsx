import type { Answer, AnswerValue } from "@hearback/scoring/answers";
import { answerLimits, questionLimits } from "@hearback/scoring/limits";
import type { Question } from "@hearback/scoring/question";
import { pointsFor } from "@hearback/scoring/question-points";
import { Textarea, TextInput } from "@mantine/core";
import { useId, useState } from "react";
import classes from "./review-form.module.css";
import { useTexts } from "./texts.ts";

interface AnswerFieldProps {
  readonly question: Question;
  readonly answer: Answer | undefined;
  readonly onChange: (answer: Answer) => void;
  readonly readOnly: boolean;
  readonly labelledBy: string;
  readonly describedBy?: string;
}

/** The control that fits the type of the question, with "not applicable" as one more answer where it is allowed. */
export function AnswerField({ question, answer, onChange, readOnly, labelledBy, describedBy }: AnswerFieldProps) {
  const { t } = useTexts();
  const name = useId();
  const { value: _, not_applicable: isMarked = false, ...rest } = answer ?? {};
  const set = (value: AnswerValue | undefined) => onChange(value === undefined ? rest : { ...rest, value });
  const mark = (marked: boolean) => onChange(marked ? { ...rest, not_applicable: true } : rest);
  const described = describedBy ? { "aria-describedby": describedBy } : {};
  const labelled = { "aria-labelledby": labelledBy, ...described };
  const isSingle = question.type === "yes_no" || question.type === "choice" || question.type === "scale";
  const notApplicable = question.not_applicable && (
    <Choice
      type={isSingle ? "radio" : "checkbox"}
      name={name}
      label={t("notApplicable")}
      quiet
      checked={isMarked}
      disabled={readOnly}
      onChange={mark}
    />
  );
  if (isSingle)
    return (
      <div role="radiogroup" className={classes.choices} {...labelled}>
        {choicesOf(question, t("yes"), t("no")).map(({ id, label, fails }) => (
          <Choice
            key={id}
            type="radio"
            name={name}
            label={label}
            fails={fails !== undefined}
            checked={answer?.value === id}
            disabled={readOnly}
            onChange={() => set(id)}
          />
        ))}
        {notApplicable}
      </div>
    );
  if (question.type === "multiple") {
    const chosen = Array.isArray(answer?.value) ? answer.value : [];
    const toggle = (id: string, on: boolean) => {
      const next = question.options
        .map((option) => option.id)
        .filter((each) => (each === id ? on : chosen.includes(each)));
      set(next.length > 0 ? next : undefined);
    };
    return (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend; the title is outside
      <div role="group" className={classes.choices} {...labelled}>
        {question.options.map(({ id, label, fails }) => (
          <Choice
            key={id}
            type="checkbox"
            name={name}
            label={label}
            fails={fails !== undefined}
            checked={chosen.includes(id)}
            disabled={readOnly}
            onChange={(on) => toggle(id, on)}
          />
        ))}
        <Choice
          type="checkbox"
          name={name}
          label={t("noneOfThese")}
          quiet
          checked={answer?.value !== undefined && chosen.length === 0}
          disabled={readOnly}
          onChange={(on) => set(on ? [] : undefined)}
        />
        {notApplicable}
      </div>
    );
  }
  const field = { ...labelled, disabled: isMarked, readOnly };
  return (
    <div className={classes.entry}>
      {question.type === "number" ? (
        <NumberAnswer question={question} value={answer?.value} onChange={set} {...field} />
      ) : (
        <Textarea
          autosize
          minRows={2}
          maxRows={12}
          maxLength={answerLimits.text}
          value={typeof answer?.value === "string" ? answer.value : ""}
          onChange={({ currentTarget: { value } }) => set(value.trim() === "" ? undefined : value)}
          {...field}
        />
      )}
      {notApplicable}
    </div>
  );
}

interface ShownChoice {
  readonly id: string;
  readonly label: string;
  readonly fails?: "call" | "section" | undefined;
}

function choicesOf(question: Question, yes: string, no: string): readonly ShownChoice[] {
  if (question.type === "yes_no")
    return [
      { ...question.yes, id: "yes", label: yes },
      { ...question.no, id: "no", label: no },
    ];
  return "options" in question ? question.options : [];
}

interface ChoiceProps {
  readonly type: "radio" | "checkbox";
  readonly name: string;
  readonly label: string;
  readonly fails?: boolean;
  readonly quiet?: boolean;
  readonly checked: boolean;
  readonly disabled: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** A radio button or checkbox that looks like a button. */
function Choice({ label, fails = false, quiet = false, onChange, ...input }: ChoiceProps) {
  return (
    <label className={classes.choice} data-fails={fails || undefined} data-quiet={quiet || undefined}>
      <input {...input} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span className="breakable">{label}</span>
    </label>
  );
}

interface NumberAnswerProps {
  readonly question: Extract<Question, { type: "number" }>;
  readonly value: AnswerValue | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly readOnly: boolean;
  readonly disabled: boolean;
}

function NumberAnswer({ question, value, onChange, ...field }: NumberAnswerProps) {
  const { t } = useTexts();
  const [typed, setTyped] = useState(typeof value === "number" ? String(value) : "");
  // As typed ("1.0"), unless the answer was changed elsewhere.
  const shown = typeof value !== "number" ? "" : Number(typed) === value ? typed : String(value);
  const isOutside = typeof value === "number" && pointsFor(question, value) === undefined;
  return (
    <TextInput
      {...field}
      type="number"
      step="any"
      w={140}
      min={-questionLimits.number}
      max={questionLimits.number}
      onWheel={({ currentTarget }) => currentTarget.blur()}
      value={shown}
      error={isOutside && t("outside")}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(currentTarget.value === "" ? undefined : currentTarget.valueAsNumber);
      }}
    />
  );
}
