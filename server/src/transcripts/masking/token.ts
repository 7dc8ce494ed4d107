/**
 * What a word or several words mean for masking.
 *
 * - `number`: digits. Weak ones (`for`, `oh`) are digits only next to another number.
 * - `letter`: one letter that was spelled, or a mix such as `GB29`.
 * - `filler`: hesitation or confirmation, between any two digits.
 * - `amount`: a price, a percentage or a time, which is never part of a longer number.
 * - `label`: announces a number of another kind; the value is `phone`, `birth` or `other`.
 * - `cue`: announces a security code or an expiry date; the value says which, or is `unclear`.
 * - `card`: mentions a card.
 * - `date`: a day or a year beside a month, or a date written with digits.
 * - `month`, `repeat`, `other`.
 */
export interface Token {
  readonly kind:
    | "number"
    | "letter"
    | "filler"
    | "amount"
    | "label"
    | "cue"
    | "card"
    | "date"
    | "month"
    | "repeat"
    | "other";
  /** First and last word. */
  readonly first: number;
  readonly last: number;
  readonly side: string;
  readonly startMs: number;
  readonly endMs: number;
  /** Digits of a number or an amount; letters and digits of a letter. */
  readonly value: string;
  readonly weak: boolean;
}
