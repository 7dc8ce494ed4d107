import { Button, Group, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { createLink, useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { readFilters, toCallFilter } from "../calls/call-filters.ts";
import { useTexts } from "../i18n/use-texts.ts";
import type { SearchParams } from "../search-params.ts";
import { Icon } from "../ui/icon.tsx";
import { useShortcuts } from "../ui/shortcuts.tsx";
import { playerQueries, prefetchCall } from "./queries.ts";

interface ListWayProps {
  /** What the list was filtered by, as its address says it. */
  readonly list: SearchParams;
  readonly id: string;
  readonly happenedAt: string | undefined;
}

const LinkButton = createLink(Button<"a">);

/** Back to the list one came from, and on to its next call without going back. */
export function ListWay({ list, id, happenedAt }: ListWayProps) {
  const { t } = useTexts("player");
  const navigate = useNavigate();
  const address = JSON.stringify(list);
  // A period such as "today" is read once: the time that passes does not make it another list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same address is the same list
  const filter = useMemo(() => toCallFilter(readFilters(list)), [address]);
  const older = useQuery({ ...playerQueries.older(filter, id), enabled: happenedAt !== undefined });
  const newer = useQuery({
    ...playerQueries.newer(filter, id, new Date(happenedAt ?? 0)),
    enabled: happenedAt !== undefined,
  });
  const queries = useQueryClient();
  useEffect(() => {
    if (older.data) void prefetchCall(queries, older.data.id);
  }, [queries, older.data]);
  /** Called while this is drawn, not when the key is pressed: a query tells of what was read of it. */
  const goTo = ({ data: other, isError, refetch }: typeof older) => {
    if (other) return () => void navigate({ to: "/calls/$id", params: { id: other.id }, search: list });
    return () => void (isError && refetch());
  };
  const group = t("keysList");
  useShortcuts([
    { keys: ["n"], group, text: t("nextCall"), run: goTo(older) },
    { keys: ["p"], group, text: t("previousCall"), run: goTo(newer) },
    { keys: ["u"], group, text: t("toList"), run: () => void navigate({ to: "/calls", search: list }) },
  ]);
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap">
      <LinkButton
        to="/calls"
        search={list}
        variant="subtle"
        size="compact-sm"
        aria-label={t("toList")}
        leftSection={<Icon name="back" size={16} />}
      >
        <Text span inherit visibleFrom="xs">
          {t("toList")}
        </Text>
        <Text span inherit hiddenFrom="xs">
          {t("back")}
        </Text>
      </LinkButton>
      <Group gap="xs" wrap="nowrap">
        <Neighbour label={t("previous")} name={t("previousCall")} icon="chevronLeft" id={newer.data?.id} list={list} />
        <Neighbour label={t("next")} name={t("nextCall")} icon="chevronRight" id={older.data?.id} list={list} />
      </Group>
    </Group>
  );
}

interface NeighbourProps {
  readonly label: string;
  /** The same, for whoever does not see what is around it. */
  readonly name: string;
  readonly icon: "chevronLeft" | "chevronRight";
  /** Absent: there is none, or it is not known yet. */
  readonly id: string | undefined;
  readonly list: SearchParams;
}

function Neighbour({ label, name, icon, id, list }: NeighbourProps) {
  const look = { variant: "default", size: "compact-sm", "aria-label": name } as const;
  const side = { [icon === "chevronLeft" ? "leftSection" : "rightSection"]: <Icon name={icon} size={14} /> };
  if (!id) {
    return (
      <Button {...look} {...side} disabled>
        {label}
      </Button>
    );
  }
  return (
    <LinkButton {...look} {...side} to="/calls/$id" params={{ id }} search={list}>
      {label}
    </LinkButton>
  );
}
