import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { parseAddress } from "@tillgate/contract";

export type FormError = 413 | 415 | 400;

type FormOptions = {
  /** Accepts `multipart/form-data`. The value of a file's field is the file's content in base64. */
  files?: boolean;
};

/**
 * Reads a URL-encoded form (with `files`, also a multipart form).
 * @returns the fields, or an error status: 415 for another content type, 413 for a larger body, 400 for an incomplete or malformed body.
 */
export async function readForm(
  request: IncomingMessage,
  maxBytes: number,
  { files = false }: FormOptions = {},
): Promise<URLSearchParams | FormError> {
  const header = request.headers["content-type"] ?? "";
  const type = header.split(";")[0]?.trim().toLowerCase();
  const withFiles = files && type === "multipart/form-data";
  if (type !== "application/x-www-form-urlencoded" && !withFiles) return 415;
  if (Number(request.headers["content-length"] ?? 0) > maxBytes) return 413;
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Leaving the loop must not destroy the connection, which still carries the error response.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxBytes) return 413;
      chunks.push(bytes);
    }
  } catch {
    return 400;
  }
  const body = Buffer.concat(chunks);
  return withFiles ? readParts(body, header) : new URLSearchParams(body.toString("utf8"));
}

async function readParts(body: Buffer, type: string): Promise<URLSearchParams | FormError> {
  const fields = new URLSearchParams();
  try {
    const parts = await new Response(Uint8Array.from(body), { headers: { "content-type": type } }).formData();
    for (const [name, value] of parts)
      fields.append(
        name,
        typeof value === "string" ? value : Buffer.from(await value.arrayBuffer()).toString("base64"),
      );
  } catch {
    return 400;
  }
  return fields;
}

/** Returns whether `Origin` or, if that is missing, `Referer` names our own origin; false if neither is present. */
export function isSameOrigin(headers: IncomingHttpHeaders, ownOrigin: string): boolean {
  if (headers.origin !== undefined) return headers.origin === ownOrigin;
  const referer = headers.referer;
  return referer !== undefined && parseAddress(referer)?.origin === ownOrigin;
}

export type RejectedForm = { why: "origin" | "size" | "form"; status: number };

/**
 * Reads a form, which must come from a page of our own origin.
 * @returns the fields, or why the form was rejected: 403 for another origin, otherwise the status of {@link readForm}. A rejection closes the
 * connection after the response.
 */
export async function readSameOriginForm(
  request: IncomingMessage,
  response: ServerResponse,
  { origin, maxBytes, ...options }: FormOptions & { origin: string; maxBytes: number },
): Promise<URLSearchParams | RejectedForm> {
  const form = isSameOrigin(request.headers, origin) ? await readForm(request, maxBytes, options) : null;
  if (form instanceof URLSearchParams) return form;
  // Unread body bytes must not be parsed as the next request.
  response.setHeader("Connection", "close");
  if (form === null) return { why: "origin", status: 403 };
  return { why: form === 413 ? "size" : "form", status: form };
}
