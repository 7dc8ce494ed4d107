import { questionLimits } from "@hearback/scoring/limits";
import { ActionIcon, Button, Text } from "@mantine/core";
import { memo } from "react";
import { Icon } from "../../../ui/icon.tsx";
import type { DraftBand, DraftQuestion } from "../../draft/draft-document.ts";
import { changeQuestion, patch } from "../../draft/draft-operations.ts";
import { useTexts } from "../../texts.ts";
import classes from "../editor.module.css";
import { useEditor } from "../editor-context.ts";
import { NumberField } from "./number-field.tsx";

type BandFieldsProps = Pick<DraftQuestion, "id" | "bands">;

/** Ranges of a number and their points. */
export const BandFields = memo(function BandFields({ id, bands = [] }: BandFieldsProps) {
  const { t } = useTexts();
  const editor = useEditor();
  const focusOf = (index: number) => `band:${id}:${index}`;
  const set = (next: readonly DraftBand[], effects = {}) =>
    editor.apply((before) => changeQuestion(before, id, { bands: next.length > 0 ? next : undefined }), effects);
  const change = (index: number, part: DraftBand, field: string) =>
    set(bands.with(index, patch<DraftBand>(bands[index] ?? {}, part)), { about: `${id} ${index} ${field}` });
  const add = () => {
    const end = bands.at(-1)?.to;
    set([...bands, { ...(end !== undefined && { from: end + 1 }), points: 0 }], { focus: focusOf(bands.length) });
  };
  return (
    <fieldset className={classes.group}>
      <legend>{t("bands")}</legend>
      {bands.length === 0 && (
        <Text size="sm" c="dimmed">
          {t("noBands")}
        </Text>
      )}
      {bands.map((band, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: bands have no other identity
        <div key={index} className={classes.band}>
          <NumberField
            aria-label={t("bandFromOf", { number: index + 1 })}
            placeholder={t("from")}
            value={band.from}
            data-focus={focusOf(index)}
            onChange={(from) => change(index, { from }, "from")}
          />
          <Text size="sm" c="dimmed">
            {t("until")}
          </Text>
          <NumberField
            aria-label={t("bandToOf", { number: index + 1 })}
            placeholder={t("to")}
            value={band.to}
            onChange={(to) => change(index, { to }, "to")}
          />
          <NumberField
            aria-label={t("bandPointsOf", { number: index + 1 })}
            placeholder={t("pointsHint")}
            min={0}
            max={questionLimits.points}
            step={1}
            value={band.points}
            onChange={(points) => change(index, { points }, "points")}
          />
          <Text size="sm" c="dimmed" className={classes.bandUnit}>
            {t("pointsUnit")}
          </Text>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={t("deleteBand", { number: index + 1 })}
            onClick={() =>
              set(bands.toSpliced(index, 1), {
                announce: () => t("deleted", { title: t("bandNumber", { number: index + 1 }) }),
                focus: bands.length > 1 ? focusOf(Math.min(index, bands.length - 2)) : `add-band:${id}`,
              })
            }
          >
            <Icon name="close" size={15} />
          </ActionIcon>
        </div>
      ))}
      <div className={classes.groupFooter}>
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<Icon name="plus" size={14} />}
          disabled={bands.length >= questionLimits.bands}
          data-focus={`add-band:${id}`}
          onClick={add}
        >
          {t("addBand")}
        </Button>
      </div>
    </fieldset>
  );
});
