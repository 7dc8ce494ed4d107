import type { CallFilter } from "@hearback/sdk";
import { Button, Group } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Ref, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { callQueries } from "../queries.ts";
import { useTexts } from "../texts.ts";
import { type CallFilters, isFiltered, limits, withEntry } from "./call-filters.ts";
import { FilterMenus } from "./filter-menus.tsx";
import { QuickSearch } from "./quick-search.tsx";
import { findSuggestions, type Suggestion } from "./search-suggestions.ts";

interface FilterBarProps {
  readonly filters: CallFilters;
  readonly campaigns: ReadonlyMap<string, string>;
  readonly filter: CallFilter;
  readonly quick: Ref<HTMLInputElement>;
  /** Agents only see their own calls. */
  readonly ownCalls: boolean;
  /** Agents and reviewers search by their own reviews. */
  readonly ownReviews: boolean;
  readonly narrow: boolean;
  readonly onChange: (filters: CallFilters) => void;
  readonly onOpen: (id: string) => void;
}

export function FilterBar({ narrow, ownReviews, ...props }: FilterBarProps) {
  const { filters, campaigns, ownCalls, onChange } = props;
  const { t } = useTexts();
  const [opened, { toggle }] = useDisclosure(false);
  const menus = (
    <FilterMenus
      filters={filters}
      campaigns={campaigns}
      ownCalls={ownCalls}
      ownReviews={ownReviews}
      onChange={onChange}
    />
  );
  return (
    <Group gap="xs">
      <Quick {...props} />
      {narrow ? (
        <>
          <Button
            variant={isFiltered(filters) ? "light" : "default"}
            px="sm"
            aria-expanded={opened}
            onClick={toggle}
            leftSection={<Icon name="filter" />}
          >
            {t("filters")}
          </Button>
          {opened && <Group gap="xs">{menus}</Group>}
        </>
      ) : (
        menus
      )}
    </Group>
  );
}

type QuickProps = Omit<FilterBarProps, "narrow" | "ownReviews">;

function Quick({ filters, campaigns, filter, quick, ownCalls, onChange, onOpen }: QuickProps) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const [words] = useDebouncedValue(typed.trim(), 200);
  const { data: keys = [] } = useQuery({ ...callQueries.keys, enabled: typed !== "" });
  const named = useQuery({ ...callQueries.agents(words), enabled: words.length > 1 && !ownCalls });
  const list = typed === "" ? undefined : queries.getQueryData(callQueries.list(filter).queryKey);
  const calls = list ? [...list.held.values()].flat() : [];
  const agents = ownCalls || typed === "" ? [] : (named.data ?? []);
  const offers = findSuggestions(typed, { campaigns, agents, calls, keys });
  const pick = (offer: Suggestion) => {
    if (offer.kind === "call") onOpen(offer.id);
    else onChange(withSuggestion(filters, offer));
  };
  return <QuickSearch ref={quick} typed={typed} onType={setTyped} offers={offers} onPick={pick} />;
}

const withItem = <Item,>(items: readonly Item[], item: Item, max: number) =>
  items.includes(item) || items.length >= max ? items : [...items, item];

function withSuggestion(filters: CallFilters, offer: Exclude<Suggestion, { kind: "call" }>): CallFilters {
  if (offer.kind === "campaign") return { ...filters, campaigns: withItem(filters.campaigns, offer.id, limits.values) };
  if (offer.kind === "agent") return { ...filters, agents: withItem(filters.agents, offer.id, limits.values) };
  if (offer.kind === "phone") return { ...filters, phone: offer.digits };
  return withEntry(filters, { key: offer.key, value: offer.value });
}
