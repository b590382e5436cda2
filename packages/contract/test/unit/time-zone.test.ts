import { describe, expect, it } from "vitest";
import { addDays, isTimeZone, startOfDay, toInstant, toLocalDay, toLocalTime } from "../../src/index.js";

const HOUR_MS = 3_600_000;

describe("a local day", () => {
  it.each([
    ["Asia/Tokyo", "2026-05-04", "2026-05-03T15:00:00.000Z", 24],
    ["Europe/Paris", "2026-03-29", "2026-03-28T23:00:00.000Z", 23],
    ["Europe/Paris", "2026-10-25", "2026-10-24T22:00:00.000Z", 25],
    ["America/New_York", "2026-11-01", "2026-11-01T04:00:00.000Z", 25],
    ["Australia/Lord_Howe", "2026-04-05", "2026-04-04T13:00:00.000Z", 24.5],
    ["Asia/Kathmandu", "2026-05-04", "2026-05-03T18:15:00.000Z", 24],
    // The clocks skip midnight on this day.
    ["America/Santiago", "2026-09-06", "2026-09-06T04:00:00.000Z", 23],
    ["UTC", "2026-05-04", "2026-05-04T00:00:00.000Z", 24],
  ])("in %s (%s) starts at %s and has %d hours", (zone, day, start, hours) => {
    const begins = startOfDay(day, zone);
    expect(begins.toISOString()).toBe(start);
    expect(startOfDay(addDays(day), zone).getTime() - begins.getTime()).toBe(hours * HOUR_MS);
    expect(toLocalDay(begins, zone)).toBe(day);
    expect(toLocalDay(new Date(begins.getTime() - 1), zone)).toBe(addDays(day, -1));
  });
});

it.each([
  ["2026-03-29T02:30", "2026-03-29T01:00:00.000Z"],
  ["2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
  ["2026-07-01T12:00", "2026-07-01T10:00:00.000Z"],
  ["2026-07-01T12:00:30", "2026-07-01T10:00:30.000Z"],
])(
  "toInstant parses %s in Paris as %s: a skipped time as the clock change, a repeated time as its first occurrence",
  (local, moment) => {
    expect(toInstant(local, "Europe/Paris").toISOString()).toBe(moment);
  },
);

it("toLocalTime returns the local time and the UTC offset of a time zone", () => {
  expect(toLocalTime(new Date("2026-07-01T10:00:00Z"), "Europe/Paris")).toEqual({
    time: "2026-07-01T12:00:00",
    offset: "+02:00",
  });
  expect(toLocalTime(new Date("2026-01-01T10:00:00Z"), "Europe/London").offset).toBe("+00:00");
  expect(toLocalTime(new Date("2026-01-01T10:00:00Z"), "America/St_Johns").offset).toBe("-03:30");
});

it("isTimeZone accepts only the names of time zones", () => {
  for (const name of ["UTC", "Europe/Paris", "Asia/Calcutta", "Etc/GMT+5"])
    expect(isTimeZone(name)).toBe(true);
  for (const name of [undefined, "", "Mars/Base", "+02:00", "<script>", "x".repeat(65)])
    expect(isTimeZone(name)).toBe(false);
});
