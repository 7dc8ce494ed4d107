import { useFormat } from "./use-format.ts";

interface WhenProps {
  readonly at: string;
  /** The day alone. */
  readonly day?: boolean;
}

/** A time in the reader's zone; to the second, with the zone, where the pointer rests on it. */
export function When({ at, day }: WhenProps) {
  const format = useFormat();
  return (
    <time dateTime={at} title={format.exact(at)} className="tabular nowrap">
      {day ? format.date(at) : format.dateTime(at)}
    </time>
  );
}
