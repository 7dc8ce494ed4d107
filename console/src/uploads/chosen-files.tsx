import { Button, Group, Paper, SegmentedControl, Text } from "@mantine/core";
import { useCallback, useMemo, useState } from "react";
import { Icon } from "../ui/icon.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { useSearchParams } from "../ui/use-search-params.ts";
import { CreateAgent } from "./create-agent.tsx";
import { DefaultsForm } from "./defaults-form.tsx";
import { EditDetails } from "./edit-details.tsx";
import { isComplete, type Row } from "./queue/rows.ts";
import type { Uploads } from "./queue/upload-queue.ts";
import { uploads as queue } from "./queue/uploads.ts";
import { RunBar } from "./run-bar.tsx";
import { type TextKey, useTexts } from "./texts.ts";
import { UploadList } from "./upload-list.tsx";

const shows = ["all", "needed", "ready", "failed", "done"] as const;
type Shows = (typeof shows)[number];
const showTexts: Readonly<Record<Shows, TextKey>> = {
  all: "showAll",
  needed: "showNeeded",
  ready: "showReady",
  failed: "showFailed",
  done: "showDone",
};

function kindOf(row: Row, { context }: Uploads): Shows {
  const { kind } = row.state;
  if (kind === "done" || kind === "failed") return kind;
  return kind === "listed" && !isComplete(row, context) ? "needed" : "ready";
}

/** Defaults, progress and file list. */
export function ChosenFiles({ uploads }: { readonly uploads: Uploads }) {
  return (
    <>
      <DefaultsForm context={uploads.context} />
      <RunBar uploads={uploads} />
      <Files uploads={uploads} />
    </>
  );
}

/** File list with status filter and bulk actions. */
function Files({ uploads }: { readonly uploads: Uploads }) {
  const { t } = useTexts();
  const format = useFormat();
  const { choice, change } = useSearchParams();
  const show = choice("show", shows) ?? "all";
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [agentEmail, setAgentEmail] = useState<string>();
  const [edited, setEdited] = useState<readonly Row[]>([]);
  const kinds = useMemo(() => Map.groupBy(uploads.rows, (row) => kindOf(row, uploads)), [uploads]);
  const rows = show === "all" ? uploads.rows : (kinds.get(show) ?? []);
  const chosen = uploads.rows.filter(({ item }) => selected.has(item.id));
  const select = useCallback((ids: readonly number[], is: boolean) => {
    setSelected((before) => {
      const after = new Set(before);
      for (const id of ids) is ? after.add(id) : after.delete(id);
      return after;
    });
  }, []);
  const edit = useCallback((row: Row) => setEdited([row]), []);
  const count = (kind: Shows) => (kind === "all" ? uploads.rows.length : (kinds.get(kind)?.length ?? 0));
  return (
    <>
      <Group justify="space-between" gap="sm">
        <SegmentedControl
          aria-label={t("show")}
          value={show}
          onChange={(value) => change({ show: value === "all" ? undefined : value })}
          data={shows.map((kind) => ({ value: kind, label: `${t(showTexts[kind])} ${format.number(count(kind))}` }))}
          size="sm"
        />
        <Group gap="xs">
          {chosen.length > 0 ? (
            <>
              <Text size="sm" className="tabular">
                {t("selectedCount", { count: chosen.length })}
              </Text>
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name="edit" size={14} />}
                onClick={() => setEdited(chosen)}
              >
                {t("editDetails")}
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name="trash" size={14} />}
                onClick={() => {
                  queue.remove(({ item }) => selected.has(item.id));
                  setSelected(new Set());
                }}
              >
                {t("remove")}
              </Button>
            </>
          ) : (
            count("done") > 0 && (
              <Button size="xs" variant="default" onClick={() => queue.remove(({ state }) => state.kind === "done")}>
                {t("removeDone")}
              </Button>
            )
          )}
        </Group>
      </Group>
      {rows.length === 0 ? (
        <Paper withBorder p="xl">
          <Text ta="center" c="dimmed">
            {t("noneShown")}
          </Text>
        </Paper>
      ) : (
        <UploadList
          rows={rows}
          uploads={uploads}
          selected={selected}
          onSelect={select}
          onEdit={edit}
          onCreateAgent={setAgentEmail}
        />
      )}
      <CreateAgent email={agentEmail} onClose={() => setAgentEmail(undefined)} />
      <EditDetails rows={edited} context={uploads.context} onClose={() => setEdited([])} />
    </>
  );
}
