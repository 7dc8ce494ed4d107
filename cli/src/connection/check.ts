/** What one look found. */
export interface Check {
  readonly name: string;
  /** bad: it will not work. warning: it works, and somebody should know. */
  readonly state: "good" | "warning" | "bad";
  readonly detail: string;
  /** What to do about it. */
  readonly fix?: string | undefined;
}
