/** What times are in where nobody said anything else. */
export const UTC = "UTC";

/** Whose clock the console's api reads days by: the time zone of the person, on every call of the console. */
export const TIME_ZONE_HEADER = "x-tillgate-time-zone";

/** More names than there are zones. Others are looked at each time, and fill no memory. */
const MAX_KNOWN = 1_000;
const MAX_NAME = 64;
const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;
const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat | null>();

/** Writes a zone's offset, `GMT+02:00`; null where there is no such zone. */
function formatOf(name: string): Intl.DateTimeFormat | null {
  const known = formats.get(name);
  if (known !== undefined) return known;
  let format: Intl.DateTimeFormat | null = null;
  try {
    format = new Intl.DateTimeFormat("en", { timeZone: name, timeZoneName: "longOffset" });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  if (formats.size < MAX_KNOWN) formats.set(name, format);
  return format;
}

/** Whether it is the name of a time zone, such as `Europe/Paris`. */
export const isTimeZone = (name: string | undefined): name is string =>
  name !== undefined && name.length <= MAX_NAME && /^[A-Za-z]/.test(name) && formatOf(name) !== null;

/** How far a zone's clocks are ahead of UTC at a time, as ISO 8601 writes it: `+02:00`. */
function offsetText(at: Date, timeZone: string): string {
  const name = formatOf(timeZone)
    ?.formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;
  if (name === undefined) throw new RangeError(`${timeZone} is no time zone`);
  return name === "GMT" ? "+00:00" : name.slice("GMT".length);
}

function offsetMs(at: number, timeZone: string): number {
  const [, sign, hours = "0", minutes = "0", seconds = "0"] =
    OFFSET.exec(`GMT${offsetText(new Date(at), timeZone)}`) ?? [];
  return (sign === "-" ? -1_000 : 1_000) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds));
}

/** What a zone's clocks show at a time, as if they were in UTC. */
const shownAt = (at: number, timeZone: string): number => at + offsetMs(at, timeZone);

/** A time by a zone's clocks: `2026-05-01T12:00:00`, and their offset then. */
export const localTime = (at: Date, timeZone: string): { time: string; offset: string } => ({
  time: new Date(shownAt(at.getTime(), timeZone)).toISOString().slice(0, 19),
  offset: offsetText(at, timeZone),
});

/**
 * The first moment at which a zone's clocks show a time, or a later one where they skip it.
 * @param local `2026-05-01T12:00` or `2026-05-01T12:00:00`.
 */
export function instantOf(local: string, timeZone: string): Date {
  const shown = Date.parse(`${local}Z`);
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((at) => offsetMs(at, timeZone));
  const [early, late] = [shown - Math.max(...offsets), shown - Math.min(...offsets)];
  const isFirst = (at: number) => shownAt(at, timeZone) >= shown && shownAt(at - 1, timeZone) < shown;
  const found = [early, late].find(isFirst);
  if (found !== undefined) return new Date(found);
  // The clocks skip it: they jump between the two.
  let [before, behind] = [early, late];
  while (behind - before > 1) {
    const middle = Math.floor((before + behind) / 2);
    if (shownAt(middle, timeZone) >= shown) behind = middle;
    else before = middle;
  }
  return new Date(behind);
}

/** The day that a zone's clocks show at a time, `2026-05-01`. */
export const dayOf = (at: Date, timeZone: string): string => localTime(at, timeZone).time.slice(0, 10);

/** The day so many days behind a day, or in front of it. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** The first moment of a day. It may have 23 or 25 hours, and need not begin at midnight. */
export const startOfDay = (day: string, timeZone: string): Date => instantOf(`${day}T00:00`, timeZone);
