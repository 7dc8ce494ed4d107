import { shortId } from "../audit/actor.tsx";
import type { Names } from "../audit/names.ts";
import { TextLink } from "../ui/text-link.tsx";
import { useTexts } from "./texts.ts";

interface SubjectLinkProps {
  readonly call_id: string | null;
  readonly agent_id: string | null;
  readonly campaign_id: string | null;
  readonly names: Names;
  /** Whether to link to the call. */
  readonly linked?: boolean;
}

/** Call, agent or campaign that a hold or an erasure is about. */
export function SubjectLink({ call_id, agent_id, campaign_id, names, linked = false }: SubjectLinkProps) {
  const { t } = useTexts();
  if (agent_id) return t("aboutAgent", { name: names.user(agent_id) ?? shortId(agent_id) });
  if (campaign_id) return t("aboutCampaign", { name: names.campaign(campaign_id) ?? campaign_id });
  if (!call_id) return null;
  const text = t("aboutCall", { name: shortId(call_id) });
  if (!linked) return text;
  return (
    <TextLink to="/calls/$id" params={{ id: call_id }} inherit title={call_id}>
      {text}
    </TextLink>
  );
}
