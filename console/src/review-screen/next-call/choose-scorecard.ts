export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  /** The user's draft with this scorecard. */
  readonly draftId?: string;
}

/** The scorecard in the URL; else that of a draft, the only one, or the last used. Undefined: the reviewer chooses. */
export function chooseScorecard(
  choices: readonly Choice[],
  { chosen, last }: { readonly chosen: string | undefined; readonly last: string | undefined },
): Choice | undefined {
  const byId = (id: string | undefined) => choices.find((choice) => choice.id === id);
  const draft = choices.find(({ draftId }) => draftId !== undefined);
  return byId(chosen) ?? draft ?? (choices.length === 1 ? choices[0] : byId(last));
}
