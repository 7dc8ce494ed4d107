import { Checkbox, Fieldset, Radio, Stack, TextInput } from "@mantine/core";
import { type Ref, useRef, useState } from "react";
import { DialogForm } from "../ui/dialog/dialog-form.tsx";
import { eventText, knownTypes, type WebhookEventType, webhookEventTypes } from "./event-types.ts";
import { useTexts } from "./texts.ts";
import { useUrlProblem } from "./use-url-problem.ts";

export interface WebhookValues {
  readonly url: string;
  readonly description: string;
  readonly types: readonly WebhookEventType[];
}

interface WebhookFormProps {
  readonly initial?: { readonly url: string; readonly description: string; readonly types: readonly string[] };
  readonly action: string;
  readonly pending: boolean;
  readonly error: unknown;
  readonly onSubmit: (values: WebhookValues) => void;
  readonly onClose: () => void;
}

export function WebhookForm({ initial, action, pending, error, onSubmit, onClose }: WebhookFormProps) {
  const { t } = useTexts();
  const [url, setUrl] = useState(initial?.url ?? "");
  const [description, setDescription] = useState(initial?.description ?? "");
  const [types, setTypes] = useState<readonly WebhookEventType[]>(knownTypes(initial?.types ?? []));
  const [all, setAll] = useState(types.length === 0);
  const [noneChosen, setNoneChosen] = useState(false);
  const urlProblem = useUrlProblem(error);
  const typeChoice = useRef<HTMLDivElement>(null);
  const submit = () => {
    const none = !all && types.length === 0;
    setNoneChosen(none);
    if (none) typeChoice.current?.querySelector("input")?.focus();
    else onSubmit({ url: url.trim(), description, types: all ? [] : types });
  };
  return (
    <DialogForm
      action={action}
      pending={pending}
      error={urlProblem ? undefined : error}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextInput
        label={t("url")}
        description={t("urlDetail")}
        error={urlProblem}
        required
        maxLength={2000}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        placeholder="https://example.com/hearback"
        data-autofocus
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <TextInput
        label={t("description")}
        description={t("descriptionDetail")}
        maxLength={200}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Radio.Group label={t("types")} value={all ? "all" : "some"} onChange={(value) => setAll(value === "all")}>
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={t("typesAll")} description={t("typesAllDetail")} />
          <Radio value="some" label={t("typesSome")} />
        </Stack>
      </Radio.Group>
      {!all && (
        <TypeChoice ref={typeChoice} types={types} onTypes={setTypes} error={noneChosen && types.length === 0} />
      )}
    </DialogForm>
  );
}

interface TypeChoiceProps {
  readonly ref: Ref<HTMLDivElement>;
  readonly types: readonly WebhookEventType[];
  readonly onTypes: (types: readonly WebhookEventType[]) => void;
  readonly error: boolean;
}

function TypeChoice({ ref, types, onTypes, error }: TypeChoiceProps) {
  const { t } = useTexts();
  return (
    <Fieldset legend={t("typesSome")} variant="filled">
      <Checkbox.Group
        ref={ref}
        value={[...types]}
        onChange={(chosen) => onTypes(knownTypes(chosen))}
        error={error && t("typesNone")}
        errorProps={{ role: "alert" }}
        // Above the long list, beside the focused checkbox.
        inputWrapperOrder={["label", "error", "input"]}
      >
        <Stack gap="sm" mt="xs">
          {webhookEventTypes.map((type) => {
            const text = eventText(type);
            return <Checkbox key={type} value={type} label={type} description={text && t(text)} />;
          })}
        </Stack>
      </Checkbox.Group>
    </Fieldset>
  );
}
