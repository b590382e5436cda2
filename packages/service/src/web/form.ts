import type { IncomingMessage } from "node:http";

/** Why a form was not read; the number is the HTTP status. */
export type FormRefusal = 413 | 415 | 400;

/**
 * Reads an urlencoded form of at most `maxBytes`.
 * @returns the fields, or the status to refuse with: 415 for another content type, 413 for a larger body, 400 for a
 * body that broke off.
 */
export async function readForm(
  request: IncomingMessage,
  maxBytes: number,
): Promise<URLSearchParams | FormRefusal> {
  const type = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded") return 415;
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return 413;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop must not destroy the connection: it still has to carry the refusal.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxBytes) return 413;
      chunks.push(bytes);
    }
  } catch {
    return 400;
  }
  return new URLSearchParams(Buffer.concat(chunks).toString("utf8"));
}
