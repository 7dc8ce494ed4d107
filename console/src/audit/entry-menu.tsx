import type { AuditEntryBody } from "@hearback/sdk";
import { Code, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { RowMenu } from "../ui/table/row-menu.tsx";
import type { Names } from "./names.ts";
import { Sentence } from "./sentence.tsx";
import { useTexts } from "./texts.ts";

interface EntryMenuProps {
  readonly entry: AuditEntryBody;
  readonly names: Names;
  readonly onSubject: (subject: string) => void;
}

export function EntryMenu({ entry, names, onSubject }: EntryMenuProps) {
  const { t } = useTexts();
  const [opened, { open, close }] = useDisclosure(false);
  const { number, subject } = entry;
  const title = t("entryTitle", { number });
  return (
    <>
      <RowMenu
        name={title}
        actions={[
          { label: t("showEntry"), icon: "info", onClick: open },
          {
            label: t("onlyThis"),
            icon: "filter",
            onClick: () => onSubject(`${subject.type}:${subject.id}`),
          },
        ]}
      />
      <Dialog opened={opened} title={title} size="lg" onClose={close}>
        <Stack gap="sm">
          <Text>
            <Sentence entry={entry} names={names} />
          </Text>
          <Code block className="wrapped-code" tabIndex={0} aria-label={title}>
            {JSON.stringify(entry, undefined, 2)}
          </Code>
        </Stack>
      </Dialog>
    </>
  );
}
