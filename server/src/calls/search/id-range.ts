/** Range of call ids: `floor` inclusive, `below` exclusive. */
export interface IdRange {
  readonly floor: string;
  readonly below: string;
}
