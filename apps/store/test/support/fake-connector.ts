import { createServer } from "node:http";

/** The connector's response about an order: `down` is no response, `refused` a 404. */
export type ConnectorState =
  | "pending"
  | "paid"
  | "expired"
  | "cancelled"
  | "checking"
  | "refunded"
  | "down"
  | "refused";

export type FakeConnector = {
  url: string;
  /** Sets the response for all orders. */
  setState(state: ConnectorState): void;
  /** Sets the mode of payments. */
  setMode(mode: "sandbox" | "live"): void;
  /** Orders for which a payment was requested. */
  requested: { order_id: number; order_key: string }[];
  stop(): Promise<void>;
};

/** Starts a fake connector on a free port. */
export async function startFakeConnector(): Promise<FakeConnector> {
  let state: ConnectorState = "pending";
  let mode = "sandbox";
  const requested: FakeConnector["requested"] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      if (state === "down") return response.destroy();
      if (request.method === "POST") requested.push(JSON.parse(body));
      response.statusCode = state === "refused" ? 404 : 200;
      response.setHeader("Content-Type", "application/json");
      return response.end(
        JSON.stringify({
          payment_url: "https://pay.example/pay/token",
          qr_data: "https://pay.example/pay/token",
          amount: "18.50",
          currency: "EUR",
          expires_in: 245,
          status: state,
          mode,
        }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("The fake connector has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    setState: (next) => {
      state = next;
    },
    setMode: (next) => {
      mode = next;
    },
    requested,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
