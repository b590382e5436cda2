/** What the server says about the method, for the block checkout. */
export type MethodData = {
  title: string;
  description: string;
  /** Address of a picture. */
  icon: string;
  /** What the button that places the order says. */
  button: string;
  supports: string[];
};

/** @returns null where the server did not offer the method on this page */
export function readMethodData(value: unknown): MethodData | null {
  if (typeof value !== "object" || value === null) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const text = (name: string): string => {
    const field = fields.get(name);
    return typeof field === "string" ? field : "";
  };
  if (!fields.has("title")) return null;
  const supports = fields.get("supports");
  return {
    title: text("title"),
    description: text("description"),
    icon: text("icon"),
    button: text("button"),
    supports: Array.isArray(supports) ? supports.filter((one) => typeof one === "string") : [],
  };
}
