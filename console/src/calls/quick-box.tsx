import { TextInput } from "@mantine/core";
import { type KeyboardEvent, type Ref, useId, useState } from "react";
import { type Translate, useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import styles from "./filters.module.css";
import type { Offer } from "./quick-offers.ts";

interface QuickBoxProps {
  readonly ref: Ref<HTMLInputElement>;
  readonly typed: string;
  readonly onType: (typed: string) => void;
  readonly offers: readonly Offer[];
  readonly onPick: (offer: Offer) => void;
}

/** One box for whatever somebody knows of a call: a number, a name, a reference. It offers what that may mean. */
export function QuickBox({ ref, typed, onType, offers, onPick }: QuickBoxProps) {
  const { t } = useTexts("calls");
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
  const pick = (offer: Offer | undefined) => {
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
    // The key that leads here, pressed here.
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
          {offers.map((offer, place) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the box keeps the focus
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box listens for keys
            <div
              key={JSON.stringify(offer)}
              id={`${list}-${place}`}
              role="option"
              aria-selected={place === chosen}
              className={styles.offer}
              // The box keeps the focus.
              onMouseDown={(event) => event.preventDefault()}
              onMouseEnter={() => setAt(place)}
              onClick={() => pick(offer)}
            >
              <OfferText offer={offer} t={t} />
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

function OfferText({ offer, t }: { readonly offer: Offer; readonly t: Translate<"calls"> }) {
  const [kind, meant] = wordsOf(offer, t);
  return (
    <>
      <span className={styles.kind}>{kind}</span>
      <span className={styles.meant}>{meant}</span>
    </>
  );
}

function wordsOf(offer: Offer, t: Translate<"calls">): readonly [kind: string, meant: string] {
  if (offer.kind === "metadata") return [offer.key, offer.value];
  if (offer.kind === "call") return [t("openCall"), offer.id];
  return [t(offer.kind === "agent" ? "columnAgent" : "columnCampaign"), offer.name];
}
