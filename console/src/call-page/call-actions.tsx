import { Button } from "@mantine/core";
import { useRef, useState } from "react";
import { useSession } from "../access/queries.ts";
import { client } from "../client.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Icon } from "../ui/icon.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { useLazyLoad } from "../ui/lazy/use-lazy-load.ts";
import { hasOriginal, type KnownCall } from "./known-call.ts";
import { ReviewButton } from "./review-button.tsx";
import type { Rights } from "./rights.ts";
import { useTexts } from "./texts.ts";

const load = async () => (await import("./details/edit-call.tsx")).EditCall;
const AddToCalibration = lazyComponent(async () => (await import("./add-to-calibration.tsx")).AddToCalibration);

export function CallActions({ call, rights }: { readonly call: KnownCall; readonly rights: Rights }) {
  const { user } = useSession();
  const mayReview = rights.review && call.status === "ready" && call.agent.id !== user.id;
  return (
    <>
      {mayReview && <ReviewButton callId={call.id} />}
      {rights.download && <DownloadButton call={call} hearsOriginals={rights.originals} />}
      {rights.correct && call.status === "ready" && <CalibrationButton callId={call.id} />}
      {rights.correct && <EditButton call={call} />}
    </>
  );
}

/** Downloads the original, or the masked copy if this user may not hear the original. */
function DownloadButton({ call, hearsOriginals }: { readonly call: KnownCall; readonly hearsOriginals: boolean }) {
  const { t } = useTexts();
  const masked = call.transcript?.sound_masked === true && !hearsOriginals;
  if (!masked && !hasOriginal(call)) return null;
  const url = client.calls.audioUrl(call.id);
  return (
    <Button
      component="a"
      href={masked ? url : `${url}?original=true`}
      download={`${call.id}.${masked ? "m4a" : call.recording.format}`}
      variant="default"
      leftSection={<Icon name="download" size={16} />}
    >
      {t(masked ? "downloadMasked" : "download")}
    </Button>
  );
}

function CalibrationButton({ callId }: { readonly callId: string }) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button variant="default" leftSection={<Icon name="calibration" size={16} />} onClick={() => setOpen(true)}>
        {t("addToCalibration")}
      </Button>
      <Dialog opened={isOpen} title={t("addToCalibration")} onClose={close}>
        {isOpen && <AddToCalibration callId={callId} onClose={close} />}
      </Dialog>
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
