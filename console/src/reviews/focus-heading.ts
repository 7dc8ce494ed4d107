/** Focuses the heading of the page, if the control that had the focus is gone. */
export function focusHeading(): void {
  setTimeout(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>("h1")?.focus();
  }, 50);
}
