import { Group, Kbd, Modal, Stack, Switch, Table, Text, Title, VisuallyHidden } from "@mantine/core";
import { useState } from "react";
import { readPreferences, writePreferences } from "../../preferences.ts";
import { type TextKey, useTexts } from "../texts.ts";
import type { Shortcut } from "./shortcut-keys.ts";

type Listed = Omit<Shortcut, "run">;

interface ShortcutsHelpProps {
  readonly shown: readonly Shortcut[];
  readonly onClose: () => void;
}

/** Lists the active shortcuts, with a switch to turn them off. */
export function ShortcutsHelp({ shown, onClose }: ShortcutsHelpProps) {
  const { t } = useTexts();
  const all: Listed[] = [...shown, { keys: ["?"], text: t("shortcutsShow"), group: t("shortcutsEverywhere") }];
  const groups = Map.groupBy(all, ({ group }) => group);
  return (
    <Modal
      opened
      transitionProps={{ duration: 0 }}
      onClose={onClose}
      title={t("shortcuts")}
      size="lg"
      closeButtonProps={{ "aria-label": t("close") }}
    >
      <Stack gap="lg">
        {[...groups].map(([group, shortcuts]) => (
          <section key={group}>
            <Title order={3} size="h5" mb={4}>
              {group}
            </Title>
            <Table aria-label={group} layout="fixed">
              <Table.Tbody>
                {shortcuts.map(({ keys, shown, text }) => (
                  <Table.Tr key={`${keys} ${text}`}>
                    <Table.Td pl={0}>{text}</Table.Td>
                    <Table.Td pr={0} w="42%">
                      <Keys keys={shown ? [shown] : keys} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </section>
        ))}
        <ShortcutsSwitch />
      </Stack>
    </Modal>
  );
}

/** Speech input and motor impairments can trigger shortcuts by accident. */
function ShortcutsSwitch() {
  const { t } = useTexts();
  const [on, setOn] = useState(readPreferences().shortcuts !== "off");
  const change = (value: boolean) => {
    setOn(value);
    writePreferences({ shortcuts: value ? "on" : "off" });
  };
  return (
    <Switch
      label={t("shortcutsOn")}
      description={t("shortcutsOnDetail")}
      checked={on}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}

const signs: Readonly<Record<string, string>> = { ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓" };
const named: Readonly<Record<string, TextKey>> = {
  Shift: "keyShift",
  Space: "keySpace",
  Enter: "keyEnter",
  Escape: "keyEscape",
  Home: "keyHome",
  End: "keyEnd",
  PageUp: "keyPageUp",
  PageDown: "keyPageDown",
  ArrowLeft: "keyArrowLeft",
  ArrowRight: "keyArrowRight",
  ArrowUp: "keyArrowUp",
  ArrowDown: "keyArrowDown",
};

function Keys({ keys }: Pick<Shortcut, "keys">) {
  const { t } = useTexts();
  return (
    <Group gap={6} justify="flex-end">
      {keys.map((key, index) => (
        <Group key={key} gap={4} wrap="nowrap">
          {index > 0 && (
            <Text size="xs" c="dimmed">
              {t("keyOr")}
            </Text>
          )}
          {key.split(/\+(?=.)/).map((part) => {
            const name = named[part] && t(named[part]);
            return (
              <Kbd key={part}>
                {signs[part] && <span aria-hidden="true">{signs[part]}</span>}
                {signs[part] ? <VisuallyHidden>{name}</VisuallyHidden> : (name ?? part.toUpperCase())}
              </Kbd>
            );
          })}
        </Group>
      ))}
    </Group>
  );
}
