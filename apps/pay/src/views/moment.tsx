import type { ReactNode } from "react";

const clock = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});

/** A point in time: the server draws it in UTC, since it knows no other zone; the script turns it into local time. */
export function Moment({ time, testId }: { time: string; testId?: string }): ReactNode {
  return (
    <time dateTime={time} data-testid={testId} data-moment="">
      {clock.format(new Date(time))} UTC
    </time>
  );
}
