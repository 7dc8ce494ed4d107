import { Paper, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { TextLink } from "../ui/text-link.tsx";
import { useFormat } from "../ui/time/use-format.ts";
import type { Tiles as Numbers } from "./series.ts";
import { useTexts } from "./texts.ts";

export function Tiles({ tiles, days }: { readonly tiles: Numbers; readonly days: number }) {
  const { t } = useTexts();
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Tile label={t("today")} value={tiles.today}>
        {t("todayDetail")}
      </Tile>
      <Tile label={t("week")} value={tiles.week}>
        {t("weekDetail")}
      </Tile>
      <Tile label={t("waiting")} value={tiles.waiting}>
        {tiles.waiting > 0 ? (
          <TextLink to="/calls" search={{ status: "received" }} size="xs">
            {t("showWaiting")}
          </TextLink>
        ) : (
          t("waitingDetail")
        )}
      </Tile>
      <Tile label={t("failed")} value={tiles.failed}>
        {tiles.failed > 0 ? (
          <TextLink to="/calls" search={{ status: "failed" }} size="xs">
            {t("showFailed")}
          </TextLink>
        ) : (
          t("failedDetail", { count: days })
        )}
      </Tile>
    </SimpleGrid>
  );
}

interface TileProps {
  readonly label: string;
  readonly value: number;
  readonly children: ReactNode;
}

function Tile({ label, value, children }: TileProps) {
  const format = useFormat();
  return (
    <Paper withBorder p="md" h={112} style={{ overflow: "hidden" }}>
      <Text size="sm" c="dimmed" truncate>
        {label}
      </Text>
      <Text fz={28} fw={700} lh={1.2} className="tabular">
        {format.number(value)}
      </Text>
      <Text component="div" size="xs" c="dimmed">
        {children}
      </Text>
    </Paper>
  );
}
