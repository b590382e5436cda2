/**
 * The origin of an http or https address; undefined for all else. The parser itself decides: once Node 20 has optimised a
 * caller of `URL.canParse`, it refuses addresses with letters beyond ASCII.
 */
export function webOrigin(address: string): string | undefined {
  try {
    const { protocol, origin } = new URL(address);
    return protocol === "http:" || protocol === "https:" ? origin : undefined;
  } catch {
    return undefined;
  }
}
