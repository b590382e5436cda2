import { createServer, type IncomingMessage, type Server } from "node:http";
import { z } from "zod";
import { pace } from "./pace.js";

export type ReceivedWebhook = {
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array;
  /** `pos.order.paid`, `refund.completed` … */
  event: string;
  tillgateOrderId: string;
  /** Number of webhooks received before this webhook. */
  number: number;
};

const eventSchema = z.object({ event: z.string(), data: z.object({ order_id: z.string() }) });

/** Receives, acknowledges and stores Tillgate's webhooks. The test decides when, how often and in what order the connector gets them. */
export class WebhookInbox {
  /** Webhooks by Tillgate order, because a scenario reads only a few of thousands of webhooks. */
  readonly #mails = new Map<string, ReceivedWebhook[]>();
  #came = 0;
  readonly #server: Server;
  url = "";

  private constructor() {
    this.#server = createServer((request, response) => {
      void read(request).then((body) => {
        const { event, data } = eventSchema.parse(JSON.parse(Buffer.from(body).toString("utf8")));
        const { headers } = request;
        const mail = { headers, body, event, tillgateOrderId: data.order_id, number: this.#came };
        this.#came += 1;
        this.#mails.set(data.order_id, [...(this.#mails.get(data.order_id) ?? []), mail]);
        response.writeHead(200).end();
      });
    });
  }

  static async open(): Promise<WebhookInbox> {
    const mailbox = new WebhookInbox();
    await new Promise<void>((resolve) => mailbox.#server.listen(0, "127.0.0.1", resolve));
    const address = mailbox.#server.address();
    if (typeof address !== "object" || address === null) throw new Error("The webhook inbox has no port.");
    mailbox.url = `http://127.0.0.1:${address.port}`;
    return mailbox;
  }

  /** Returns all webhooks of these Tillgate orders, in order of arrival. */
  of(tillgateOrderIds: readonly string[]): ReceivedWebhook[] {
    const mails = tillgateOrderIds.flatMap((id) => this.#mails.get(id) ?? []);
    return mails.toSorted((one, other) => one.number - other.number);
  }

  /** Waits for a webhook of the event. @returns the latest webhook of the event @throws Error after the timeout */
  async wait(
    tillgateOrderId: string,
    event: string,
    timeoutMs = pace.webhookTimeoutMs,
  ): Promise<ReceivedWebhook> {
    const end = Date.now() + timeoutMs;
    for (;;) {
      const mail = this.of([tillgateOrderId]).findLast((one) => one.event === event);
      if (mail !== undefined) return mail;
      if (Date.now() > end)
        throw new Error(`No ${event} event for ${tillgateOrderId} arrived within ${timeoutMs} ms.`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

async function read(request: IncomingMessage): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}
