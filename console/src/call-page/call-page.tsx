import { ServiceError } from "@hearback/sdk";
import { Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useSession } from "../access/queries.ts";
import { callQueries, findCachedCall } from "../calls/queries.ts";
import { playerQueries } from "../player/queries.ts";
import { parseTimeParam } from "../player/time-param.ts";
import type { SearchParams } from "../search-params.ts";
import { FailedPage } from "../ui/feedback/failed-page.tsx";
import { CallGone } from "./call-gone.tsx";
import { CallNavigation } from "./call-navigation.tsx";
import { CallView } from "./call-view.tsx";
import { rightsOf } from "./rights.ts";

/** Page of one call. The other search parameters are the filters of its list. */
export function CallPage() {
  const { id } = useParams({ from: "/inside/calls/$id" });
  const { t, ...list } = useSearch({ from: "/inside/calls/$id" });
  // Remount for each call.
  return <OneCall key={id} id={id} startMs={parseTimeParam(t) ?? 0} list={list} />;
}

interface OneCallProps {
  readonly id: string;
  readonly startMs: number;
  readonly list: SearchParams;
}

function OneCall({ id, startMs, list }: OneCallProps) {
  const session = useSession();
  const call = useQuery(playerQueries.call(id));
  const campaigns = useQuery(callQueries.campaigns);
  const queries = useQueryClient();
  // Show the data of the list row until the call is loaded.
  const [row] = useState(() => findCachedCall(queries, id));
  const known = call.data ?? (call.isPending ? row : undefined);
  const isGone = call.error instanceof ServiceError && [400, 404].includes(call.error.status);
  return (
    <Stack gap="md">
      <CallNavigation list={list} id={id} happenedAt={known?.conversation_time} />
      {known || call.isPending ? (
        <CallView
          call={known}
          campaign={known && (campaigns.data?.get(known.campaign_id) ?? known.campaign_id)}
          startMs={startMs}
          rights={rightsOf(session)}
          said={typeof list.said === "string" ? list.said : undefined}
        />
      ) : isGone ? (
        <CallGone />
      ) : (
        <FailedPage error={call.error} onRetry={() => void call.refetch()} />
      )}
    </Stack>
  );
}
