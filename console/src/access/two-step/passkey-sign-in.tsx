import { Button, Stack } from "@mantine/core";
import { Icon } from "../../ui/icon.tsx";
import { usePasskeySignIn } from "./queries.ts";
import { useTexts } from "./texts.ts";
import { TwoStepProblem } from "./two-step-problem.tsx";

export function PasskeySignIn({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const { t } = useTexts();
  const signIn = usePasskeySignIn();
  return (
    <Stack>
      <Button
        variant="default"
        size="md"
        fullWidth
        leftSection={<Icon name="key" />}
        loading={signIn.isPending}
        onClick={() => signIn.mutate(undefined, { onSuccess: onSignedIn })}
      >
        {t("usePasskey")}
      </Button>
      {signIn.error && <TwoStepProblem error={signIn.error} />}
    </Stack>
  );
}
