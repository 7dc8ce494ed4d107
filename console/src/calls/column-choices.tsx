import { ActionIcon, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import { type ColumnId, defaultColumns, labelOf, metadataColumn, mostColumns, plainColumns } from "./columns.ts";
import styles from "./filters.module.css";
import { callQueries } from "./queries.ts";

export interface ColumnChoicesProps {
  readonly ids: readonly ColumnId[];
  readonly onChange: (ids: readonly ColumnId[]) => void;
}

/** Which columns there are, and in which order. */
export function ColumnChoices({ ids, onChange }: ColumnChoicesProps) {
  const { t } = useTexts("calls");
  const { data: keys = [] } = useQuery(callQueries.keys);
  const others = [...plainColumns, ...keys.map(metadataColumn)].filter((id) => !ids.includes(id));
  return (
    <Stack gap="xs">
      <fieldset aria-label={t("columns")} className={styles.columns}>
        {ids.map((id, place) => (
          <Chosen key={id} {...{ id, ids, place, onChange }} />
        ))}
        {others.map((id) => (
          <Checkbox
            key={id}
            className={styles.column}
            label={labelOf(id, t)}
            checked={false}
            disabled={ids.length >= mostColumns}
            onChange={() => onChange([...ids, id])}
          />
        ))}
      </fieldset>
      <Group justify="space-between">
        <Text size="xs" c="dimmed">
          {t("columnsKept")}
        </Text>
        <Button size="compact-sm" variant="subtle" onClick={() => onChange(defaultColumns)}>
          {t("columnsReset")}
        </Button>
      </Group>
    </Stack>
  );
}

interface ChosenProps {
  readonly id: ColumnId;
  readonly ids: readonly ColumnId[];
  readonly place: number;
  readonly onChange: (ids: readonly ColumnId[]) => void;
}

function Chosen({ id, ids, place, onChange }: ChosenProps) {
  const { t } = useTexts("calls");
  const name = labelOf(id, t);
  const pressed = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // An element that is put elsewhere loses the focus.
    pressed.current?.focus();
    pressed.current = null;
  });
  const move = (button: HTMLElement, by: number) => {
    if (place + by < 0 || place + by >= ids.length) return;
    pressed.current = button;
    const others = ids.filter((other) => other !== id);
    onChange([...others.slice(0, place + by), id, ...others.slice(place + by)]);
  };
  return (
    <Group gap={4} wrap="nowrap" justify="space-between" className={styles.column}>
      <Checkbox
        label={name}
        checked
        disabled={ids.length === 1}
        onChange={() => onChange(ids.filter((other) => other !== id))}
      />
      <Group gap={2} wrap="nowrap">
        <ActionIcon
          {...{ variant: "subtle", color: "gray" }}
          aria-label={t("moveUp", { column: name })}
          aria-disabled={place === 0}
          onClick={(event) => move(event.currentTarget, -1)}
        >
          <span className={styles.up}>
            <Icon name="chevronDown" size={16} />
          </span>
        </ActionIcon>
        <ActionIcon
          {...{ variant: "subtle", color: "gray" }}
          aria-label={t("moveDown", { column: name })}
          aria-disabled={place === ids.length - 1}
          onClick={(event) => move(event.currentTarget, 1)}
        >
          <Icon name="chevronDown" size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
