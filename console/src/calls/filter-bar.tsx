import type { CallFilter } from "@hearback/sdk";
import { Button, Group } from "@mantine/core";
import { useDebouncedValue, useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type Ref, useState } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import { type CallFilters, isFiltered, limits, withEntry } from "./call-filters.ts";
import { FilterMenus } from "./filter-menus.tsx";
import { callQueries } from "./queries.ts";
import { QuickBox } from "./quick-box.tsx";
import { findOffers, type Offer } from "./quick-offers.ts";

interface FilterBarProps {
  readonly filters: CallFilters;
  readonly campaigns: ReadonlyMap<string, string>;
  readonly filter: CallFilter;
  readonly quick: Ref<HTMLInputElement>;
  /** Agents see their own calls only. */
  readonly ownCalls: boolean;
  readonly narrow: boolean;
  readonly onChange: (filters: CallFilters) => void;
  readonly onOpen: (id: string) => void;
}

/** Everything that calls can be found by. */
export function FilterBar({ filters, campaigns, filter, quick, ownCalls, narrow, onChange, onOpen }: FilterBarProps) {
  const { t } = useTexts("calls");
  const [opened, { toggle }] = useDisclosure(false);
  const menus = <FilterMenus {...{ filters, campaigns, ownCalls, onChange }} />;
  return (
    <Group gap="xs">
      <Quick {...{ filters, campaigns, filter, quick, ownCalls, onChange, onOpen }} />
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

type QuickProps = Omit<FilterBarProps, "narrow">;

function Quick({ filters, campaigns, filter, quick, ownCalls, onChange, onOpen }: QuickProps) {
  const queries = useQueryClient();
  const [typed, setTyped] = useState("");
  const [words] = useDebouncedValue(typed.trim(), 200);
  const { data: keys = [] } = useQuery({ ...callQueries.keys, enabled: typed !== "" });
  const named = useQuery({ ...callQueries.agents(words), enabled: words.length > 1 && !ownCalls });
  const list = typed === "" ? undefined : queries.getQueryData(callQueries.list(filter).queryKey);
  const calls = list ? [...list.held.values()].flat() : [];
  const agents = ownCalls || typed === "" ? [] : (named.data ?? []);
  const offers = findOffers(typed, { campaigns, agents, calls, keys });
  const pick = (offer: Offer) => {
    if (offer.kind === "call") onOpen(offer.id);
    else onChange(withOffer(filters, offer));
  };
  return <QuickBox ref={quick} typed={typed} onType={setTyped} offers={offers} onPick={pick} />;
}

const added = <Item,>(items: readonly Item[], item: Item, most: number) =>
  items.includes(item) || items.length >= most ? items : [...items, item];

function withOffer(filters: CallFilters, offer: Exclude<Offer, { kind: "call" }>): CallFilters {
  if (offer.kind === "campaign") return { ...filters, campaigns: added(filters.campaigns, offer.id, limits.values) };
  if (offer.kind === "agent") return { ...filters, agents: added(filters.agents, offer.id, limits.values) };
  return withEntry(filters, { key: offer.key, value: offer.value });
}
