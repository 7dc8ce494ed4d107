import type { PlanBody } from "@hearback/sdk";
import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Confirm } from "../ui/dialog/confirm.tsx";
import { toast } from "../ui/feedback/toast.tsx";
import { Icon } from "../ui/icon.tsx";
import { useEndPlan } from "./queries.ts";
import { useTexts } from "./texts.ts";

export function EndPlan({ plan }: { readonly plan: PlanBody }) {
  const { t } = useTexts();
  const [opened, { open, close }] = useDisclosure(false);
  const end = useEndPlan(plan.id, () => {
    toast(t("endedToast"));
    close();
  });
  return (
    <>
      <Button variant="default" leftSection={<Icon name="ban" size={16} />} onClick={open}>
        {t("endPlan")}
      </Button>
      <Confirm
        opened={opened}
        title={t("endTitle", { name: plan.name })}
        action={t("endPlan")}
        dangerous
        pending={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate(undefined)}
        onClose={close}
      >
        <Text>{t("endDetail")}</Text>
      </Confirm>
    </>
  );
}
