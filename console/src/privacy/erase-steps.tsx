import type { ErasureTarget } from "@hearback/sdk";
import { useState } from "react";
import { ChooseSubject, type ChosenSubject } from "./choose-subject.tsx";
import { ErasePreview } from "./erase-preview.tsx";
import { usePreviewErasure } from "./queries.ts";
import type { SubjectParam } from "./search.ts";

interface EraseStepsProps {
  /** Subject from the URL. */
  readonly about: SubjectParam | undefined;
  /** Called with the ID of the requested erasure, if any. */
  readonly onClose: (erasure?: string) => void;
}

const toWhat = (subject: ChosenSubject): ErasureTarget => {
  if (subject.kind === "call") return { callId: subject.id };
  if (subject.kind === "agent") return { agentId: subject.id };
  return { metadata: { key: subject.key, value: subject.value } };
};

/** Dialog: choose a subject, preview, confirm. */
export function EraseSteps({ about, onClose }: EraseStepsProps) {
  const preview = usePreviewErasure();
  const [subject, setSubject] = useState<ChosenSubject>({
    kind: about?.type ?? "metadata",
    id: about?.id ?? "",
    key: "client_phone",
    value: "",
  });
  if (preview.data) {
    return (
      <ErasePreview
        subject={subject}
        what={toWhat(subject)}
        preview={preview.data}
        onBack={preview.reset}
        onRequested={onClose}
        onClose={() => onClose()}
      />
    );
  }
  return (
    <ChooseSubject
      subject={subject}
      pending={preview.isPending}
      error={preview.error}
      onChange={setSubject}
      onSubmit={() => preview.mutate(toWhat(subject))}
      onClose={() => onClose()}
    />
  );
}
