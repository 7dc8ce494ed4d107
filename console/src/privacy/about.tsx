import type { Names } from "../audit/names.ts";
import { shortId } from "../audit/who.tsx";
import { useTexts } from "../i18n/use-texts.ts";
import { TextLink } from "../ui/text-link.tsx";

interface AboutProps {
  readonly call_id: string | null;
  readonly agent_id: string | null;
  readonly campaign_id: string | null;
  readonly names: Names;
  /** Whether the call may still be there to be looked at. */
  readonly linked?: boolean;
}

/** The call, the agent or the campaign that something is about. */
export function About({ call_id, agent_id, campaign_id, names, linked = false }: AboutProps) {
  const { t } = useTexts("privacy");
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
