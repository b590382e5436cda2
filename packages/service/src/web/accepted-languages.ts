/** Longer headers, which no browser sends, are truncated. */
const MAX_LENGTH = 200;

/** Parses the tags of an `Accept-Language` header (RFC 9110), in order of preference. Tags with `q=0` and invalid tags are omitted. */
export function parseAcceptedLanguages(header: string | undefined): string[] {
  return (header ?? "")
    .slice(0, MAX_LENGTH)
    .split(",")
    .map((part) => {
      const [tag = "", ...settings] = part.trim().split(";");
      const weight = settings.map((text) => /^\s*q=([\d.]+)$/i.exec(text)?.[1]).find(Boolean);
      return { tag: tag.trim(), weight: Number(weight ?? 1) };
    })
    .filter(({ tag, weight }) => /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(tag) && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag);
}
