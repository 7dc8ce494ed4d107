import type { CallFilter } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { Icon } from "../ui/icon.tsx";
import type { CallList } from "./call-list.ts";
import { newestCalls, refetchList, resetList } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { useNewCalls } from "./use-call-list.ts";

interface NewCallsProps {
  readonly filter: CallFilter;
  readonly list: CallList;
  readonly onShow: () => void;
}

/** Announces new calls and shows them on request, so the list does not jump. */
export function NewCalls({ filter, list, onShow }: NewCallsProps) {
  const { t } = useTexts();
  const queries = useQueryClient();
  const { count, askedAt } = useNewCalls(filter, list);
  // An empty list cannot jump, so it reloads at once.
  const atOnce = count > 0 && list.rows === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per response with new calls
  useEffect(() => {
    if (atOnce) void refetchList(queries, filter);
  }, [queries, filter, atOnce, askedAt]);
  if (count === 0 || atOnce) return null;
  const show = () => {
    onShow();
    void resetList(queries, filter);
  };
  return (
    <div role="status">
      <Button size="compact-sm" variant="light" leftSection={<Icon name="refresh" size={14} />} onClick={show}>
        {t("newCalls", { count, number: count >= newestCalls ? `${count}+` : count })}
      </Button>
    </div>
  );
}
