import type { WorkspaceBody } from "@hearback/sdk";
import { Button, Group, Select, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { NameField } from "../ui/name-field.tsx";
import { Problem } from "../ui/problem.tsx";
import { tell } from "../ui/tell.tsx";
import { useChangeWorkspace } from "./queries.ts";

interface WorkspaceFormProps {
  readonly workspace: WorkspaceBody;
  readonly onChanged: () => void;
}

export function WorkspaceForm({ workspace, onChanged }: WorkspaceFormProps) {
  const { t } = useTexts("workspace");
  const change = useChangeWorkspace();
  // Only what was changed here is sent: what somebody else changes meanwhile shows, and stays.
  const [typed, setTyped] = useState<{ readonly name?: string; readonly timeZone?: string }>({});
  const { name = workspace.name, timeZone = workspace.settings.time_zone } = typed;
  const same = name.trim() === workspace.name && timeZone === workspace.settings.time_zone;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(
      { name: typed.name?.trim(), settings: typed.timeZone ? { timeZone: typed.timeZone } : undefined },
      {
        onSuccess() {
          setTyped({});
          tell(t("saved"));
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

/** The zones that this browser knows, and the one that is set even if it does not. */
const zonesWith = (zone: string) => [...new Set(["UTC", zone, ...Intl.supportedValuesOf("timeZone")])];
