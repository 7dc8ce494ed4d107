import type { LimitsBody } from "@hearback/sdk";
import { SimpleGrid, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Problem } from "../ui/feedback/problem.tsx";
import { LoadingRows } from "../ui/table/loading-rows.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import { Meter } from "./meter.tsx";
import { workspaceQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

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
  const { t } = useTexts();
  const { number, bytes, dateTime } = useFormat();
  const { calls_per_day: calls, stored_bytes: stored } = workspace;
  /** For amounts: "12 of 200". */
  const amount = (used: number | null, limit: number | null, write = number) => {
    if (limit === null) return { says: used === null ? t("noLimit") : t("usedNoLimit", { used: write(used) }) };
    return { says: t("usedOf", { used: write(used ?? 0), limit: write(limit) }), share: (used ?? 0) / limit };
  };
  /** For rates: the share in use right now. */
  const rate = ({ limit, remaining }: LimitsBody["workspace"]["requests_per_second"]) => {
    if (limit === null) return { says: t("noLimit") };
    const used = Math.max(0, limit - (remaining ?? limit));
    return { says: t("usedPerSecond", { used: number(used), limit: number(limit) }), share: used / limit };
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="lg">
      <Meter
        label={t("callsToday")}
        {...amount(calls.used, calls.limit)}
        {...(calls.limit !== null && { detail: t("resetsAt", { date: dateTime(calls.resets_at) }) })}
      />
      <Meter label={t("stored")} {...amount(stored.used, stored.limit, bytes)} />
      <Meter label={t("uploads")} {...amount(workspace.uploads_at_once.used, workspace.uploads_at_once.limit)} />
      <Meter label={t("downloads")} {...amount(workspace.downloads_at_once.used, workspace.downloads_at_once.limit)} />
      <Meter label={t("requests")} {...rate(workspace.requests_per_second)} />
      <Meter label={t("imports")} {...rate(workspace.imports_per_second)} />
      <Meter label={t("largest")} says={bytes(fixed.recording_bytes)} />
    </SimpleGrid>
  );
}
