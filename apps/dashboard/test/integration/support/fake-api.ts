import { createServer, type IncomingMessage, type Server } from "node:http";

type RecordedRequest = {
  method: string;
  path: string;
  query: string;
  headers: IncomingMessage["headers"];
  body: string;
};

/** A fake API with scripted responses that records its requests. */
export class FakeApi {
  readonly requests: RecordedRequest[] = [];
  responses: Record<string, [status: number, body: object]> = {};
  /** Paths whose files are truncated. */
  readonly truncatedPaths = new Set<string>();
  #server: Server | undefined;

  async start(): Promise<string> {
    this.#server = createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      const { method = "", url = "", headers } = request;
      const [address = "", query = ""] = url.split("?");
      const path = address.replace("/console/v1", "");
      this.requests.push({ method, path, query, headers, body });
      if (this.truncatedPaths.has(path)) {
        response.writeHead(200, { "content-type": "text/csv" }).write("order_id,amount\r\nPOS-1,1.00\r\n");
        return void setTimeout(() => response.destroy(), 50);
      }
      const [status, reply] =
        this.responses[`${method} ${path}`] ?? USUAL[`${method} ${path}`] ?? rejection(404, "unknown_route");
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(reply));
    });
    const server = this.#server;
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${portOf(server.address())}`;
  }

  reset(): void {
    this.responses = {};
    this.requests.length = 0;
    this.truncatedPaths.clear();
  }

  /** Recorded requests other than reads: reads run in parallel and may arrive after the page's response. */
  changes(): RecordedRequest[] {
    return this.requests.filter(({ method }) => method !== "GET");
  }
}

export function portOf(address: ReturnType<Server["address"]>): number {
  if (address === null || typeof address === "string") throw new Error("The fake API has no port");
  return address.port;
}
/** The merchant that {@link me} is a member of. */
export const MERCHANT = "6e35bc83-3ccd-473e-b9c4-160aa69c66c1";

export const success = (data: object): [number, object] => [200, { message: { success: ["Done"] }, data }];
export const rejection = (status: number, code: string, errors?: object): [number, object] => [
  status,
  {
    message: { code: status, error: ["No"] },
    data: [],
    type: "error",
    error_code: code,
    ...(errors && { errors }),
  },
];
/** The signed-in user: a member of {@link MERCHANT}, or an administrator. */
export const me = (role = "owner", fresh = false, factors: object = {}) =>
  success({
    user: {
      user_id: "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e11",
      email: "owner@example.com",
      role: role === "administrator" ? role : "merchant",
    },
    merchants: role === "administrator" ? [] : [{ merchant_id: MERCHANT, name: "Kiln & Clover", role }],
    session: { session_id: "0b0b3f0e-1de1-4b43-9d0c-2f7f0a1f1e12", expires_at: "2030-01-01T00:00:00+00:00" },
    second_factor: {
      totp: true,
      passkeys: [],
      recovery_codes_left: 9,
      fresh_until: fresh ? "2099-01-01T00:00:00+00:00" : null,
      ...factors,
    },
  });

/** A refund without events. */
export const REFUND = {
  ...{
    refund_id: "RF-1",
    order_id: "POS-1",
    order_reference: null,
    transaction_id: "TRX-1",
    status: "completed",
  },
  ...{ money: { amount: "1.00", currency: "EUR" }, reason: null, reference: null },
  ...{ created_at: "2026-05-01T10:00:00+00:00", settled_at: null, trace_url: null, metadata: null },
  ...{ order_number: null, received: null },
};

/** Default responses for signed-out pages. */
const USUAL: FakeApi["responses"] = { "GET /sign-up": success({ open: false }) };
