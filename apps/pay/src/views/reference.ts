const WORD = /[\p{L}\p{N}]/u;

/**
 * Whether a description already names a reference as a whole word: "Order 109" names 109, "Order 1099" does not. Case does
 * not matter.
 */
export function namesReference(description: string | null, reference: string): boolean {
  const [text, wanted] = [(description ?? "").toLowerCase(), reference.trim().toLowerCase()];
  if (wanted === "") return true;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [text.slice(0, at).slice(-1), text.charAt(at + wanted.length)];
    if (!WORD.test(before) && !WORD.test(after)) return true;
  }
  return false;
}
