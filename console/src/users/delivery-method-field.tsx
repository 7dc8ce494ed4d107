import { Radio, Stack } from "@mantine/core";
import type { DeliveryMethod } from "./queries.ts";
import { useTexts } from "./texts.ts";

interface DeliveryMethodFieldProps {
  readonly methods: readonly DeliveryMethod[];
  /** Whether the server can send email. */
  readonly mail: boolean;
  readonly value: DeliveryMethod;
  readonly onChange: (delivery: DeliveryMethod) => void;
}

export function DeliveryMethodField({ methods, mail, value, onChange }: DeliveryMethodFieldProps) {
  const { t } = useTexts();
  return (
    <Radio.Group label={t("delivery")} value={value} onChange={(delivery) => onChange(delivery as DeliveryMethod)}>
      <Stack mt="xs" gap="sm">
        {methods.map((delivery) => (
          <Radio
            key={delivery}
            value={delivery}
            label={t(`delivery_${delivery}`)}
            description={delivery === "mail" && !mail ? t("deliveryNoMail") : t(`deliveryDetail_${delivery}`)}
            disabled={delivery === "mail" && !mail}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
