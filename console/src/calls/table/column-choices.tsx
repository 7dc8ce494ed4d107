import { ActionIcon, Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLayoutEffect, useRef } from "react";
import { Icon } from "../../ui/icon.tsx";
import styles from "../filters/filters.module.css";
import { callQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { type ColumnId, defaultColumns, labelOf, maxColumns, metadataColumn, plainColumns } from "./columns.ts";

export interface ColumnChoicesProps {
  /** An agent's own calls need no column for the agent. */
  readonly ownCalls: boolean;
  readonly ids: readonly ColumnId[];
  readonly onChange: (ids: readonly ColumnId[]) => void;
}

/** Chooses and orders the columns. */
export function ColumnChoices({ ownCalls, ids: chosen, onChange }: ColumnChoicesProps) {
  const { t } = useTexts();
  const isOffered = (id: ColumnId) => !ownCalls || id !== "agent";
  const ids = chosen.filter(isOffered);
  const { data: keys = [] } = useQuery(callQueries.keys);
  const others = [...plainColumns, ...keys.map(metadataColumn)].filter((id) => isOffered(id) && !ids.includes(id));
  const box = useRef<HTMLFieldSetElement>(null);
  const toggled = useRef<ColumnId>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a toggled checkbox moves to another place and loses its focus
  useLayoutEffect(() => {
    const id = toggled.current;
    toggled.current = undefined;
    if (id) box.current?.querySelector<HTMLElement>(`[data-column="${CSS.escape(id)}"]`)?.focus();
  }, [chosen]);
  const toggle = (id: ColumnId) => {
    toggled.current = id;
    onChange(ids.includes(id) ? ids.filter((other) => other !== id) : [...ids, id]);
  };
  return (
    <Stack gap="xs">
      <fieldset ref={box} aria-label={t("columns")} className={styles.columns}>
        {ids.map((id, index) => (
          <Chosen key={id} id={id} ids={ids} index={index} onChange={onChange} onToggle={toggle} />
        ))}
        {others.map((id) => (
          <Checkbox
            key={id}
            className={styles.column}
            label={labelOf(id, t)}
            checked={false}
            disabled={ids.length >= maxColumns}
            data-column={id}
            onChange={() => toggle(id)}
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
  readonly index: number;
  readonly onChange: (ids: readonly ColumnId[]) => void;
  readonly onToggle: (id: ColumnId) => void;
}

function Chosen({ id, ids, index, onChange, onToggle }: ChosenProps) {
  const { t } = useTexts();
  const name = labelOf(id, t);
  const pressed = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    // Moving an element in the DOM drops its focus.
    pressed.current?.focus();
    pressed.current = null;
  });
  const move = (button: HTMLElement, by: number) => {
    if (index + by < 0 || index + by >= ids.length) return;
    pressed.current = button;
    const others = ids.filter((other) => other !== id);
    onChange([...others.slice(0, index + by), id, ...others.slice(index + by)]);
  };
  return (
    <Group gap={4} wrap="nowrap" justify="space-between" className={styles.column}>
      <Checkbox label={name} checked disabled={ids.length === 1} data-column={id} onChange={() => onToggle(id)} />
      <Group gap={2} wrap="nowrap">
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("moveUp", { column: name })}
          aria-disabled={index === 0}
          onClick={(event) => move(event.currentTarget, -1)}
        >
          <span className={styles.up}>
            <Icon name="chevronDown" size={16} />
          </span>
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={t("moveDown", { column: name })}
          aria-disabled={index === ids.length - 1}
          onClick={(event) => move(event.currentTarget, 1)}
        >
          <Icon name="chevronDown" size={16} />
        </ActionIcon>
      </Group>
    </Group>
  );
}
