import { Button, type ButtonProps } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { useTexts } from "./texts.ts";

/** Downloads the proof of a draw. The file is streamed by the browser. */
export function ProofLink({ drawId, ...button }: ButtonProps & { readonly drawId: string }) {
  const { t } = useTexts();
  return (
    <Button
      component="a"
      href={`/draws/${encodeURIComponent(drawId)}/proof`}
      download
      variant="default"
      size="xs"
      leftSection={<Icon name="download" size={14} />}
      {...button}
    >
      {t("downloadProof")}
    </Button>
  );
}
