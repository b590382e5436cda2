/**
 * Reads a part of a page of ours as it is now.
 * @returns null where the page has no such part; undefined where it cannot be read.
 */
export async function readPart(address: string, selector: string): Promise<Element | null | undefined> {
  const response = await fetch(address).catch(() => null);
  // Who is no longer signed in is led elsewhere.
  if (!response?.ok || response.redirected) return undefined;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  return page.querySelector(selector);
}
