import { Group } from "@mantine/core";
import type { SearchParams } from "../search-params.ts";
import { LinkButton } from "../ui/link-button.tsx";
import { useTexts } from "./texts.ts";

const pages = [
  { to: "/scores", text: "overview" },
  { to: "/scores/agents", text: "agents" },
  { to: "/scores/reviewers", text: "reviewers" },
] as const;

interface ScoreTabsProps {
  readonly current: (typeof pages)[number]["to"];
  /** Filters are kept. */
  readonly params: SearchParams;
}

export function ScoreTabs({ current, params }: ScoreTabsProps) {
  const { t } = useTexts();
  return (
    <Group component="nav" gap="xs" aria-label={t("pages")}>
      {pages.map(({ to, text }) => (
        <LinkButton
          key={to}
          to={to}
          search={params}
          size="xs"
          variant={to === current ? "filled" : "default"}
          {...(to === current && { "aria-current": "page" as const })}
        >
          {t(text)}
        </LinkButton>
      ))}
    </Group>
  );
}
