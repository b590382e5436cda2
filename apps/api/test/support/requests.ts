import { errorEnvelopeSchema, type Mode, PAY_API_PATH } from "@tillgate/contract";
import { expect } from "vitest";

/** A response of the API; `body` is undefined if it is not JSON. */
export type ApiResponse = { status: number; headers: Headers; body: unknown; text: string };

export async function send(url: string, init: RequestInit = {}): Promise<ApiResponse> {
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

export type PayApi = {
  get(path: string, query?: Record<string, string> | string): Promise<ApiResponse>;
  post(path: string, fields?: unknown): Promise<ApiResponse>;
  put(path: string, fields?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  postText(
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<ApiResponse>;
};

export function payApi(
  { url }: { url: string },
  access: { client_id: string; client_secret: string },
  mode: Mode = "sandbox",
): PayApi {
  const base = url + PAY_API_PATH[mode];
  const authorization = basic(access);
  const sendText =
    (method: "POST" | "PUT"): PayApi["postText"] =>
    (path, body, headers = {}) =>
      send(base + path, {
        method,
        headers: { authorization, "content-type": "application/json", ...headers },
        body,
      });
  const postText = sendText("POST");
  return {
    postText,
    put: (path, fields = {}, headers) => sendText("PUT")(path, JSON.stringify(fields), headers),
    get: (path, query) =>
      send(`${base}${path}${query === undefined ? "" : `?${new URLSearchParams(query)}`}`, {
        headers: { authorization },
      }),
    post: (path, fields = {}) => postText(path, JSON.stringify(fields)),
  };
}

export type ErrorResponse = {
  status: number;
  texts: string[];
  fields?: Record<string, string[]>;
  reason?: string;
  missing?: string;
};

export function errorCodeOf({ body }: ApiResponse): { code: string; param: string | undefined } {
  const { error_code: code, param } = errorEnvelopeSchema.parse(body);
  return { code, param };
}

export function errorOf({ status, headers, body }: ApiResponse): ErrorResponse {
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

/**
 * Returns the Pay API's error for an invalid field: status 400, with the message in `texts` and in `fields`.
 */
export const fieldError = (field: string, rest: string): ErrorResponse => ({
  status: 400,
  texts: [`The ${field} field ${rest}`],
  fields: { [field]: [`The ${field} field ${rest}`] },
});
