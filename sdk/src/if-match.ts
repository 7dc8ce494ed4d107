/** The header that names the number of the state that a request changes. */
export const ifMatchHeader = (number: number | undefined): Record<string, string> =>
  number === undefined ? {} : { "if-match": `"${number}"` };
