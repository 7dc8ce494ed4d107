import type { Role } from "@hearback/sdk";
import { Radio, Stack } from "@mantine/core";
import { useTexts } from "./texts.ts";

interface RoleFieldProps {
  readonly roles: readonly Role[];
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  readonly description?: string;
  readonly disabled?: boolean;
}

export function RoleField({ roles, value, onChange, description, disabled = false }: RoleFieldProps) {
  const { t } = useTexts();
  return (
    <Radio.Group
      label={t("role")}
      value={value}
      onChange={(role) => onChange(role as Role)}
      {...(description && { description })}
    >
      <Stack mt="xs" gap="sm">
        {roles.map((role) => (
          <Radio
            key={role}
            value={role}
            label={t(`role_${role}`)}
            description={t(`roleDetail_${role}`)}
            disabled={disabled}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
