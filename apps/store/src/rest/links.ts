/** Addresses and links of the REST API. */
export class RestLinks {
  constructor(readonly storeUrl: string) {}

  of(path: string): string {
    return `${this.storeUrl}/wp-json/wc/v3/${path}`;
  }

  /** The link of a resource to itself, with what may be done to it. */
  self(path: string, allow: string[]): { href: string; targetHints: { allow: string[] } }[] {
    return [{ href: this.of(path), targetHints: { allow } }];
  }

  to(path: string): { href: string }[] {
    return [{ href: this.of(path) }];
  }
}

export const everyMethod = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** A moment in the REST API's form: UTC, to the second, without a zone. */
export const restDate = (date: Date): string => date.toISOString().slice(0, 19);
export const restDateOrNull = (date: Date | null): string | null => (date ? restDate(date) : null);
