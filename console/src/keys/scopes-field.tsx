import type { Scope } from "@hearback/sdk";
import { Checkbox, Stack } from "@mantine/core";
import { useTexts } from "./texts.ts";

export const scopes = ["import", "read", "review", "manage", "listen_original"] as const satisfies readonly Scope[];

interface ScopesFieldProps {
  readonly value: readonly Scope[];
  readonly onChange: (scopes: Scope[]) => void;
}

export function ScopesField({ value, onChange }: ScopesFieldProps) {
  const { t } = useTexts();
  return (
    <Checkbox.Group
      label={t("scopes")}
      description={t("scopesDetail")}
      value={[...value]}
      onChange={(chosen) => onChange(scopes.filter((scope) => chosen.includes(scope)))}
    >
      <Stack mt="sm" gap="sm">
        {scopes.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            label={t(`scope_${scope}`)}
            description={t(`scopeDetail_${scope}`)}
            // The browser reports the missing choice at the first checkbox.
            required={value.length === 0 && scope === "import"}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}
