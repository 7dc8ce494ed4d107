import type { Role } from "@hearback/sdk";
import { NavLink } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useTexts } from "../i18n/use-texts.ts";
import { Icon } from "../ui/icon.tsx";
import { isAt, places } from "./places.ts";

/** Where somebody of this role can go; the place where one is, is marked. */
export function NavigationLinks({ role, path }: { readonly role: Role; readonly path: string }) {
  const { t } = useTexts("shell");
  return (
    <div className="scroll-y">
      {places
        .filter(({ roles }) => roles.includes(role))
        .map((place) => (
          <NavLink
            key={place.to}
            component={Link}
            to={place.to}
            active={isAt(path, place)}
            {...(isAt(path, place) && { "aria-current": "page" })}
            label={t(place.text)}
            leftSection={<Icon name={place.icon} />}
          />
        ))}
    </div>
  );
}
