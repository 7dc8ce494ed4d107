import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { client } from "../client.ts";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import { usePart } from "../ui/use-part.ts";
import { isKept, type KnownCall } from "./known-call.ts";
import type { Rights } from "./rights.ts";

const load = async () => (await import("./correct-call.tsx")).CorrectCall;

export function CallActions({ call, rights }: { readonly call: KnownCall; readonly rights: Rights }) {
  const { t } = useTexts("player");
  return (
    <>
      {isKept(call) && (
        <Button
          component="a"
          href={`${client.calls.audioUrl(call.id)}?original=true`}
          download={`${call.id}.${call.recording.format}`}
          variant="default"
          leftSection={<Icon name="download" size={16} />}
        >
          {t("download")}
        </Button>
      )}
      {rights.correct && <Correct call={call} />}
    </>
  );
}

function Correct({ call }: { readonly call: KnownCall }) {
  const { t } = useTexts("player");
  const [correcting, setCorrecting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Fetched when somebody reaches for it.
  const reach = () => void load().catch(() => {});
  const close = () => {
    setCorrecting(false);
    button.current?.focus();
  };
  const CorrectCall = usePart(correcting, load, close);
  return (
    <>
      <Button
        ref={button}
        variant="default"
        onPointerEnter={reach}
        onFocus={reach}
        onClick={() => setCorrecting(true)}
        leftSection={<Icon name="edit" size={16} />}
      >
        {t("correct")}
      </Button>
      {correcting && CorrectCall && <CorrectCall call={call} onClose={close} />}
    </>
  );
}
