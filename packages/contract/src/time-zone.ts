export const UTC = "UTC";

/** Sent with every console call. It determines when days start. */
export const TIME_ZONE_HEADER = "x-tillgate-time-zone";

/** More than the number of time zones. Names beyond it are checked each time and not stored, so that they cannot fill the memory. */
const MAX_KNOWN = 1_000;
const MAX_NAME = 64;
const OFFSET = /^GMT(?:([+-])(\d{2}):(\d{2})(?::(\d{2}))?)?$/;
const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat | null>();

/** Returns the formatter of a zone's offset (`GMT+02:00`); null for an unknown zone. */
function getFormat(name: string): Intl.DateTimeFormat | null {
  const cached = formats.get(name);
  if (cached !== undefined) return cached;
  let format: Intl.DateTimeFormat | null = null;
  try {
    format = new Intl.DateTimeFormat("en", { timeZone: name, timeZoneName: "longOffset" });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  if (formats.size < MAX_KNOWN) formats.set(name, format);
  return format;
}

/** Returns whether `name` is a time zone, such as `Europe/Paris`. */
export const isTimeZone = (name: string | undefined): name is string =>
  name !== undefined && name.length <= MAX_NAME && /^[A-Za-z]/.test(name) && getFormat(name) !== null;

/** Returns a zone's UTC offset at a given time, such as `+02:00`. @throws RangeError for an unknown zone. */
function formatOffset(at: Date, timeZone: string): string {
  const name = getFormat(timeZone)
    ?.formatToParts(at)
    .find(({ type }) => type === "timeZoneName")?.value;
  if (name === undefined) throw new RangeError(`${JSON.stringify(timeZone)} is not a time zone.`);
  return name === "GMT" ? "+00:00" : name.slice("GMT".length);
}

function getOffsetMs(at: number, timeZone: string): number {
  const [, sign, hours = "0", minutes = "0", seconds = "0"] =
    OFFSET.exec(`GMT${formatOffset(new Date(at), timeZone)}`) ?? [];
  return (sign === "-" ? -1_000 : 1_000) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds));
}

/** Returns a zone's local time in milliseconds, as if it were UTC. */
const toLocalMs = (at: number, timeZone: string): number => at + getOffsetMs(at, timeZone);

/** Returns a zone's local time (`2026-05-01T12:00:00`) and UTC offset. @throws RangeError for an unknown zone or an invalid date. */
export const toLocalTime = (at: Date, timeZone: string): { time: string; offset: string } => ({
  time: new Date(toLocalMs(at.getTime(), timeZone)).toISOString().slice(0, 19),
  offset: formatOffset(at, timeZone),
});

/**
 * Returns the instant of a local time: the first of two if the time occurs twice, and the clock change if the clocks skip the time.
 * @param local `2026-05-01T12:00` or `2026-05-01T12:00:00`.
 * @throws RangeError for an unknown zone or an invalid time.
 */
export function toInstant(local: string, timeZone: string): Date {
  const localMs = Date.parse(`${local}Z`);
  const offsets = [localMs - DAY_MS, localMs + DAY_MS].map((at) => getOffsetMs(at, timeZone));
  const [earliest, latest] = [localMs - Math.max(...offsets), localMs - Math.min(...offsets)];
  const isFirst = (at: number) => toLocalMs(at, timeZone) >= localMs && toLocalMs(at - 1, timeZone) < localMs;
  const instant = [earliest, latest].find(isFirst);
  if (instant !== undefined) return new Date(instant);
  // The clocks skip this time, so search for the jump between the two instants.
  let [before, after] = [earliest, latest];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (toLocalMs(middle, timeZone) >= localMs) after = middle;
    else before = middle;
  }
  return new Date(after);
}

/** Returns a zone's local day at a time: `2026-05-01`. @throws RangeError for an unknown zone or an invalid date. */
export const toLocalDay = (at: Date, timeZone: string): string => toLocalTime(at, timeZone).time.slice(0, 10);

export const addDays = (day: string, days = 1): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * Returns the start of a local day, which is not always midnight. A day on which the clocks change does not have 24 hours.
 * @throws RangeError for an unknown zone or an invalid day.
 */
export const startOfDay = (day: string, timeZone: string): Date => toInstant(`${day}T00:00`, timeZone);
