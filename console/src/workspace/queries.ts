import type { ChangeWorkspace } from "@hearback/sdk";
import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { client } from "../client.ts";

export const workspaceQueries = {
  workspace: queryOptions({ queryKey: ["workspace"], queryFn: ({ signal }) => client.workspace.find({ signal }) }),
  transcriptionUsage: queryOptions({
    queryKey: ["workspace", "transcription-usage"],
    queryFn: ({ signal }) => client.transcripts.usage({ days: 31, signal }),
  }),
  limits: queryOptions({
    queryKey: ["workspace", "limits"],
    queryFn: ({ signal }) => client.limits.find({ signal }),
    refetchInterval: 15_000,
  }),
};

export function useChangeWorkspace() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: ChangeWorkspace) => client.workspace.change(change),
    onSuccess: (workspace) => queries.setQueryData(workspaceQueries.workspace.queryKey, workspace),
  });
}
