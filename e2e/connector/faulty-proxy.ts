import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";

/** What happens to a call; `pass` forwards the call. */
export type Fault =
  | "pass"
  /** The connection is closed, and the call isn't forwarded. */
  | "down"
  /** The call is forwarded and its response is dropped. */
  | "response lost"
  /** The call is forwarded and never gets a response. */
  | "never answers"
  /** A maintenance page with status 200. */
  | "page with 200"
  | "page with 500";

export type Call = {
  method: string;
  path: string;
};

/** A proxy in front of the shop or the API that simulates network and hosting failures. */
export class FaultyProxy {
  /** Decides about each call; by default, all calls pass. */
  decide: (call: Call) => Fault | Promise<Fault> = () => "pass";
  /** Offset of the `Date` header of forwarded responses from this machine's clock, in seconds. */
  clockOffSeconds = 0;
  readonly calls: Call[] = [];
  url = "";
  readonly #target: URL;
  readonly #server: Server;

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((incoming, response) => void this.#take(incoming, response));
  }

  static async open(target: string): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    const address = proxy.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("The proxy has no port.");
    proxy.url = `http://127.0.0.1:${address.port}`;
    return proxy;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = { method: incoming.method ?? "", path: incoming.url ?? "" };
    const fault = await this.decide(call);
    if (fault === "down") return void incoming.socket.destroy();
    if (fault === "page with 200" || fault === "page with 500") {
      const status = fault === "page with 200" ? 200 : 500;
      return void response.writeHead(status, { "content-type": "text/html" }).end("<h1>Back soon</h1>");
    }
    this.calls.push(call);
    this.#forward(incoming, response, fault);
  }

  #forward(incoming: IncomingMessage, response: ServerResponse, fault: Fault): void {
    const { hostname, port } = this.#target;
    // `Host` is not changed, because OAuth 1.0a signs the address that the caller used.
    const options = {
      hostname,
      port,
      method: incoming.method,
      path: incoming.url,
      headers: incoming.headers,
    };
    const outgoing = request(options, (reply) => {
      if (fault === "response lost") {
        reply.resume();
        return void incoming.socket.destroy();
      }
      if (fault === "never answers") return void reply.resume();
      const date = new Date(Date.now() + this.clockOffSeconds * 1000).toUTCString();
      response.writeHead(reply.statusCode ?? 502, { ...reply.headers, date });
      reply.pipe(response);
    });
    outgoing.on("error", () => incoming.socket.destroy());
    incoming.pipe(outgoing);
  }
}
