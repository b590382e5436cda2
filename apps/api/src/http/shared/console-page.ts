/** A merchant's pages in the console: a mode and a page follow. Null without a console. */
export const consolePageOf = (consoleUrl: string | undefined, merchantId: string): string | null =>
  consoleUrl === undefined ? null : `${consoleUrl}/m/${merchantId}`;
