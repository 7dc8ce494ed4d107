import type { CallFilter } from "@hearback/sdk";
import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import type { CallList } from "./call-list.ts";
import { lookAgain, newestCalls, readAnew } from "./queries.ts";
import { useNewCalls } from "./use-call-list.ts";

interface NewCallsProps {
  readonly filter: CallFilter;
  readonly list: CallList;
  readonly onShow: () => void;
}

/** Says that calls came meanwhile. They are shown when somebody wants them: nothing moves by itself. */
export function NewCalls({ filter, list, onShow }: NewCallsProps) {
  const { t } = useTexts("calls");
  const queries = useQueryClient();
  const { count, askedAt } = useNewCalls(filter, list);
  // Where there is none, nothing can move.
  const atOnce = count > 0 && list.rows === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer that tells of some
  useEffect(() => {
    if (atOnce) void lookAgain(queries, filter);
  }, [queries, filter, atOnce, askedAt]);
  if (count === 0 || atOnce) return null;
  const show = () => {
    onShow();
    void readAnew(queries, filter);
  };
  return (
    <div role="status">
      <Button size="compact-sm" variant="light" leftSection={<Icon name="refresh" size={14} />} onClick={show}>
        {t("newCalls", { count, number: count >= newestCalls ? `${count}+` : count })}
      </Button>
    </div>
  );
}
