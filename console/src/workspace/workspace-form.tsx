import type { WorkspaceBody } from "@hearback/sdk";
import { Button, Checkbox, Group, Select, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Problem } from "../ui/feedback/problem.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { NameField } from "../ui/form/name-field.tsx";
import { useChangeWorkspace } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface WorkspaceFormProps {
  readonly workspace: WorkspaceBody;
  readonly onChanged: () => void;
}

interface Typed {
  readonly name?: string;
  readonly timeZone?: string;
  readonly earliest?: string;
  readonly downloads?: boolean;
}

export function WorkspaceForm({ workspace, onChanged }: WorkspaceFormProps) {
  const { t } = useTexts();
  const change = useChangeWorkspace();
  // Sends only edited fields, so that concurrent changes are kept.
  const [typed, setTyped] = useState<Typed>({});
  const { name = workspace.name, timeZone = workspace.settings.time_zone } = typed;
  const {
    time_zone: zoneNow,
    earliest_conversation: earliestNow,
    agents_can_download: downloadsNow,
  } = workspace.settings;
  const { earliest = earliestNow, downloads = downloadsNow } = typed;
  const same =
    name.trim() === workspace.name && timeZone === zoneNow && earliest === earliestNow && downloads === downloadsNow;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      {
        name: typed.name?.trim(),
        settings: {
          timeZone: typed.timeZone,
          earliestConversation: typed.earliest,
          agentsCanDownload: typed.downloads,
        },
      },
      {
        onSuccess() {
          setTyped({});
          toast(t("saved"));
          onChanged();
        },
      },
    );
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={480}>
        <NameField
          label={t("name")}
          description={t("nameDetail")}
          value={name}
          onChange={(changed) => setTyped({ ...typed, name: changed })}
        />
        <Select
          label={t("timeZone")}
          description={t("timeZoneDetail")}
          searchable
          allowDeselect={false}
          limit={100}
          nothingFoundMessage={t("timeZoneNone")}
          value={timeZone}
          onChange={(zone) => zone && setTyped({ ...typed, timeZone: zone })}
          data={zonesWith(timeZone)}
        />
        <TextInput
          type="date"
          required
          label={t("earliest")}
          description={t("earliestDetail")}
          min="2000-01-01"
          value={earliest}
          onChange={(event) => setTyped({ ...typed, earliest: event.currentTarget.value })}
        />
        <Checkbox
          label={t("agentDownloads")}
          description={t("agentDownloadsDetail")}
          checked={downloads}
          onChange={(event) => setTyped({ ...typed, downloads: event.currentTarget.checked })}
        />
        {change.error && <Problem error={change.error} />}
        <Group>
          <Button type="submit" disabled={same} loading={change.isPending}>
            {t("save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Zones known to the browser, plus the current one. */
const zonesWith = (zone: string) => [...new Set(["UTC", zone, ...Intl.supportedValuesOf("timeZone")])];
