import { UTC } from "@tillgate/contract";

/** The zones that somebody may choose. */
export const timeZones = (): string[] => [
  UTC,
  ...Intl.supportedValuesOf("timeZone").filter((name) => name !== UTC),
];

/** A zone's name for people. */
export const zoneText = (name: string): string => name.replaceAll("_", " ");
