import { ServiceError } from "@hearback/sdk";
import { Stack } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { useSession } from "../access/queries.ts";
import { callQueries, findHeld } from "../calls/queries.ts";
import type { SearchParams } from "../search-params.ts";
import { Problem } from "../ui/problem.tsx";
import { CallGone } from "./call-gone.tsx";
import { CallView } from "./call-view.tsx";
import { ListWay } from "./list-way.tsx";
import { readMoment } from "./moment.ts";
import { playerQueries } from "./queries.ts";
import { rightsOf } from "./rights.ts";

/** The page of one call. What else the address says is the list that it was opened from. */
export function CallPage() {
  const { id } = useParams({ from: "/inside/calls/$id" });
  const { t, ...list } = useSearch({ from: "/inside/calls/$id" });
  // Another call is another page: nothing of the one before stays.
  return <OneCall key={id} id={id} startMs={readMoment(t) ?? 0} list={list} />;
}

interface OneCallProps {
  readonly id: string;
  readonly startMs: number;
  readonly list: SearchParams;
}

function OneCall({ id, startMs, list }: OneCallProps) {
  const { user } = useSession();
  const call = useQuery(playerQueries.call(id));
  const campaigns = useQuery(callQueries.campaigns);
  const queries = useQueryClient();
  // Whoever comes from the list sees at once what stood there.
  const [row] = useState(() => findHeld(queries, id));
  const known = call.data ?? (call.isPending ? row : undefined);
  const isGone = call.error instanceof ServiceError && [400, 404].includes(call.error.status);
  return (
    <Stack gap="md">
      <ListWay list={list} id={id} happenedAt={known?.conversation_time} />
      {known || call.isPending ? (
        <CallView
          call={known}
          campaign={known && (campaigns.data?.get(known.campaign_id) ?? known.campaign_id)}
          startMs={startMs}
          rights={rightsOf(user.role)}
        />
      ) : isGone ? (
        <CallGone />
      ) : (
        <Problem error={call.error} onRetry={() => void call.refetch()} />
      )}
    </Stack>
  );
}
