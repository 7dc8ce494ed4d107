import { Group, MultiSelect, Radio, Stack } from "@mantine/core";
import { useTexts } from "./texts.ts";

export interface CampaignChoice {
  readonly id: string;
  readonly name: string;
  readonly archived: boolean;
}

interface CampaignsFieldProps {
  readonly campaigns: readonly CampaignChoice[];
  /** null: all campaigns. */
  readonly value: readonly string[] | null;
  readonly onChange: (ids: readonly string[] | null) => void;
}

export function CampaignsField({ campaigns, value, onChange }: CampaignsFieldProps) {
  const { t } = useTexts();
  return (
    <Stack gap="xs">
      <Radio.Group
        label={t("campaigns")}
        description={t("campaignsDetail")}
        value={value ? "some" : "all"}
        onChange={(chosen) => onChange(chosen === "some" ? [] : null)}
      >
        <Group mt="xs" gap="lg">
          <Radio value="all" label={t("campaignsAll")} />
          <Radio value="some" label={t("campaignsSome")} disabled={campaigns.length === 0} />
        </Group>
      </Radio.Group>
      {value && (
        <MultiSelect
          aria-label={t("campaignsSome")}
          placeholder={value.length === 0 ? t("campaignsChoose") : ""}
          searchable
          required
          maxValues={100}
          hidePickedOptions
          nothingFoundMessage={t("campaignsNone")}
          value={[...value]}
          onChange={onChange}
          data={campaigns.map(({ id, name }) => ({ value: id, label: `${name} (${id})` }))}
        />
      )}
    </Stack>
  );
}
