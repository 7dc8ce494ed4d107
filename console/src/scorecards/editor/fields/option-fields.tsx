import { questionLimits } from "@hearback/scoring/limits";
import { ActionIcon, Button, TextInput } from "@mantine/core";
import { type KeyboardEvent, memo } from "react";
import { Icon } from "../../../ui/icon.tsx";
import type { DraftOption, DraftQuestion } from "../../draft/draft-document.ts";
import {
  addOption,
  changeOption,
  changeQuestion,
  deleteOption,
  moveOption,
  settleOptionId,
} from "../../draft/draft-operations.ts";
import { useTexts } from "../../texts.ts";
import classes from "../editor.module.css";
import { useEditor } from "../editor-context.ts";
import { MoveButtons } from "../move-buttons.tsx";
import { EffectFields } from "./effect-fields.tsx";
import { NumberField } from "./number-field.tsx";

type OptionFieldsProps = Pick<DraftQuestion, "id" | "type" | "options" | "max_points">;

/** The options of a question, in their order. */
export const OptionFields = memo(function OptionFields({ id, type, options = [], max_points }: OptionFieldsProps) {
  const { t } = useTexts();
  const editor = useEditor();
  const focusOf = (index: number) => `option:${id}:${index}`;
  const change = (index: number, part: Partial<DraftOption>, about?: string) =>
    editor.apply((before) => changeOption(before, id, index, part), about ? { about: `${id} ${index} ${about}` } : {});
  const add = () => editor.apply((before) => addOption(before, id), { focus: focusOf(options.length) });
  const onKeyDown = (event: KeyboardEvent, index: number) => {
    if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      // Not the question.
      event.stopPropagation();
      move(index, event.key === "ArrowUp" ? -1 : 1);
    } else if (event.key === "Enter" && event.target instanceof HTMLInputElement && event.target.type === "text") {
      event.preventDefault();
      if (index === options.length - 1) add();
      else editor.open(id, focusOf(index + 1));
    }
  };
  const move = (index: number, by: -1 | 1) => {
    const to = index + by;
    if (to < 0 || to >= options.length) return;
    editor.apply((before) => moveOption(before, id, index, to), {
      announce: () => t("optionMoved", { label: options[index]?.label ?? "", position: to + 1, total: options.length }),
      focus: focusOf(to),
    });
  };
  return (
    <fieldset className={classes.group}>
      <legend>{t("answers")}</legend>
      {options.map((option, index) => {
        const label = option.label.trim() || t("newOption", { number: index + 1 });
        return (
          // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the controls inside
          // biome-ignore lint/suspicious/noArrayIndexKey: the id of a new option changes once
          <div key={index} className={classes.option} onKeyDown={(event) => onKeyDown(event, index)}>
            <TextInput
              className={classes.answerLabel}
              aria-label={t("labelOf", { number: index + 1 })}
              placeholder={t("newOption", { number: index + 1 })}
              maxLength={200}
              value={option.label}
              data-focus={focusOf(index)}
              onChange={({ currentTarget }) => change(index, { label: currentTarget.value }, "label")}
              onBlur={() =>
                editor.apply((before) =>
                  settleOptionId(before, id, index, (published) => editor.isPublishedOption(id, published)),
                )
              }
            />
            <NumberField
              className={classes.answerPoints}
              aria-label={t("pointsOf", { answer: label })}
              placeholder={t("pointsHint")}
              min={0}
              max={questionLimits.points}
              step={1}
              value={option.points}
              onChange={(points) => change(index, { points }, "points")}
            />
            <EffectFields answer={label} effect={option} onChange={(part) => change(index, part)} />
            <span className={classes.answerActions}>
              <MoveButtons
                title={label}
                canUp={index > 0}
                canDown={index < options.length - 1}
                onMove={(by) => move(index, by)}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                size={28}
                aria-label={t("deleteNamed", { title: label })}
                onClick={() =>
                  editor.apply((before) => deleteOption(before, id, index), {
                    announce: () => t("deleted", { title: label }),
                    focus: options.length > 1 ? focusOf(Math.min(index, options.length - 2)) : `add-option:${id}`,
                  })
                }
              >
                <Icon name="close" size={15} />
              </ActionIcon>
            </span>
          </div>
        );
      })}
      <div className={classes.groupFooter}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="plus" size={14} />}
          disabled={options.length >= questionLimits.options}
          data-focus={`add-option:${id}`}
          onClick={add}
        >
          {t("addOption")}
        </Button>
        {type === "multiple" && (
          <NumberField
            size="xs"
            label={t("maxPoints")}
            className={classes.inlineField}
            placeholder={t("maxPointsHint")}
            min={1}
            max={questionLimits.points}
            step={1}
            value={max_points}
            onChange={(points) =>
              editor.apply((before) => changeQuestion(before, id, { max_points: points }), {
                about: `${id} max_points`,
              })
            }
          />
        )}
      </div>
    </fieldset>
  );
});
