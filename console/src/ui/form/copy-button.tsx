import { Button, CopyButton as Copying } from "@mantine/core";
import { Icon } from "../icon.tsx";
import { useTexts } from "../texts.ts";

export function CopyButton({ value, label }: { readonly value: string; readonly label?: string }) {
  const { t } = useTexts();
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
