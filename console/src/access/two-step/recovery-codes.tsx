import { Button, Group, Stack, Text } from "@mantine/core";
import { CopyField } from "../../ui/form/copy-field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { useTexts } from "./texts.ts";

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}

/** Shows the recovery codes once, with copy, download and print. */
export function RecoveryCodes({ codes, onDone }: RecoveryCodesProps) {
  const { t } = useTexts();
  const text = codes.join("\n");
  const save = () =>
    saveFile(`${t("codesFile")}.txt`, new Blob([`${t("codesFile")}\n\n${text}\n`], { type: "text/plain" }));
  return (
    <Stack>
      <Text>{t("codesDetail")}</Text>
      <CopyField label={t("codesCopy")} value={text} first />
      <Group justify="flex-end" className="dialog-actions">
        <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={save}>
          {t("codesDownload")}
        </Button>
        <Button variant="default" onClick={() => window.print()}>
          {t("codesPrint")}
        </Button>
        <Button onClick={onDone}>{t("codesDone")}</Button>
      </Group>
    </Stack>
  );
}
