import type { SessionBody } from "@hearback/sdk";
import { Box, NavLink, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Icon } from "../ui/icon.tsx";
import { NavigationBadge } from "./navigation-badge.tsx";
import { isCurrent, navigationGroups, navigationItems } from "./navigation-items.ts";
import { useTexts } from "./texts.ts";
import { useNavigationBadges } from "./use-navigation-badges.ts";

interface NavigationLinksProps {
  readonly session: SessionBody;
  readonly path: string;
  /** The path of the item to mark. */
  readonly place: string;
}

/** Navigation links for a role, by group. Marks the current page. */
export function NavigationLinks({ session, path, place }: NavigationLinksProps) {
  const { t } = useTexts();
  const { role } = session.user;
  const badges = useNavigationBadges(session, path);
  const items = navigationItems.filter(({ roles }) => roles.includes(role));
  const groups = navigationGroups.filter((group) => items.some((item) => item.group === group));
  return (
    <div className="scroll-y">
      {groups.map((group) => (
        <div key={group}>
          {groups.length > 1 && (
            <Text size="xs" fw={600} c="dimmed" px="sm" pt="sm" pb={4} aria-hidden="true">
              {t(group)}
            </Text>
          )}
          <Box component="ul" m={0} p={0} className="plain-list" aria-label={t(group)}>
            {items
              .filter((item) => item.group === group)
              .map((item) => (
                <li key={item.to}>
                  <NavLink
                    component={Link}
                    to={item.to}
                    // The link itself would mark every page below its path.
                    activeOptions={{ exact: true, includeSearch: false }}
                    active={isCurrent(place, item)}
                    {...(isCurrent(place, item) && { "aria-current": "page" })}
                    label={t(item.text)}
                    leftSection={<Icon name={item.icon} />}
                    rightSection={<NavigationBadge waiting={badges[item.to] ?? []} />}
                  />
                </li>
              ))}
          </Box>
        </div>
      ))}
    </div>
  );
}
