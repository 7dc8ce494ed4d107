import { Radio, Stack, Text, TextInput } from "@mantine/core";
import type { RefObject } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { useFocusOnMount } from "../ui/use-focus-on-mount.ts";
import { CallField, PersonField } from "./subject-fields.tsx";
import { useTexts } from "./texts.ts";

const kinds = ["metadata", "agent", "call"] as const;

export interface ChosenSubject {
  readonly kind: (typeof kinds)[number];
  /** ID of the call or agent. */
  readonly id: string;
  readonly key: string;
  readonly value: string;
}

interface ChooseSubjectProps {
  readonly subject: ChosenSubject;
  readonly pending: boolean;
  readonly error: unknown;
  readonly onChange: (subject: ChosenSubject) => void;
  readonly onSubmit: () => void;
  readonly onClose: () => void;
}

const texts = {
  metadata: { label: "eraseCustomer", detail: "eraseCustomerDetail" },
  agent: { label: "eraseAgent", detail: "eraseAgentDetail" },
  call: { label: "eraseCall", detail: "eraseCallDetail" },
} as const;

export function ChooseSubject({ subject, pending, error, onChange, onSubmit, onClose }: ChooseSubjectProps) {
  const { t } = useTexts();
  const { kind, id, key, value } = subject;
  const first = useFocusOnMount<HTMLInputElement>();
  const isWhole = kind === "metadata" ? Boolean(key && value) : Boolean(id);
  const choose = (chosen: string) =>
    onChange({ ...subject, id: "", kind: kinds.find((one) => one === chosen) ?? kind });
  const changeId = (to: string) => onChange({ ...subject, id: to });
  return (
    <DialogForm
      action={t("preview")}
      pending={pending}
      disabled={!isWhole}
      error={error}
      onSubmit={onSubmit}
      onClose={onClose}
    >
      <Radio.Group label={t("eraseWhat")} value={kind} onChange={choose}>
        <Stack gap="xs" mt="xs">
          {kinds.map((one) => (
            <Radio key={one} value={one} label={t(texts[one].label)} description={t(texts[one].detail)} />
          ))}
        </Stack>
      </Radio.Group>
      {kind === "call" && <CallField value={id} onChange={changeId} />}
      {kind === "agent" && <PersonField value={id} onChange={changeId} />}
      {kind === "metadata" && <MetadataFields subject={subject} onChange={onChange} valueField={first} />}
      <Text size="sm" c="dimmed">
        {t("previewDetail")}
      </Text>
    </DialogForm>
  );
}

/** Trims pasted values only. Typed spaces are intentional. */
const isPasted = (event: Event) => event instanceof InputEvent && event.inputType === "insertFromPaste";

interface MetadataFieldsProps extends Pick<ChooseSubjectProps, "subject" | "onChange"> {
  readonly valueField: RefObject<HTMLInputElement | null>;
}

function MetadataFields({ subject, onChange, valueField }: MetadataFieldsProps) {
  const { t } = useTexts();
  return (
    <>
      <TextInput
        label={t("metadataKey")}
        description={t("metadataKeyDetail")}
        required
        maxLength={128}
        spellCheck={false}
        value={subject.key}
        onChange={(event) => onChange({ ...subject, key: event.currentTarget.value })}
      />
      <TextInput
        label={t("metadataValue")}
        description={t("metadataValueDetail")}
        required
        maxLength={1024}
        spellCheck={false}
        autoComplete="off"
        ref={valueField}
        data-autofocus
        value={subject.value}
        onChange={({ currentTarget: { value }, nativeEvent }) =>
          onChange({ ...subject, value: isPasted(nativeEvent) ? value.trim() : value })
        }
      />
    </>
  );
}
