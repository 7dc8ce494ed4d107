import { ServiceError } from "@hearback/sdk";
import { Alert, Text } from "@mantine/core";
import { Problem } from "../../ui/feedback/problem.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type TextKey, useTexts } from "./texts.ts";

/** By error name (browser) or error code (API). */
const texts: Readonly<Record<string, TextKey>> = {
  NotAllowedError: "passkeyCancelled",
  AbortError: "passkeyCancelled",
  InvalidStateError: "passkeyExists",
  sign_in_failed: "passkeyUnknown",
  second_step_failed: "wrong",
  second_step_expired: "expired",
  last_factor: "lastFactor",
};

export function TwoStepProblem({ error }: { readonly error: Error }) {
  const { t } = useTexts();
  const key = texts[error instanceof ServiceError ? error.code : error.name];
  if (!key) return <Problem error={error} brief />;
  return (
    <Alert color="red" variant="light" icon={<Icon name="warning" />} className="problem">
      <Text size="sm" role="alert">
        {t(key)}
      </Text>
    </Alert>
  );
}
