/** The result of one check of `hearback doctor`. */
export interface Check {
  readonly name: string;
  /** bad: an import will fail. warning: it works, but needs attention. */
  readonly state: "good" | "warning" | "bad";
  readonly detail: string;
  /** How to fix it. */
  readonly fix?: string | undefined;
}
