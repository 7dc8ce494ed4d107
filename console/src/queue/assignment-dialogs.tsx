import type { AssignmentBody } from "@hearback/sdk";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { lazyComponent } from "../ui/lazy/lazy-component.tsx";
import { HandBack } from "./hand-back.tsx";
import { useTexts } from "./texts.ts";

const SkipAssignment = lazyComponent(async () => (await import("./skip-assignment.tsx")).SkipAssignment);

export interface AssignmentAction {
  readonly what: "skip" | "handBack";
  readonly assignment: AssignmentBody;
}

interface AssignmentDialogsProps {
  /** undefined: closed. */
  readonly action: AssignmentAction | undefined;
  /** The call has left the queue. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Dialogs to skip a drawn call and to hand it back. */
export function AssignmentDialogs({ action, onDone, onClose }: AssignmentDialogsProps) {
  const { t } = useTexts();
  const { what, assignment } = action ?? {};
  return (
    <>
      <Dialog opened={what === "skip"} title={t("skipTitle")} onClose={onClose}>
        {assignment && what === "skip" && (
          <SkipAssignment assignment={assignment} {...(onDone && { onSkipped: onDone })} onClose={onClose} />
        )}
      </Dialog>
      <HandBack
        assignment={what === "handBack" ? assignment : undefined}
        {...(onDone && { onHandedBack: onDone })}
        onClose={onClose}
      />
    </>
  );
}
