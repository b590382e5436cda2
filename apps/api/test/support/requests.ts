import { errorEnvelopeSchema, type Mode, PAY_API_PATH } from "@tillgate/contract";
import { expect } from "vitest";

/** An answer of the api, its body read as JSON. */
export type Answer = { status: number; headers: Headers; body: unknown; text: string };

export async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    body = undefined;
  }
  return { status: response.status, headers: response.headers, body, text };
}

export const basic = ({ client_id, client_secret }: { client_id: string; client_secret: string }): string =>
  `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}`;

/** The Pay API as one merchant calls it. */
export type PayApi = {
  get(path: string, query?: Record<string, string> | string): Promise<Answer>;
  post(path: string, fields?: unknown): Promise<Answer>;
  /** Sends a body as it stands. */
  postText(
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<Answer>;
};

export function payApi(
  { url }: { url: string },
  access: { client_id: string; client_secret: string },
  mode: Mode = "sandbox",
): PayApi {
  const base = url + PAY_API_PATH[mode];
  const authorization = basic(access);
  const postText: PayApi["postText"] = (path, body, headers = {}) =>
    send(base + path, {
      method: "POST",
      headers: { authorization, "content-type": "application/json", ...headers },
      body,
    });
  return {
    postText,
    get: (path, query) =>
      send(`${base}${path}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`, {
        headers: { authorization },
      }),
    post: (path, fields = {}) => postText(path, JSON.stringify(fields)),
  };
}

/** What an error says: its status, its texts and, where there are any, its fields or its reason. */
export type Told = {
  status: number;
  texts: string[];
  fields?: Record<string, string[]>;
  reason?: string;
  missing?: string;
};

/** The error code of an answer and the field that is to blame, or undefined. */
export function blamed({ body }: Answer): { code: string; param: string | undefined } {
  const { error_code: code, param } = errorEnvelopeSchema.parse(body);
  return { code, param };
}

/** Reads an error and checks on the way that it has the envelope, its own status in it, and a request id. */
export function told({ status, headers, body }: Answer): Told {
  const envelope = errorEnvelopeSchema.strict().parse(body);
  expect(envelope.message.code).toBe(status);
  expect(headers.get("x-request-id")).toMatch(/^req_[0-9a-f]{32}$/);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  return {
    status,
    texts: envelope.message.error,
    ...(envelope.errors ? { fields: envelope.errors } : {}),
    ...(envelope.reason ? { reason: envelope.reason } : {}),
    ...(envelope.missing ? { missing: envelope.missing } : {}),
  };
}

/** What a refused field answers: 400, one sentence, in the list of texts and under the field's name. */
export const refusedField = (field: string, rest: string): Told => ({
  status: 400,
  texts: [`The ${field} field ${rest}`],
  fields: { [field]: [`The ${field} field ${rest}`] },
});
