import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useSession } from "../access/queries.ts";
import { Icon } from "../ui/icon.tsx";
import { LinkButton } from "../ui/link-button.tsx";
import { useShortcuts } from "../ui/shortcuts/shortcuts.tsx";
import { draftSearch } from "./draft-search.ts";
import { callPageQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** Starts a review of the call, or continues the draft. The list of calls stays in the URL. */
export function ReviewButton({ callId }: { readonly callId: string }) {
  const { t } = useTexts();
  const { user } = useSession();
  const navigate = useNavigate();
  const { data: reviews } = useQuery(callPageQueries.reviews(callId));
  const draft = reviews?.find(({ state, reviewer }) => state === "draft" && reviewer.id === user.id);
  const label = t(draft ? "continueReview" : "review");
  const to = {
    to: "/calls/$id/review",
    params: { id: callId },
    search: (before: object) => ({ ...before, ...(draft && draftSearch(draft)) }),
  } as const;
  useShortcuts([{ keys: ["r"], group: t("keysList"), text: t("keyReview"), run: () => void navigate(to) }]);
  return (
    <LinkButton {...to} leftSection={<Icon name="scorecard" size={16} />}>
      {label}
    </LinkButton>
  );
}
