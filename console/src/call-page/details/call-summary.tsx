import { Badge } from "@mantine/core";
import { Timestamp } from "../../ui/time/timestamp.tsx";
import { useFormat } from "../../ui/time/use-format.ts";
import type { KnownCall } from "../known-call.ts";
import { useTexts } from "../texts.ts";

/** When, which campaign, how long. */
export function CallSummary({ call, campaign }: { readonly call: KnownCall; readonly campaign: string }) {
  const { t } = useTexts();
  const format = useFormat();
  const { duration_ms } = call.recording;
  return (
    <>
      <Timestamp at={call.conversation_time} />
      {" · "}
      <span title={call.campaign_id}>{campaign}</span>
      {duration_ms !== null && <span className="tabular">{` · ${format.duration(duration_ms)}`}</span>}
      {call.status !== "ready" && (
        <Badge component="span" ml="xs" color={call.status === "failed" ? "red" : "gray"} variant="light">
          {t(call.status === "failed" ? "statusFailed" : "statusReceived")}
        </Badge>
      )}
    </>
  );
}
