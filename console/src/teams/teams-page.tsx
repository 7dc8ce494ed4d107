import type { TeamBody } from "@hearback/sdk";
import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { Page } from "../ui/page.tsx";
import { type Column, DataTable } from "../ui/table/data-table.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { DeleteTeam } from "./delete-team.tsx";
import { teamQueries } from "./queries.ts";
import { SaveTeam } from "./save-team.tsx";
import { TeamLead } from "./team-lead.tsx";
import { type Translate, useTexts } from "./texts.ts";

type Doing = { readonly what: "create" } | { readonly what: "rename" | "delete"; readonly team: TeamBody };

export function TeamsPage() {
  const { t } = useTexts();
  const [doing, setDoing] = useState<Doing>();
  const done = () => setDoing(undefined);
  const createButton = (
    <Button onClick={() => setDoing({ what: "create" })} leftSection={<Icon name="plus" />}>
      {t("createTeam")}
    </Button>
  );
  return (
    <Stack gap="xs">
      <TextLink to="/people" size="sm" w="fit-content">
        <Group gap={6} wrap="nowrap">
          <Icon name="back" size={14} />
          {t("peoplePage")}
        </Group>
      </TextLink>
      <Page title={t("title")} intro={t("intro")} actions={createButton}>
        <TeamTable onAction={(what, team) => setDoing({ what, team })} />
        <Dialog opened={doing?.what === "create"} title={t("createTeam")} onClose={done}>
          <SaveTeam onClose={done} />
        </Dialog>
        <Dialog opened={doing?.what === "rename"} title={t("renameTitle")} onClose={done}>
          {doing?.what === "rename" && <SaveTeam team={doing.team} onClose={done} />}
        </Dialog>
        <DeleteTeam team={doing?.what === "delete" ? doing.team : undefined} onClose={done} />
      </Page>
    </Stack>
  );
}

interface TeamTableProps {
  readonly onAction: (what: "rename" | "delete", team: TeamBody) => void;
}

function TeamTable({ onAction }: TeamTableProps) {
  const { t } = useTexts();
  const { data: teams, error, refetch } = useQuery(teamQueries.list);
  const problem = error && <Problem error={error} onRetry={() => void refetch()} />;
  if (!teams) return problem ?? <LoadingRows rows={3} />;
  if (teams.length === 0) {
    return (
      <EmptyState icon="people" title={t("none")}>
        <Text maw={480}>{t("noneDetail")}</Text>
      </EmptyState>
    );
  }
  return (
    <>
      {problem}
      <DataTable
        label={t("title")}
        columns={columnsOf(t)}
        rows={teams}
        rowKey={({ id }) => id}
        actions={(team) => (
          <RowMenu
            name={team.name}
            actions={[
              { label: t("rename"), icon: "edit", onClick: () => onAction("rename", team) },
              { label: t("delete"), icon: "trash", dangerous: true, onClick: () => onAction("delete", team) },
            ]}
          />
        )}
      />
    </>
  );
}

const columnsOf = (t: Translate): readonly [Column<TeamBody>, ...Column<TeamBody>[]] => [
  {
    key: "name",
    title: t("name"),
    cell: ({ name }) => (
      <Text inherit fw={600} className="breakable">
        {name}
      </Text>
    ),
  },
  {
    key: "members",
    title: t("members"),
    cell: ({ id, name, members: count }) =>
      count === 0 ? (
        t("people", { count })
      ) : (
        <TextLink to="/people" search={{ team: id }} aria-label={t("peopleIn", { count, name })}>
          {t("people", { count })}
        </TextLink>
      ),
  },
  { key: "lead", title: t("lead"), cell: (team) => <TeamLead team={team} /> },
  { key: "created", title: t("created"), cell: ({ created_at }) => <Timestamp at={created_at} day /> },
];
