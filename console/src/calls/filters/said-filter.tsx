import { Button, NativeSelect, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useSideNames } from "../../player/waveform/side-names.ts";
import { useTexts } from "../texts.ts";
import { type CallFilters, isSaid, mostSaid, type SaidSide, saidSides } from "./call-filters.ts";

type Said = Pick<CallFilters, "said" | "saidBy">;

interface SaidFilterProps extends Said {
  readonly onChange: (said: Said) => void;
}

/** Filter by what was said. */
export function SaidFilter({ said = "", saidBy, onChange }: SaidFilterProps) {
  const { t } = useTexts();
  const nameOf = useSideNames();
  const [words, setWords] = useState(said);
  const [side, setSide] = useState(saidBy);
  const searched = words.trim();
  const isWrong = searched !== "" && !isSaid(searched);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isWrong) return;
    onChange(searched === "" ? { said: undefined, saidBy: undefined } : { said: searched, saidBy: side });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <TextInput
          label={t("saidWords")}
          data-autofocus
          maxLength={mostSaid}
          value={words}
          error={isWrong && t("saidWrong")}
          onChange={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <Text size="xs" c="dimmed">
          {t("saidDetail")}
        </Text>
        <NativeSelect
          label={t("saidBy")}
          data={[
            { value: "", label: t("saidByAnyone") },
            ...saidSides.map((value) => ({ value, label: nameOf(value) })),
          ]}
          value={side ?? ""}
          onChange={({ currentTarget: { value } }) => setSide(value === "" ? undefined : (value as SaidSide))}
        />
        <Button type="submit" size="sm" variant="light" disabled={searched === "" && said === ""}>
          {t("saidSearch")}
        </Button>
      </Stack>
    </form>
  );
}
