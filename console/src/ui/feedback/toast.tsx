import { notifications } from "@mantine/notifications";
import { Icon } from "../icon.tsx";

/** Shows a success toast. */
export function toast(message: string): void {
  notifications.show({ message, icon: <Icon name="check" />, autoClose: 5000, withCloseButton: false });
}

/** Shows an error toast for longer. */
export function toastProblem(message: string, title?: string): void {
  notifications.show({ message, color: "red", autoClose: 10_000, ...(title && { title }) });
}
