import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { useSession } from "../access/queries.ts";
import { client } from "../client.ts";
import { Icon } from "../ui/icon.tsx";
import { useLazyLoad } from "../ui/lazy/use-lazy-load.ts";
import { hasOriginal, type KnownCall } from "./known-call.ts";
import { ReviewButton } from "./review-button.tsx";
import type { Rights } from "./rights.ts";
import { useTexts } from "./texts.ts";

const load = async () => (await import("./edit-call.tsx")).EditCall;

export function CallActions({ call, rights }: { readonly call: KnownCall; readonly rights: Rights }) {
  const { t } = useTexts();
  const { user } = useSession();
  const mayReview = rights.review && call.status === "ready" && call.agent.id !== user.id;
  return (
    <>
      {mayReview && <ReviewButton callId={call.id} />}
      {rights.download && hasOriginal(call) && (
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
      {rights.correct && <EditButton call={call} />}
    </>
  );
}

function EditButton({ call }: { readonly call: KnownCall }) {
  const { t } = useTexts();
  const [correcting, setCorrecting] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  // Preload on hover or focus.
  const reach = () => void load().catch(() => {});
  const close = () => {
    setCorrecting(false);
    button.current?.focus();
  };
  const CorrectCall = useLazyLoad(correcting, load, close);
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
        {t("editDetails")}
      </Button>
      {correcting && CorrectCall && <CorrectCall call={call} onClose={close} />}
    </>
  );
}
