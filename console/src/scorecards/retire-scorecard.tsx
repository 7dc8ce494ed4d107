import type { ScorecardBody } from "@hearback/sdk";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { useChangeScorecard } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface RetireScorecardProps {
  readonly scorecard: ScorecardBody;
  readonly onClose: () => void;
}

/** Retires a scorecard, or brings a retired one back. */
export function RetireScorecard({ scorecard: { id, name, retired_at }, onClose }: RetireScorecardProps) {
  const { t } = useTexts();
  const change = useChangeScorecard(id);
  const isRetired = retired_at !== null;
  const confirm = () =>
    change.mutate(
      { retired: !isRetired },
      {
        onSuccess() {
          toast(t(isRetired ? "broughtBack" : "retiredToast", { name }));
          onClose();
        },
      },
    );
  return (
    <Confirm
      opened
      title={t(isRetired ? "bringBackTitle" : "retireTitle", { name })}
      action={t(isRetired ? "bringBack" : "retire")}
      pending={change.isPending}
      error={change.error}
      onConfirm={confirm}
      onClose={onClose}
    >
      {t(isRetired ? "bringBackDetail" : "retireDetail")}
    </Confirm>
  );
}
