import type { CallItem } from "@hearback/sdk";
import { Alert, Button, Group, Select, Stack, Tabs, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { campaignQueries } from "../campaigns/queries.ts";
import { PersonSelect } from "../reviews/people/person-select.tsx";
import { Problem } from "../ui/feedback/problem.tsx";
import { DayField } from "../ui/form/day-field.tsx";
import { Icon } from "../ui/icon.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { TextLink } from "../ui/text-link.tsx";
import { Timestamp } from "../ui/time/timestamp.tsx";
import { clock, useFormat } from "../ui/time/use-format.ts";
import classes from "./calibrations.module.css";
import { parseCallIds } from "./parse-call-ids.ts";
import { calibrationQueries } from "./queries.ts";
import { startOfDay } from "./start-of-day.ts";
import { useTexts } from "./texts.ts";

interface CallPickerProps {
  /** Calls that are part of the session already. */
  readonly chosen: readonly string[];
  /** The scorecard is for calls of these campaigns only. Empty: all. */
  readonly campaignIds: readonly string[];
  readonly onAdd: (ids: readonly string[]) => void;
}

/** Adds calls by search or by pasted IDs. */
export function CallPicker({ chosen, campaignIds, onAdd }: CallPickerProps) {
  const { t } = useTexts();
  return (
    <Tabs defaultValue="search" keepMounted={false}>
      <Tabs.List>
        <Tabs.Tab value="search">{t("searchCalls")}</Tabs.Tab>
        <Tabs.Tab value="paste">{t("pasteIds")}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="search" pt="md">
        <CallSearch chosen={chosen} campaignIds={campaignIds} onAdd={onAdd} />
      </Tabs.Panel>
      <Tabs.Panel value="paste" pt="md">
        <PasteIds chosen={chosen} onAdd={onAdd} />
      </Tabs.Panel>
    </Tabs>
  );
}

function CallSearch({ chosen, campaignIds, onAdd }: CallPickerProps) {
  const { t } = useTexts();
  const { zone } = useFormat();
  const { data: campaigns = [] } = useQuery(campaignQueries.choices);
  const possible = campaigns.filter(({ id }) => campaignIds.length === 0 || campaignIds.includes(id));
  const [campaign, setCampaign] = useState<string | null>(null);
  const [agent, setAgent] = useState<string>();
  const [from, setFrom] = useState<string>();
  const [to, setTo] = useState<string>();
  const found = useQuery(
    calibrationQueries.calls({
      // A scorecard for one campaign needs no choice.
      campaign: campaign ?? (possible.length === 1 ? possible[0]?.id : undefined),
      agent,
      from: from ? startOfDay(from, zone) : undefined,
      to: to ? startOfDay(to, zone, 1) : undefined,
    }),
  );
  const isPossible = ({ campaign_id }: CallItem) => campaignIds.length === 0 || campaignIds.includes(campaign_id);
  const calls = found.data?.filter(isPossible);
  const others = calls?.filter(({ id }) => !chosen.includes(id)) ?? [];
  return (
    <Stack gap="sm">
      <div className={classes.filters}>
        <PersonSelect label={t("agent")} agents value={agent} onChange={setAgent} />
        <Select
          label={t("campaign")}
          placeholder={t("any")}
          clearable
          searchable
          data={possible.map(({ id, name }) => ({ value: id, label: name }))}
          value={campaign}
          onChange={setCampaign}
        />
        <DayField label={t("from")} day={from} onChange={setFrom} />
        <DayField label={t("to")} day={to} onChange={setTo} />
      </div>
      {found.error && <Problem error={found.error} onRetry={() => void found.refetch()} />}
      {!calls && !found.error && <LoadingRows rows={4} height={36} />}
      {calls?.length === 0 && <Text c="dimmed">{t("noCallsFound")}</Text>}
      {calls && calls.length > 0 && (
        <>
          <ul className={classes.found} aria-label={t("foundCalls")}>
            {calls.map((call) => (
              <FoundCall key={call.id} call={call} isChosen={chosen.includes(call.id)} onAdd={() => onAdd([call.id])} />
            ))}
          </ul>
          {others.length > 1 && (
            <Group>
              <Button size="xs" variant="default" onClick={() => onAdd(others.map(({ id }) => id))}>
                {t("addAll", { count: others.length })}
              </Button>
            </Group>
          )}
        </>
      )}
    </Stack>
  );
}

interface FoundCallProps {
  readonly call: CallItem;
  readonly isChosen: boolean;
  readonly onAdd: () => void;
}

function FoundCall({ call, isChosen, onAdd }: FoundCallProps) {
  const { t } = useTexts();
  const format = useFormat();
  const name = call.agent.name || call.agent.email;
  const label = t("callOf", { agent: name, time: format.dateTime(call.conversation_time) });
  return (
    <li>
      <span className="breakable">
        <TextLink to="/calls/$id" params={{ id: call.id }} target="_blank" underline="always">
          {name}
        </TextLink>{" "}
        <Text span size="sm" c="dimmed">
          <Timestamp at={call.conversation_time} />
          {call.recording.duration_ms !== null && ` · ${clock(call.recording.duration_ms)}`}
        </Text>
      </span>
      <Button
        size="compact-sm"
        variant="light"
        disabled={isChosen}
        aria-label={t(isChosen ? "addedCall" : "addCall", { call: label })}
        leftSection={<Icon name={isChosen ? "check" : "plus"} size={14} />}
        onClick={onAdd}
      >
        {t(isChosen ? "added" : "add")}
      </Button>
    </li>
  );
}

function PasteIds({ chosen, onAdd }: Pick<CallPickerProps, "chosen" | "onAdd">) {
  const { t } = useTexts();
  const [text, setText] = useState("");
  const { ids, wrong } = parseCallIds(text);
  const others = ids.filter((id) => !chosen.includes(id));
  const add = () => {
    onAdd(others);
    setText(wrong.join("\n"));
  };
  return (
    <Stack gap="sm">
      <Textarea
        label={t("callIds")}
        description={t("callIdsDetail")}
        autosize
        minRows={4}
        maxRows={12}
        maxLength={20_000}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {wrong.length > 0 && (
        <Alert variant="light" color="orange" icon={<Icon name="warning" />}>
          {t("notIds", { words: wrong.slice(0, 5).join(", ") })}
        </Alert>
      )}
      <Group>
        <Button variant="default" disabled={others.length === 0} onClick={add}>
          {t("addIds", { count: others.length })}
        </Button>
      </Group>
    </Stack>
  );
}
