/** What times are in where nobody said anything else. */
export const UTC = "UTC";

const known = new Map<string, boolean>();
/** More names than there are zones. Others are looked at each time, and fill no memory. */
const MAX_KNOWN = 1_000;

/** Whether it is the name of a time zone, such as `Europe/Paris`. */
export function isTimeZone(name: string | undefined): name is string {
  if (name === undefined || name.length > 64) return false;
  const found = known.get(name);
  if (found !== undefined) return found;
  let is = true;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    is = false;
  }
  if (known.size < MAX_KNOWN) known.set(name, is);
  return is;
}

/** The zones that somebody may choose. */
export const timeZones = (): string[] => [
  UTC,
  ...Intl.supportedValuesOf("timeZone").filter((name) => name !== UTC),
];
