import { useQuery } from "@tanstack/react-query";
import { TextLink } from "../ui/text-link.tsx";
import { type ScoreSearch, toScoreFilter } from "./filter.ts";
import { scoreQueries } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { Tile } from "./tile.tsx";
import { useNumbers } from "./use-numbers.ts";

/** How many of the drawn calls are reviewed. Nothing without draws, and by campaign or team, which drawn calls do not have. */
export function CoverageTile({ search }: { readonly search: ScoreSearch }) {
  const { t } = useTexts();
  const numbers = useNumbers();
  const isKnown = !search.campaign && !search.team;
  const { data } = useQuery({ ...scoreQueries.coverage(toScoreFilter(search)), enabled: isKnown });
  if (!isKnown || !data || data.drawn === 0) return null;
  return (
    <Tile
      label={t("coverage")}
      value={<TextLink to="/plans">{numbers.rate((data.done / data.drawn) * 10_000)}</TextLink>}
    >
      {t("coverageDone", { done: numbers.count(data.done), count: data.drawn })}
      {data.overdue > 0 && ` · ${t("overdue", { count: data.overdue })}`}
    </Tile>
  );
}
