import { Button, Group, Input, Text, Textarea } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { useEffect, useId, useRef } from "react";
import { Icon } from "../icon.tsx";
import { useTexts } from "../texts.ts";

interface CopyFieldProps {
  readonly label: string;
  readonly description?: string;
  readonly value: string;
  /** Focus the copy button on mount. */
  readonly first?: boolean;
  readonly onCopied?: () => void;
}

/** Read-only text with a copy button. */
export function CopyField({ label, description, value, first, onCopied }: CopyFieldProps) {
  const { t } = useTexts();
  const field = useRef<HTMLTextAreaElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const { copy, copied, error } = useClipboard({ timeout: 2000 });
  const onCopiedRef = useRef(onCopied);
  onCopiedRef.current = onCopied;
  useEffect(() => {
    if (copied) onCopiedRef.current?.();
  }, [copied]);
  useEffect(() => {
    if (first) button.current?.focus();
  }, [first]);
  // Without HTTPS there is no clipboard API: select the text instead.
  useEffect(() => {
    if (error) field.current?.select();
  }, [error]);
  return (
    <Input.Wrapper
      label={label}
      labelProps={{ htmlFor: id }}
      descriptionProps={{ id: `${id}-description` }}
      {...(description && { description })}
    >
      <Group gap="xs" align="flex-start" mt={6}>
        <Textarea
          ref={field}
          id={id}
          readOnly
          autosize
          maxRows={14}
          value={value}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", overflowWrap: "anywhere" } }}
          style={{ flex: "1 1 240px" }}
          {...(description && { "aria-describedby": `${id}-description` })}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button
          ref={button}
          variant={copied ? "light" : "default"}
          onClick={() => copy(value)}
          leftSection={<Icon name={copied ? "check" : "copy"} size={16} />}
          aria-label={copied ? t("copied") : t("copyThis", { what: label })}
          {...(first && { "data-autofocus": true })}
        >
          {copied ? t("copied") : t("copy")}
        </Button>
      </Group>
      <Text size="sm" aria-live="polite">
        {error ? t("copyByHand") : null}
      </Text>
    </Input.Wrapper>
  );
}
