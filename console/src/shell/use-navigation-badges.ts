import type { SessionBody } from "@hearback/sdk";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { queueQuery } from "../queue/queue-query.ts";
import { waitingQuery } from "../reviews/list/waiting.ts";
import { useAfterFirstPaint } from "../ui/lazy/use-after-first-paint.ts";
import { type TextKey, useTexts } from "./texts.ts";

export interface Waiting {
  readonly key: string;
  readonly count: number;
  readonly text: string;
  readonly urgent: boolean;
}

const countedPages = ["/reviews", "/disputes"];

/** Counts for the badges, by navigation item. Empty until they are loaded. Fetched again on the pages that they are about. */
export function useNavigationBadges(session: SessionBody, path: string): Readonly<Record<string, readonly Waiting[]>> {
  const { t } = useTexts();
  const queries = useQueryClient();
  useEffect(() => {
    if (countedPages.some((page) => path.startsWith(page))) void queries.invalidateQueries(waitingQuery);
  }, [queries, path]);
  // Not needed for the first paint, and refused until two-step verification is set up.
  const isPainted = useAfterFirstPaint();
  const enabled = isPainted && !session.two_step_needed;
  const { data } = useQuery({ ...waitingQuery, enabled });
  const { data: queue } = useQuery({ ...queueQuery, enabled: enabled && session.user.role !== "agent" });
  if (!data) return {};
  const count = (key: TextKey, number: number, urgent = false): readonly Waiting[] =>
    number === 0 ? [] : [{ key, count: number, text: t(key, { count: number }), urgent }];
  return {
    "/queue": [
      ...count("waitingQueue", (queue?.open ?? 0) - (queue?.overdue ?? 0)),
      ...count("waitingOverdue", queue?.overdue ?? 0, true),
    ],
    "/reviews": [
      ...count("waitingDrafts", data.drafts),
      ...count("waitingRelease", data.to_release),
      ...count("waitingAcknowledge", data.to_acknowledge),
    ],
    "/disputes": [...count("waitingDisputes", data.disputes), ...count("waitingOverdue", data.overdue_disputes, true)],
  };
}
