import { request } from "node:http";
import type { ApiResponse } from "./requests.js";

export type RawRequest = {
  method?: string;
  path: string;
  /** Headers, including those that `fetch` forbids, such as Host. */
  headers?: Record<string, string | string[]>;
  body?: string;
};

export const sendRaw = (
  port: number,
  { method = "GET", path, headers = {}, body }: RawRequest,
): Promise<ApiResponse> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { host: "127.0.0.1", port, method, path, headers, agent: false },
      async (response) => {
        let text = "";
        for await (const bytes of response) text += String(bytes);
        const answered = new Headers();
        for (const [name, value] of Object.entries(response.headers)) answered.set(name, String(value));
        let parsed: unknown;
        try {
          parsed = JSON.parse(text);
        } catch {
          parsed = undefined;
        }
        resolve({ status: response.statusCode ?? 0, headers: answered, body: parsed, text });
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
