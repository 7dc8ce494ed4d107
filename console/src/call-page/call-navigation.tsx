import { Button, Group, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { readFilters, toCallFilter } from "../calls/filters/call-filters.ts";
import { prefetchCall } from "../player/queries.ts";
import type { SearchParams } from "../search-params.ts";
import { Icon } from "../ui/icon.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { callPageQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface CallNavigationProps {
  /** Filters of the list the call was opened from. */
  readonly list: SearchParams;
  readonly id: string;
  readonly happenedAt: string | undefined;
}

/** Links back to the list and to the adjacent calls. */
export function CallNavigation({ list, id, happenedAt }: CallNavigationProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const address = JSON.stringify(list);
  // Resolved once: the list must not change while the page is open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal parameters mean the same list
  const filter = useMemo(() => toCallFilter(readFilters(list)), [address]);
  const older = useQuery({ ...callPageQueries.older(filter, id), enabled: happenedAt !== undefined });
  const newer = useQuery({
    ...callPageQueries.newer(filter, id, new Date(happenedAt ?? 0)),
    enabled: happenedAt !== undefined,
  });
  const queries = useQueryClient();
  useEffect(() => {
    if (older.data) void prefetchCall(queries, older.data.id);
  }, [queries, older.data]);
  /** Must run during render, because TanStack Query tracks the fields read from the result. */
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
        <AdjacentLink
          label={t("previous")}
          name={t("previousCall")}
          icon="chevronLeft"
          id={newer.data?.id}
          list={list}
        />
        <AdjacentLink label={t("next")} name={t("nextCall")} icon="chevronRight" id={older.data?.id} list={list} />
      </Group>
    </Group>
  );
}

interface AdjacentLinkProps {
  readonly label: string;
  /** Accessible name. */
  readonly name: string;
  readonly icon: "chevronLeft" | "chevronRight";
  /** Absent: none, or not loaded yet. */
  readonly id: string | undefined;
  readonly list: SearchParams;
}

function AdjacentLink({ label, name, icon, id, list }: AdjacentLinkProps) {
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
