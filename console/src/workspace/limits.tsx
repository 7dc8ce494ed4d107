import type { LimitsBody } from "@hearback/sdk";
import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../i18n/use-texts.ts";
import { LoadingRows } from "../ui/loading-rows.tsx";
import { Problem } from "../ui/problem.tsx";
import { useFormat } from "../ui/use-format.ts";
import { Meter } from "./meter.tsx";
import { workspaceQueries } from "./queries.ts";

/** What the workspace may use, and how much of it is used at this moment. */
export function Limits() {
  const limits = useQuery(workspaceQueries.limits);
  const problem = limits.error && <Problem error={limits.error} onRetry={() => void limits.refetch()} />;
  if (!limits.data) return problem ?? <LoadingRows rows={3} />;
  return (
    <Stack>
      {problem}
      <Meters limits={limits.data} />
    </Stack>
  );
}

function Meters({ limits: { workspace, interface: fixed } }: { readonly limits: LimitsBody }) {
  const { t } = useTexts("workspace");
  const { number, bytes, dateTime } = useFormat();
  const { calls_per_day: calls, stored_bytes: stored } = workspace;
  /** Of an amount that is used up: "12 of 200". */
  const amount = (used: number | null, limit: number | null, write = number) => {
    if (limit === null) return { says: used === null ? t("noLimit") : t("usedNoLimit", { used: write(used) }) };
    return { says: t("usedOf", { used: write(used ?? 0), limit: write(limit) }), share: (used ?? 0) / limit };
  };
  /** Of a rate, which only has an end. */
  const rate = ({ limit }: { readonly limit: number | null }) => ({
    says: limit === null ? t("noLimit") : t("perSecond", { limit: number(limit) }),
  });
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="lg">
      <Meter
        label={t("callsToday")}
        {...amount(calls.used, calls.limit)}
        {...(calls.limit !== null && { detail: t("resetsAt", { date: dateTime(calls.resets_at) }) })}
      />
      <Meter label={t("stored")} {...amount(stored.used, stored.limit, bytes)} />
      <Meter label={t("uploads")} {...amount(workspace.uploads_at_once.used, workspace.uploads_at_once.limit)} />
      <Meter label={t("requests")} {...rate(workspace.requests_per_second)} />
      <Meter label={t("imports")} {...rate(workspace.imports_per_second)} />
      <Meter label={t("largest")} says={bytes(fixed.recording_bytes)} />
    </SimpleGrid>
  );
}
