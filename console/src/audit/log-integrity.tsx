import { Accordion, Code, Stack, Text } from "@mantine/core";
import { Icon } from "../ui/icon.tsx";
import { useTexts } from "./texts.ts";

/** Explains how to verify the log. */
export function LogIntegrity() {
  const { t } = useTexts();
  return (
    <Accordion variant="contained">
      <Accordion.Item value="proof">
        <Accordion.Control icon={<Icon name="shield" />}>{t("proof")}</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm" maw={760}>
            <Text size="sm">{t("proofChain")}</Text>
            <Text size="sm">{t("proofVerify")}</Text>
            <Commands lines={["hearback-server audit verify"]} />
            <Text size="sm">{t("proofHead")}</Text>
            <Commands
              lines={[
                "hearback-server audit head --workspace WORKSPACE",
                "hearback-server audit verify --workspace WORKSPACE --expect NUMBER:HASH",
              ]}
            />
            <Text size="sm">{t("proofSelf")}</Text>
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

const Commands = ({ lines }: { readonly lines: readonly string[] }) => (
  <Code block className="wrapped-code">
    {lines.join("\n")}
  </Code>
);
