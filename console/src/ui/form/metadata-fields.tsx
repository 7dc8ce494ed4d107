import type { Metadata } from "@hearback/sdk";
import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from "@mantine/core";
import { Icon } from "../icon.tsx";
import { useTexts } from "../texts.ts";

interface MetadataFieldsProps {
  readonly metadata: Metadata;
  readonly max: number;
  readonly detail?: string;
  /** Whether keys are required. */
  readonly named?: boolean;
  readonly onChange: (metadata: Metadata) => void;
}

/** Editor for metadata entries, such as site = Lyon. */
export function MetadataFields({ metadata, max, detail, named = false, onChange }: MetadataFieldsProps) {
  const { t } = useTexts();
  const set = (index: number, part: Partial<Metadata[number]>) =>
    onChange(metadata.map((pair, at) => (at === index ? { ...pair, ...part } : pair)));
  return (
    <Fieldset legend={t("metadata")} p="sm">
      <Stack gap="xs">
        {detail && (
          <Text size="sm" c="dimmed">
            {detail}
          </Text>
        )}
        {metadata.map(({ key, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries have no other identity
          <Group key={index} gap="xs" wrap="nowrap">
            <TextInput
              aria-label={t("metadataKey", { number: index + 1 })}
              placeholder={t("metadataKeyHint")}
              required={named}
              maxLength={128}
              flex={2}
              value={key}
              onChange={(event) => set(index, { key: event.currentTarget.value })}
            />
            <TextInput
              aria-label={t("metadataValue", { number: index + 1 })}
              placeholder={t("metadataValueHint")}
              maxLength={1024}
              flex={3}
              value={value}
              onChange={(event) => set(index, { value: event.currentTarget.value })}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t("metadataRemove", { number: index + 1 })}
              onClick={() => onChange(metadata.filter((_, at) => at !== index))}
            >
              <Icon name="trash" size={16} />
            </ActionIcon>
          </Group>
        ))}
        {metadata.length < max && (
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
