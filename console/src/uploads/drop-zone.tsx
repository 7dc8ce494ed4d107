import { Button, Group, Stack, Text } from "@mantine/core";
import { type InputHTMLAttributes, useRef } from "react";
import { Icon } from "../ui/icon.tsx";
import { type AddedFiles, chosenFiles } from "./dropped-files.ts";
import { useTexts } from "./texts.ts";
import classes from "./uploads.module.css";
import { useFileDrop } from "./use-file-drop.ts";

interface DropZoneProps {
  /** Small variant, for adding more files. */
  readonly compact: boolean;
  readonly onFiles: (added: AddedFiles) => void;
}

/** Drop target; the whole page accepts drops. The buttons serve keyboard users. */
export function DropZone({ compact, onFiles }: DropZoneProps) {
  const { t } = useTexts();
  const over = useFileDrop(onFiles);
  const words = (
    <Stack gap={2} className={compact ? "" : classes.centred}>
      <Text fw={600} size={compact ? "md" : "lg"}>
        {over ? t("dropNow") : compact ? t("dropMore") : t("drop")}
      </Text>
      {!compact && <Text c="dimmed">{t("dropDetail")}</Text>}
    </Stack>
  );
  const buttons = (
    <Group gap="sm" justify={compact ? "flex-start" : "center"}>
      <ChooseFiles label={t("chooseFiles")} primary={!compact} onFiles={onFiles} />
      <ChooseFiles label={t("chooseFolder")} folder onFiles={onFiles} />
    </Group>
  );
  return (
    <div className={classes.zone} data-over={over || undefined} data-compact={compact || undefined}>
      {!compact && <Icon name="upload" size={40} />}
      {words}
      {buttons}
    </div>
  );
}

interface ChooseFilesProps {
  readonly label: string;
  readonly folder?: boolean;
  readonly primary?: boolean;
  readonly onFiles: (added: AddedFiles) => void;
}

function ChooseFiles({ label, folder, primary, onFiles }: ChooseFilesProps) {
  const input = useRef<HTMLInputElement>(null);
  // Missing in React's types.
  const wholeFolder = (folder ? { webkitdirectory: "" } : {}) as InputHTMLAttributes<HTMLInputElement>;
  return (
    <>
      <Button
        variant={primary ? "filled" : "default"}
        leftSection={<Icon name={folder ? "folder" : "file"} />}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        {...wholeFolder}
        onChange={(event) => {
          onFiles(chosenFiles(event.currentTarget.files));
          // Allows choosing the same file again.
          event.currentTarget.value = "";
        }}
      />
    </>
  );
}
