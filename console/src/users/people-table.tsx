import type { TeamBody, UserBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { teamQueries } from "../teams/queries.ts";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import type { RowAction } from "../ui/table/row-button.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { useSearchParams } from "../ui/use-search-params.ts";
import { readPeopleFilter } from "./people-filter.ts";
import { userQueries } from "./queries.ts";
import { actionsFor, type PersonAction, type Reader } from "./rights.ts";
import { type Translate, useTexts } from "./texts.ts";

interface PeopleTableProps {
  readonly reader: Reader;
  readonly onAction: (what: PersonAction, user: UserBody) => void;
}

export function PeopleTable({ reader, onAction }: PeopleTableProps) {
  const { t } = useTexts();
  const filter = readPeopleFilter(useSearchParams().params);
  const list = useInfiniteQuery(userQueries.list(filter));
  const teams = useQuery(teamQueries.list);
  const none = Object.keys(filter).length > 0 ? "noneFound" : "none";
  return (
    <PagedTable
      list={list}
      label={t("title")}
      columns={columnsOf(t, teams.data ?? [])}
      // Waits for the teams, because they add a column.
      rows={teams.isPending ? undefined : list.data?.pages.flatMap(({ users }) => users)}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon="people" title={t(none)}>
          <Text maw={480}>{t(`${none}Detail`)}</Text>
        </EmptyState>
      }
      actions={(user) => {
        const actions = actionsFor(reader, user);
        const items = menuItemsOf(t, user);
        return (
          actions.length > 0 && (
            <RowMenu
              name={user.name}
              actions={actions.map((what) => ({ ...items[what], onClick: () => onAction(what, user) }))}
            />
          )
        );
      }}
    />
  );
}

const menuItemsOf = (t: Translate, user: UserBody): Readonly<Record<PersonAction, Omit<RowAction, "onClick">>> => ({
  change: { label: t("change"), icon: "edit" },
  team: { label: t("changeTeam"), icon: "people" },
  invitation: { label: t("inviteAgain"), icon: "mail" },
  sessions: { label: t("sessions"), icon: "lock" },
  unlink: { label: t("unlink"), icon: "link" },
  deactivate:
    user.status === "deactivated"
      ? { label: t("reactivate"), icon: "refresh" }
      : { label: t("deactivate"), icon: "close", dangerous: true },
});

const colours = { active: "green", invited: "blue", deactivated: "gray" } as const;

/** Users who were created without an invitation are active, for imports, but have not signed in. */
const hasNoSignIn = ({ status, sign_in_methods }: UserBody) => status === "active" && sign_in_methods?.length === 0;

const columnsOf = (t: Translate, teams: readonly TeamBody[]): readonly [Column<UserBody>, ...Column<UserBody>[]] => [
  {
    key: "name",
    title: t("name"),
    cell: ({ name, email }) => (
      <>
        <Text inherit fw={600}>
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {email}
        </Text>
      </>
    ),
  },
  { key: "role", title: t("role"), cell: ({ role }) => t(`role_${role}`) },
  ...(teams.length > 0
    ? [{ key: "team", title: t("team"), cell: (user: UserBody) => teams.find(({ id }) => id === user.team_id)?.name }]
    : []),
  {
    key: "status",
    title: t("status"),
    cell: (user) =>
      hasNoSignIn(user) ? (
        <StatusBadge color="gray">{t("noSignIn")}</StatusBadge>
      ) : (
        <StatusBadge color={colours[user.status]}>{t(`status_${user.status}`)}</StatusBadge>
      ),
  },
  { key: "created", title: t("created"), cell: ({ created_at }) => <Timestamp at={created_at} day /> },
  {
    key: "calls",
    title: t("calls"),
    cell: ({ id, name, role }) =>
      role === "agent" && (
        <TextLink to="/calls" search={{ agent: id }} aria-label={t("seeCallsOf", { name })}>
          {t("seeCalls")}
        </TextLink>
      ),
  },
];
