import type { Metadata } from "@hearback/sdk";
import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "./icon.tsx";

interface MetadataFieldsProps {
  readonly metadata: Metadata;
  readonly most: number;
  readonly detail?: string;
  /** Whether a pair without a name is wrong. */
  readonly named?: boolean;
  readonly onChange: (metadata: Metadata) => void;
}

/** What else is known about calls, in pairs such as site = Lyon. */
export function MetadataFields({ metadata, most, detail, named = false, onChange }: MetadataFieldsProps) {
  const { t } = useTexts("ui");
  const set = (place: number, part: Partial<Metadata[number]>) =>
    onChange(metadata.map((pair, at) => (at === place ? { ...pair, ...part } : pair)));
  return (
    <Fieldset legend={t("metadata")} p="sm">
      <Stack gap="xs">
        {detail && (
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        )}
        {metadata.map(({ key, value }, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a pair is its place; it has nothing else that stays
          <Group key={place} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={t("metadataKey", { number: place + 1 })}
              placeholder={t("metadataKeyHint")}
              required={named}
              maxLength={128}
              flex={2}
              value={key}
              onChange={(event) => set(place, { key: event.currentTarget.value })}
            />
            <TextInput
              aria-label={t("metadataValue", { number: place + 1 })}
              placeholder={t("metadataValueHint")}
              maxLength={1024}
              flex={3}
              value={value}
              onChange={(event) => set(place, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t("metadataRemove", { number: place + 1 })}
              onClick={() => onChange(metadata.filter((_, at) => at !== place))}
            >
              <Icon name="trash" size={16} />
            </ActionIcon>
          </Group>
        ))}
        {metadata.length < most && (
          <div>
            <Button
              size="xs"
              variant="default"
              leftSection={<Icon name="plus" size={14} />}
              onClick={() => onChange([...metadata, { key: "", value: "" }])}
            >
              {t("metadataAdd")}
            </Button>
          </div>
        )}
      </Stack>
    </Fieldset>
  );
}
