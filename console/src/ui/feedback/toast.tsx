import { Stack, UnstyledButton } from "@mantine/core";
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

interface Action {
  readonly label: string;
  readonly run: () => void;
  /** Accessible name of the button that closes the toast. */
  readonly close: string;
}

/** Shows an error toast with a button. Stays until it is closed. */
export function toastProblemWithAction(message: string, { label, run, close }: Action): void {
  const id = notifications.show({
    color: "red",
    autoClose: false,
    closeButtonProps: { "aria-label": close },
    message: (
      <Stack gap={4} align="start">
        {message}
        <UnstyledButton
          className="as-link"
          fz="sm"
          onClick={() => {
            notifications.hide(id);
            run();
          }}
        >
          {label}
        </UnstyledButton>
      </Stack>
    ),
  });
}
