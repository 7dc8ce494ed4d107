import type { SessionBody } from "@hearback/sdk";
import { useLoadOnIntent } from "../ui/lazy/use-load-on-intent.ts";
import { AccountButton } from "./account-button.tsx";

const load = async () => (await import("./open-account-menu.tsx")).OpenAccountMenu;

/** Account, theme and language, sign-out. */
export function AccountMenu({ session }: { readonly session: SessionBody }) {
  const { part: OpenAccountMenu, button } = useLoadOnIntent(load);
  return OpenAccountMenu ? <OpenAccountMenu session={session} /> : <AccountButton session={session} {...button} />;
}
