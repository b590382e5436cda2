import type { Mode } from "@tillgate/contract";

/** A path made of parts that may hold anything. */
export const pathOf = (...parts: string[]): string => `/${parts.map(encodeURIComponent).join("/")}`;

/** The console's own path of a merchant and mode. */
export const placePath = (merchantId: string, mode: Mode, ...parts: string[]): string =>
  pathOf("m", merchantId, mode, ...parts);

/** The address of a page, with the path that its reader comes from and goes back to when done there. */
export const comingFrom = (address: string, path: string | null): string =>
  path === null ? address : `${address}?next=${encodeURIComponent(path)}`;
