import { Button, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { callQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import type { MetadataEntry } from "./call-filters.ts";

interface MetadataFilterProps {
  readonly onAdd: (entry: MetadataEntry) => void;
}

const another = "";

/** Filter by a metadata entry. */
export function MetadataFilter({ onAdd }: MetadataFilterProps) {
  const { t } = useTexts();
  const { data: keys = [] } = useQuery(callQueries.keys);
  const [choice, setChoice] = useState<string>();
  const picked = choice ?? keys[0] ?? another;
  const [named, setNamed] = useState("");
  const [value, setValue] = useState("");
  const key = picked === another ? named.trim() : picked;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (key && value) onAdd({ key, value });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        {keys.length > 0 && (
          <NativeSelect
            label={t("metadataKey")}
            data={[...keys, { value: another, label: t("metadataOther") }]}
            value={picked}
            onChange={(event) => setChoice(event.currentTarget.value)}
          />
        )}
        {picked === another && (
          <TextInput
            label={keys.length > 0 ? t("metadataName") : t("metadataKey")}
            maxLength={128}
            value={named}
            onChange={(event) => setNamed(event.currentTarget.value)}
          />
        )}
        <TextInput
          label={t("metadataValue")}
          maxLength={1024}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
        <Button type="submit" size="sm" variant="light" disabled={!key || !value}>
          {t("add")}
        </Button>
        <Text size="xs" c="dimmed">
          {t("metadataDetail")}
        </Text>
      </Stack>
    </form>
  );
}
