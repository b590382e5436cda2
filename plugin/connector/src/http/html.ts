import { escapeHtml } from "@tillgate/service/web/escape-html";

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

/** `3 minutes ago`, with the time itself for who wants it exactly. */
export function ago(at: string, now: Date): string {
  const ageMs = Math.max(0, now.getTime() - Date.parse(at));
  const [unit, ms] = UNITS.find(([, one]) => ageMs >= one) ?? ["moment", 1];
  const count = Math.floor(ageMs / ms);
  const words = unit === "moment" ? "a moment ago" : `${count} ${unit}${count === 1 ? "" : "s"} ago`;
  return `<time datetime="${escapeHtml(at)}" title="${escapeHtml(at)}">${words}</time>`;
}
