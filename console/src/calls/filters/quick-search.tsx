import { TextInput } from "@mantine/core";
import { type KeyboardEvent, type Ref, useId, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { type Translate, useTexts } from "../texts.ts";
import styles from "./filters.module.css";
import type { Suggestion } from "./search-suggestions.ts";

interface QuickSearchProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly offers: readonly Suggestion[];
  readonly onPick: (offer: Suggestion) => void;
}

/** Search box for numbers, names and references, with suggestions. */
export function QuickSearch({ ref, typed, onType, offers, onPick }: QuickSearchProps) {
  const { t } = useTexts();
  const list = useId();
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState(false);
  const shown = open && offers.length > 0;
  const chosen = Math.min(at, offers.length - 1);
  const type = (words: string) => {
    onType(words);
    setAt(0);
    setOpen(words.trim() !== "");
  };
  const pick = (offer: Suggestion | undefined) => {
    if (!offer) return;
    type("");
    onPick(offer);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && offers.length > 0) {
      setOpen(true);
      setAt((chosen + step + offers.length) % offers.length);
    } else if (event.key === "Enter" && shown) pick(offers[chosen]);
    else if (event.key === "Escape" && typed !== "") type("");
    // "/" focuses this box and must not be typed into it.
    else if (event.key === "/" && typed === "") return event.preventDefault();
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.quick}>
      <TextInput
        ref={ref}
        role="combobox"
        aria-label={t("quick")}
        aria-expanded={shown}
        aria-controls={shown ? list : undefined}
        aria-autocomplete="list"
        aria-activedescendant={shown ? `${list}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={500}
        placeholder={t("quickHint")}
        leftSection={<Icon name="search" />}
        value={typed}
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        onFocus={() => setOpen(typed.trim() !== "")}
        onBlur={() => setOpen(false)}
      />
      {shown && (
        <div id={list} role="listbox" aria-label={t("quick")} className={styles.offers}>
          {offers.map((offer, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles keys
            <div
              key={JSON.stringify(offer)}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === chosen}
              className={styles.offer}
              // Keep the focus in the input.
              onMouseDown={(event) => event.preventDefault()}
              onMouseEnter={() => setAt(index)}
              onClick={() => pick(offer)}
            >
              <SuggestionText offer={offer} t={t} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function SuggestionText({ offer, t }: { readonly offer: Suggestion; readonly t: Translate }) {
  const [kind, meant] = wordsOf(offer, t);
  return (
    <>
      <span className={styles.kind}>{kind}</span>
      <span className={styles.meant}>{meant}</span>
    </>
  );
}

function wordsOf(offer: Suggestion, t: Translate): readonly [kind: string, meant: string] {
  if (offer.kind === "metadata") return [offer.key, offer.value];
  if (offer.kind === "call") return [t("openCall"), offer.id];
  if (offer.kind === "phone") return [t("phone"), t("phoneEndsWith", { digits: offer.digits })];
  return [t(offer.kind === "agent" ? "columnAgent" : "columnCampaign"), offer.name];
}
