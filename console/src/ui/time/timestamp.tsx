import { useFormat } from "./use-format.ts";

interface TimestampProps {
  readonly at: string;
  /** Date only. */
  readonly day?: boolean;
}

/** Time in the reader's zone. The tooltip has seconds and the zone. */
export function Timestamp({ at, day }: TimestampProps) {
  const format = useFormat();
  return (
    <time dateTime={at} title={format.exact(at)} className="tabular nowrap">
      {day ? format.date(at) : format.dateTime(at)}
    </time>
  );
}
