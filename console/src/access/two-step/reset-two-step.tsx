import { Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { onceClient } from "../../client.ts";
import { Problem } from "../../ui/feedback/problem.tsx";
import { toast } from "../../ui/feedback/toast.tsx";
import { useSession } from "../queries.ts";
import { Confirmed } from "./confirm-password.tsx";
import { useFactorChange } from "./queries.ts";
import { useTexts } from "./texts.ts";

/** For administrators: removes the second factors of a user who lost them. */
export function ResetTwoStep({ user }: { readonly user: { readonly id: string; readonly name: string } }) {
  const { t } = useTexts();
  const session = useSession();
  const { name } = user;
  const [asked, setAsked] = useState(false);
  const reset = useFactorChange(() => onceClient.users.resetTwoStep(user.id));
  const go = () =>
    reset.mutate(undefined, {
      onSuccess() {
        setAsked(false);
        toast(t("resetDone", { name }));
      },
    });
  return (
    <Stack gap="sm" mt="lg">
      <Text size="sm">{asked ? t("resetDetail", { name }) : t("resetIntro", { name })}</Text>
      {reset.error && <Problem error={reset.error} />}
      {asked ? (
        <Confirmed session={session}>
          <Button color="red" w="fit-content" loading={reset.isPending} onClick={go}>
            {t("reset")}
          </Button>
        </Confirmed>
      ) : (
        <Button variant="default" w="fit-content" onClick={() => setAsked(true)}>
          {t("reset")}
        </Button>
      )}
    </Stack>
  );
}
