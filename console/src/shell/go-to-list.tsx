import type { Role } from "@hearback/sdk";
import { TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useId, useState } from "react";
import { Icon, type IconName } from "../ui/icon.tsx";
import { type Destination, findDestinations } from "./find-destinations.ts";
import classes from "./go-to-list.module.css";
import { navigationItems } from "./navigation-items.ts";
import { useTexts } from "./texts.ts";

interface GoToListProps {
  readonly role: Role;
  readonly onGo: () => void;
}

type Shown = Destination & { readonly icon: IconName };

const callId = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;
const documentation = "/docs";

/** Finds a page by its name or a call by its ID, and goes there. The field keeps the focus. */
export function GoToList({ role, onGo }: GoToListProps) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const shown = useDestinations(role, typed);
  const current = shown[chosen];
  const go = ({ href }: Shown) => {
    onGo();
    // Not a page of the console.
    if (href === documentation) window.location.assign(href);
    else void navigate({ href });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: shown.length - 1 };
    const step = steps[event.key];
    if (event.key === "Enter" && !event.nativeEvent.isComposing && current) go(current);
    else if (step !== undefined && shown.length > 0) setChosen((chosen + step) % shown.length);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label={t("goToTitle")}
        aria-expanded
        aria-controls={id}
        aria-autocomplete="list"
        {...(current && { "aria-activedescendant": `${id}-${chosen}` })}
        placeholder={t("goToHint")}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        leftSection={<Icon name="search" size={16} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} role="listbox" tabIndex={-1} aria-label={t("goToResults")} className={classes.list}>
        {shown.map((item, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={item.href}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            className={classes.option}
            onPointerMove={() => setChosen(index)}
            onClick={() => go(item)}
          >
            <Icon name={item.icon} />
            {item.label}
          </div>
        ))}
      </div>
      <p role="status" className={classes.none}>
        {shown.length === 0 && t("goToNone")}
      </p>
    </>
  );
}

function useDestinations(role: Role, typed: string): readonly Shown[] {
  const { t } = useTexts();
  const id = callId.exec(typed)?.[0].toLowerCase();
  if (id) return [{ href: `/calls/${id}`, label: t("goToCall", { id }), icon: "calls" }];
  const pages: readonly Shown[] = [
    ...navigationItems
      .filter(({ roles }) => roles.includes(role))
      .map(({ to, text, icon }) => ({ href: to, label: t(text), icon })),
    { href: "/account", label: t("account"), icon: "user" },
    { href: documentation, label: t("documentation"), icon: "book" },
  ];
  return findDestinations(pages, typed);
}
