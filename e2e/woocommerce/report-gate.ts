import { createServer, type IncomingMessage } from "node:http";
import { expect } from "@playwright/test";

/** A webhook as sent by Tillgate; its body is unchanged. */
export type HeldReport = {
  event: string;
  headers: Record<string, string>;
  body: string;
  path: string;
};

/**
 * Proxy for the shop's public address, so that a test decides when the shop gets a webhook: immediately, late, twice, out of
 * order, or never.
 */
export class ReportGate {
  readonly held: HeldReport[] = [];
  /** The shop's response statuses, in order. */
  readonly answers: number[] = [];
  #isOpen = true;
  readonly #shop: string;
  readonly #server = createServer((request, response) => {
    void this.#take(request).then(
      (status) => response.writeHead(status).end(),
      () => response.writeHead(502).end(),
    );
  });

  constructor(shop: string) {
    this.#shop = shop;
  }

  /** Starts the proxy. @returns its address */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("The gate has no port.");
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Forwards webhooks from now on. Discards held webhooks and the recorded statuses. */
  open(): void {
    this.#isOpen = true;
    this.held.length = 0;
    this.answers.length = 0;
  }

  /** Holds webhooks from now on; Tillgate sees them as delivered. Discards earlier webhooks and the recorded statuses. */
  shut(): void {
    this.open();
    this.#isOpen = false;
  }

  /** Delivers a webhook, or a changed copy, to the shop. @returns the shop's response status */
  async deliver(report: HeldReport, changes: Partial<HeldReport> = {}): Promise<number> {
    const { headers, body, path } = { ...report, ...changes };
    const answer = await fetch(`${this.#shop}${path}`, { method: "POST", headers, body });
    this.answers.push(answer.status);
    return answer.status;
  }

  /** Waits until a webhook of an event is held. @returns the first of them */
  async report(event: string): Promise<HeldReport> {
    const find = () => this.held.find((one) => one.event === event);
    await expect.poll(find).toBeDefined();
    const report = find();
    if (report === undefined) throw new Error(`${event} was not held back.`);
    return report;
  }

  async #take(request: IncomingMessage): Promise<number> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(
        (header): header is [string, string] =>
          typeof header[1] === "string" && /^(webhook-|x-tillgate-|content-type$)/.test(header[0]),
      ),
    );
    const report = {
      event: headers["x-tillgate-event"] ?? "",
      headers,
      body: Buffer.concat(chunks).toString("utf8"),
      path: request.url ?? "/",
    };
    if (this.#isOpen) return this.deliver(report);
    this.held.push(report);
    return 200;
  }
}
