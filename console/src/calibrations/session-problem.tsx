import { ServiceError } from "@hearback/sdk";
import { Alert, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Problem } from "../ui/feedback/problem.tsx";
import { Icon } from "../ui/icon.tsx";
import { parseCallIds } from "./parse-call-ids.ts";
import { useTexts } from "./texts.ts";

/** Why a session was not created or changed. Names calls that do not exist, and participants with own calls. */
export function SessionProblem({ error }: { readonly error: unknown }) {
  const { t } = useTexts();
  const refused = error instanceof ServiceError ? error : undefined;
  const unknown = refused?.problem?.errors?.find(({ part, code }) => /call_ids$/.test(part) && code === "not_found");
  if (unknown) {
    return (
      <Refused title={t("unknownCall")}>
        {t("unknownCallDetail", { ids: parseCallIds(unknown.detail).ids.join(", ") })}
      </Refused>
    );
  }
  if (refused?.code !== "own_call") return <Problem error={error} />;
  return (
    <Refused title={t("ownCall")}>
      <span lang="en">{refused.message}</span>
    </Refused>
  );
}

interface RefusedProps {
  readonly title: string;
  readonly children: ReactNode;
}

const Refused = ({ title, children }: RefusedProps) => (
  <Alert color="red" variant="light" icon={<Icon name="warning" />} title={title} role="alert" className="problem">
    <Text size="sm" className="breakable">
      {children}
    </Text>
  </Alert>
);
