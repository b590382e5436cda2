import type { ReactNode } from "react";
import { useWords } from "./use-words";

/** A point in time: the server draws it in UTC, since it knows no other zone; the script turns it into local time. */
export function Moment({ time, testId }: { time: string; testId?: string }): ReactNode {
  const { moment, locale } = useWords();
  return (
    <time dateTime={time} data-testid={testId} data-moment={locale.tag}>
      {moment(time)}
    </time>
  );
}
