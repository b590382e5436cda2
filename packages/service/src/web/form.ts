import type { IncomingMessage } from "node:http";

/** Why a form was not read; the number is the HTTP status. */
export type FormRefusal = 413 | 415 | 400;

type FormOptions = {
  /** Whether the form may bring files, as `multipart/form-data`. A file's field holds its bytes in base64. */
  files?: boolean;
};

/**
 * Reads an urlencoded form of at most `maxBytes`.
 * @returns the fields, or the status to refuse with: 415 for another content type, 413 for a larger body, 400 for a
 * body that broke off.
 */
export async function readForm(
  request: IncomingMessage,
  maxBytes: number,
  { files = false }: FormOptions = {},
): Promise<URLSearchParams | FormRefusal> {
  const header = request.headers["content-type"] ?? "";
  const type = header.split(";")[0]?.trim().toLowerCase();
  const withFiles = files && type === "multipart/form-data";
  if (type !== "application/x-www-form-urlencoded" && !withFiles) return 415;
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
  const body = Buffer.concat(chunks);
  return withFiles ? readParts(body, header) : new URLSearchParams(body.toString("utf8"));
}

async function readParts(body: Buffer, type: string): Promise<URLSearchParams | FormRefusal> {
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
