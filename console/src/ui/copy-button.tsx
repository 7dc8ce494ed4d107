import { Button, CopyButton as Copying } from "@mantine/core";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "./icon.tsx";

export function CopyButton({ value, label }: { readonly value: string; readonly label?: string }) {
  const { t } = useTexts("ui");
  return (
    <Copying value={value} timeout={2000}>
      {({ copied, copy }) => (
        <Button
          size="xs"
          variant={copied ? "light" : "default"}
          onClick={copy}
          leftSection={<Icon name={copied ? "check" : "copy"} size={14} />}
          aria-live="polite"
        >
          {copied ? t("copied") : (label ?? t("copy"))}
        </Button>
      )}
    </Copying>
  );
}
