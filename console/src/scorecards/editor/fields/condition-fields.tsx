import type { AnswerCondition, Condition } from "@hearback/scoring/condition";
import { conditionLimits } from "@hearback/scoring/limits";
import { ActionIcon, Button, Group, NativeSelect, Text } from "@mantine/core";
import { memo } from "react";
import { Icon } from "../../../ui/icon.tsx";
import { conditionText } from "../../condition-text.ts";
import type { DraftQuestion } from "../../draft/draft-document.ts";
import { changeQuestion } from "../../draft/draft-operations.ts";
import { useTexts } from "../../texts.ts";
import classes from "../editor.module.css";
import { useEditor } from "../editor-context.ts";
import { hasSameEntries } from "../has-same-entries.ts";

interface ConditionFieldsProps {
  readonly id: string;
  readonly when: Condition | undefined;
  /** Questions above this one, which it can depend on. */
  readonly choices: readonly DraftQuestion[];
}

type Mode = "all" | "any";

interface FlatCondition {
  readonly mode: Mode;
  readonly entries: readonly AnswerCondition[];
}

/** Undefined: all and any are nested. Such a condition comes from a file and is not edited here. */
function flatten(when: Condition | undefined): FlatCondition | undefined {
  if (!when) return { mode: "all", entries: [] };
  if ("question" in when) return { mode: "all", entries: [when] };
  const [mode, entries] = "all" in when ? (["all", when.all] as const) : (["any", when.any] as const);
  const simple = entries.filter((entry) => "question" in entry);
  return simple.length === entries.length ? { mode, entries: simple } : undefined;
}

function toCondition({ mode, entries }: FlatCondition): Condition | undefined {
  if (entries.length <= 1) return entries[0];
  return mode === "all" ? { all: entries } : { any: entries };
}

const isSame = (before: ConditionFieldsProps, after: ConditionFieldsProps) =>
  before.id === after.id && before.when === after.when && hasSameEntries(before.choices, after.choices);

/** When a question is shown: depending on answers to questions above it. */
export const ConditionFields = memo(function ConditionFields({ id, when, choices }: ConditionFieldsProps) {
  const { t } = useTexts();
  const editor = useEditor();
  const flat = flatten(when);
  const set = (next: FlatCondition | undefined, focus?: string) =>
    editor.apply(
      (before) => changeQuestion(before, id, { when: next && toCondition(next) }),
      focus === undefined ? {} : { focus },
    );
  const addButton = (entries: readonly AnswerCondition[], mode: Mode) => (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<Icon name={entries.length === 0 ? "branch" : "plus"} size={14} />}
      disabled={choices.length === 0 || entries.length >= conditionLimits.entries}
      data-focus={`add-condition:${id}`}
      onClick={() => {
        const first = choices.at(-1);
        if (first)
          set({ mode, entries: [...entries, { question: first.id, is: [] }] }, `condition:${id}:${entries.length}`);
      }}
    >
      {t(entries.length === 0 ? "addFirstCondition" : "addCondition")}
    </Button>
  );
  if (!flat)
    return (
      <fieldset className={classes.group}>
        <legend>{t("condition")}</legend>
        <Text size="sm">{when && conditionText(when, { sections: [{ questions: choices }] }, t)}</Text>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {t("conditionNested")}
          </Text>
          <Button variant="subtle" color="red" size="compact-sm" onClick={() => set(undefined, `add-condition:${id}`)}>
            {t("removeCondition")}
          </Button>
        </Group>
      </fieldset>
    );
  const { mode, entries } = flat;
  if (entries.length === 0)
    return (
      <div>
        {addButton(entries, mode)}
        {choices.length === 0 && (
          <Text size="xs" c="dimmed" pl={8}>
            {t("noConditions")}
          </Text>
        )}
      </div>
    );
  return (
    <fieldset className={classes.group}>
      <legend>{t("condition")}</legend>
      {entries.length > 1 && (
        <NativeSelect
          size="sm"
          w="fit-content"
          aria-label={t("conditionMode")}
          value={mode}
          onChange={({ currentTarget }) => set({ mode: currentTarget.value as Mode, entries })}
          data={[
            { value: "all", label: t("conditionAll") },
            { value: "any", label: t("conditionAny") },
          ]}
        />
      )}
      {entries.map((entry, index) => (
        <ConditionEntry
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other identity
          key={index}
          number={index + 1}
          entry={entry}
          choices={choices}
          focus={`condition:${id}:${index}`}
          onChange={(next) => set({ mode, entries: entries.with(index, next) })}
          onRemove={() => set({ mode, entries: entries.toSpliced(index, 1) }, `add-condition:${id}`)}
        />
      ))}
      <div className={classes.groupFooter}>{addButton(entries, mode)}</div>
    </fieldset>
  );
}, isSame);

interface ConditionEntryProps {
  readonly number: number;
  readonly entry: AnswerCondition;
  readonly choices: readonly DraftQuestion[];
  readonly focus: string;
  readonly onChange: (entry: AnswerCondition) => void;
  readonly onRemove: () => void;
}

function ConditionEntry({ number, entry, choices, focus, onChange, onRemove }: ConditionEntryProps) {
  const { t } = useTexts();
  const chosen = choices.find(({ id }) => id === entry.question);
  const answers =
    chosen?.type === "yes_no"
      ? [
          { id: "yes", label: t("yes") },
          { id: "no", label: t("no") },
        ]
      : (chosen?.options ?? []);
  // An answer or question that was deleted stays visible, so that it can be removed.
  const unknown = entry.is.filter((value) => !answers.some(({ id }) => id === value));
  const questions = choices.map(({ id, title }) => ({ value: id, label: title.trim() || id }));
  const all = chosen
    ? questions
    : [...questions, { value: entry.question, label: t("missing", { id: entry.question }) }];
  const toggle = (answer: string, on: boolean) =>
    onChange({ ...entry, is: on ? [...entry.is, answer] : entry.is.filter((value) => value !== answer) });
  return (
    <div className={classes.condition}>
      <NativeSelect
        size="sm"
        className={classes.conditionQuestion}
        aria-label={t("conditionQuestion", { number })}
        value={entry.question}
        data={all}
        data-focus={focus}
        onChange={({ currentTarget }) => onChange({ question: currentTarget.value, is: [] })}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={t("removeConditionNumber", { number })}
        onClick={onRemove}
      >
        <Icon name="close" size={15} />
      </ActionIcon>
      <Text size="sm" c="dimmed">
        {t("isOneOf")}
      </Text>
      {/* biome-ignore lint/a11y/useSemanticElements: it is in a fieldset already */}
      <div role="group" className={classes.chips} aria-label={t("conditionAnswers", { number })}>
        {[...answers, ...unknown.map((id) => ({ id, label: t("missing", { id }) }))].map(({ id, label }) => (
          <label key={id} className={classes.chip}>
            <input
              type="checkbox"
              checked={entry.is.includes(id)}
              onChange={({ currentTarget }) => toggle(id, currentTarget.checked)}
            />
            <span className="breakable">{label.trim() || id}</span>
          </label>
        ))}
      </div>
    </div>
  );
}
