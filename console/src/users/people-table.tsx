import type { UserBody } from "@hearback/sdk";
import { Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { EmptyState } from "../ui/feedback/empty-state.tsx";
import { StatusBadge } from "../ui/feedback/status-badge.tsx";
import type { Column } from "../ui/table/data-table.tsx";
import { PagedTable } from "../ui/table/paged-table.tsx";
import type { RowAction } from "../ui/table/row-button.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { usePeopleFilter } from "./people-filters.tsx";
import { userQueries } from "./queries.ts";
import { invitable, type Reader } from "./rights.ts";
import { type Translate, useTexts } from "./texts.ts";

type PersonAction = "change" | "invitation" | "sessions" | "unlink" | "deactivate";

interface PeopleTableProps {
  readonly reader: Reader;
  readonly onAction: (what: PersonAction, user: UserBody) => void;
}

export function PeopleTable({ reader, onAction }: PeopleTableProps) {
  const { t } = useTexts();
  const filter = usePeopleFilter();
  const list = useInfiniteQuery(userQueries.list(filter));
  const none = Object.keys(filter).length > 0 ? "noneFound" : "none";
  return (
    <PagedTable
      list={list}
      label={t("title")}
      columns={columnsOf(t)}
      rows={list.data?.pages.flatMap(({ users }) => users)}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon="people" title={t(none)}>
          <Text maw={480}>{t(`${none}Detail`)}</Text>
        </EmptyState>
      }
      actions={(user) => {
        const actions = actionsOf(t, reader, user);
        return (
          actions.length > 0 && (
            <RowMenu
              name={user.name}
              actions={actions.map(({ what, ...action }) => ({ ...action, onClick: () => onAction(what, user) }))}
            />
          )
        );
      }}
    />
  );
}

type Offered = Omit<RowAction, "onClick"> & { readonly what: PersonAction };

/** Actions the signed-in user may take. */
function actionsOf(t: Translate, reader: Reader, user: UserBody): readonly Offered[] {
  const gone = user.status === "deactivated";
  const invite: Offered = { what: "invitation", label: t("inviteAgain"), icon: "mail" };
  const mayInvite = !gone && user.id !== reader.id && invitable(reader.role).includes(user.role);
  if (reader.role !== "admin") return mayInvite ? [invite] : [];
  return [
    { what: "change", label: t("change"), icon: "edit" },
    ...(mayInvite ? [invite] : []),
    { what: "sessions", label: t("sessions"), icon: "lock" },
    ...(reader.provider && user.id !== reader.id
      ? [{ what: "unlink", label: t("unlink"), icon: "link" } as const]
      : []),
    ...(user.id === reader.id
      ? []
      : [
          gone
            ? ({ what: "deactivate", label: t("reactivate"), icon: "refresh" } as const)
            : ({ what: "deactivate", label: t("deactivate"), icon: "close", dangerous: true } as const),
        ]),
  ];
}

const colours = { active: "green", invited: "blue", deactivated: "gray" } as const;

/** Users who were created without an invitation are active, for imports, but have not signed in. */
const hasNoSignIn = ({ status, sign_in_methods }: UserBody) => status === "active" && sign_in_methods?.length === 0;

const columnsOf = (t: Translate): readonly [Column<UserBody>, ...Column<UserBody>[]] => [
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
