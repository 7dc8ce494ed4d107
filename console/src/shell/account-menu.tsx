import type { SessionBody } from "@hearback/sdk";
import { useReached } from "../ui/use-reached.ts";
import { AccountButton } from "./account-button.tsx";

const load = async () => (await import("./open-account-menu.tsx")).OpenAccountMenu;

/** Who is signed in, how they like to read, and the way out. */
export function AccountMenu({ session }: { readonly session: SessionBody }) {
  const { part: OpenAccountMenu, button } = useReached(load);
  return OpenAccountMenu ? <OpenAccountMenu session={session} /> : <AccountButton session={session} {...button} />;
}
