import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createPayClient, type PayClient } from "../../src/index.js";

export type SeenRequest = {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
};

export type Reply = (response: ServerResponse, request: SeenRequest) => void;

export type LocalApi = {
  url: string;
  seen: SeenRequest[];
  /** Replies to the next requests, in order; the last reply repeats. */
  replies: Reply[];
  close(): Promise<void>;
};

/** Starts an HTTP server that sends the replies that a test defines. */
export async function startLocalApi(): Promise<LocalApi> {
  const seen: SeenRequest[] = [];
  const replies: Reply[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const entry = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
    seen.push(entry);
    const reply = replies.length > 1 ? replies.shift() : replies[0];
    if (reply === undefined) response.destroy();
    else reply(response, entry);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the local API has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    replies,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Creates a sandbox client of the Pay API that calls this server. */
export const sandboxClient = ({ url }: LocalApi, timeoutMs?: number): PayClient =>
  createPayClient({
    baseUrl: url,
    mode: "sandbox",
    clientId: "ci",
    clientSecret: "secret of the client",
    retryDelayMs: 1,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
  };

export const errorReply = (status: number, text: string, headers: Record<string, string> = {}): Reply =>
  json(status, { message: { code: status, error: [text] }, data: [], type: "error" }, headers);

export const brokenConnection: Reply = (response) => {
  response.destroy();
};

export const orderOf = (changes: Record<string, unknown> = {}) => ({
  order_id: "POS-20261121-ABC234",
  amount: "41.50 EUR",
  raw_amount: 41.5,
  currency: "EUR",
  payment_method: "both",
  reference: "1001",
  description: null,
  terminal_id: null,
  status: "PENDING",
  qr_data: "http://localhost:4001/pay/abc",
  payment_url: "http://localhost:4001/pay/abc",
  trx_id: null,
  paid_at: null,
  expires_at: "2026-11-21T10:15:00+00:00",
  created_at: "2026-11-21T10:00:00+00:00",
  refunded_amount: 0,
  ...changes,
});

export const orderReply = (changes: Record<string, unknown> = {}): Reply =>
  json(200, { message: { success: ["POS order created successfully"] }, data: orderOf(changes) });

export const refundOf = (changes: Record<string, unknown> = {}) => ({
  refund_id: "RF-20261121-ABC234",
  transaction_id: "TRX-123456789012",
  amount: "10.00 EUR",
  raw_amount: 10,
  currency: "EUR",
  status: "completed",
  reason: "",
  reference: "",
  created_at: "2026-11-21T10:00:00+00:00",
  ...changes,
});
