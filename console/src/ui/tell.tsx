import { notifications } from "@mantine/notifications";
import { Icon } from "./icon.tsx";

/** Says that something was done, without asking for anything. */
export function tell(message: string): void {
  notifications.show({ message, icon: <Icon name="check" />, autoClose: 5000, withCloseButton: false });
}

/** Says that something did not go as wished, long enough to be read. */
export function tellProblem(message: string, title?: string): void {
  notifications.show({ message, color: "red", autoClose: 10_000, ...(title && { title }) });
}
