import { Code, List, Paper, Stack, Text, Title } from "@mantine/core";
import { useTexts } from "./texts.ts";

const examples = [
  "2026-05-01_10-30-00_ann@example.com.wav",
  "support-fr/20260501-103000-ann.lee.mp3",
  "[Lee, Ann]_+33612345678_20260501103000(52).wav",
  "q-600-0612345678-20260501-103000-1777624200.12.wav",
];

/** Explains which file names are understood. */
export function NamesHelp({ zone }: { readonly zone: string }) {
  const { t } = useTexts();
  return (
    <Paper withBorder p="md" component="section" aria-labelledby="names">
      <Stack gap="xs">
        <Title order={2} size="h4" id="names">
          {t("names")}
        </Title>
        <Text size="sm">{t("namesDetail", { zone })}</Text>
        <List size="sm" spacing={4}>
          {examples.map((example) => (
            <List.Item key={example}>
              <Code style={{ overflowWrap: "anywhere" }}>{example}</Code>
            </List.Item>
          ))}
        </List>
      </Stack>
    </Paper>
  );
}
