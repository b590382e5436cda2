import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { createPartnerClient } from "@tillgate/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { freePort } from "../../scripts/testing/free-port.js";
import { eventually, findRunning, type Running } from "./bench.js";
import { type Service, startService } from "./service.js";

const collector = process.env.TILLGATE_TEST_TRACE_COLLECTOR ?? "";

/** The parts of OTLP JSON that the test reads. */
const sentSchema = z.array(
  z.object({
    resourceSpans: z.array(
      z.object({
        resource: z.object({
          attributes: z.array(
            z.object({ key: z.string(), value: z.object({ stringValue: z.string() }).partial() }),
          ),
        }),
        scopeSpans: z.array(
          z.object({
            spans: z.array(
              z.object({
                traceId: z.string(),
                spanId: z.string(),
                parentSpanId: z.string().optional(),
                name: z.string(),
                kind: z.int(),
              }),
            ),
          }),
        ),
      }),
    ),
  }),
);
type Span = {
  program: string;
  trace: string;
  id: string;
  parent: string | undefined;
  name: string;
  kind: number;
};

/** OTLP's span kind of a served request. */
const SERVER = 2;

/** Reads the received spans of one trace or of all traces, and the text of everything received. */
async function collected(traceId?: string): Promise<{ spans: Span[]; text: string }> {
  const text = await (await fetch(`${collector}/spans`)).text();
  const spans = sentSchema.parse(JSON.parse(text)).flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ resource, scopeSpans }) => {
      const program = resource.attributes.find(({ key }) => key === "service.name")?.value.stringValue ?? "";
      return scopeSpans.flatMap(({ spans: of }) =>
        of
          .filter((span) => traceId === undefined || span.traceId === traceId)
          .map(({ traceId: trace, spanId: id, parentSpanId: parent, ...rest }) => ({
            program,
            trace,
            id,
            parent,
            ...rest,
          })),
      );
    }),
  );
  return { spans, text };
}

/**
 * Returns the names of the spans from below `from` down to `end`, each the parent of the next. If `end` is not below `from`, the first item says so.
 */
function spanPath(spans: Span[], end: Span, from: string): string[] {
  const way: string[] = [];
  for (let at: Span | undefined = end; at; at = spans.find(({ id }) => id === at?.parent)) {
    way.unshift(`${at.program}: ${at.name}`);
    if (at.parent === from) return way;
  }
  return ["not of the shop's span", ...way];
}

let running: Running;
let service: Service;
let folder: string;
beforeAll(async () => {
  running = await findRunning();
  folder = await mkdtemp(path.join(tmpdir(), "tillgate-trace-"));
  const { keys } = running.shop;
  service = await startService({
    running,
    port: await freePort(),
    recordsFile: path.join(folder, "records.db"),
    traceCollector: collector,
    stores: [
      {
        id: "traced",
        url: keys.url,
        consumer_key: keys.consumerKey,
        consumer_secret: keys.consumerSecret,
        client_id: running.merchant.clientId,
        client_secret: running.merchant.clientSecret,
        mode: "sandbox",
        return_url: `${keys.url}/checkout/return?order={order_id}&key={order_key}`,
      },
    ],
  });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Pays on the hosted page as a browser without scripts does. */
async function payOnPage(address: string): Promise<void> {
  const opened = await fetch(address);
  const formToken = /name="form_token" value="([^"]+)"/.exec(await opened.text())?.[1] ?? "";
  const cookie = opened.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const paid = await fetch(`${address}/sandbox-approve`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin: new URL(address).origin },
    body: new URLSearchParams({ form_token: formToken }),
  });
  expect(paid.status).toBe(303);
}

it("a payment produces one trace, without secrets, from the shop's request to the update of the shop's order", async () => {
  const [traceId, shopSpan] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")];
  const order = await running.shop.order(await running.shop.product({ price: "5.00", pieces: 10 }));
  const response = await fetch(`${service.url}/v1/stores/traced/payments`, {
    method: "POST",
    headers: { "content-type": "application/json", traceparent: `00-${traceId}-${shopSpan}-01` },
    body: JSON.stringify({ order_id: order.id, order_key: order.order_key }),
  });
  const { payment_url } = z.object({ payment_url: z.string() }).parse(await response.json());
  await payOnPage(payment_url);

  const wanted = {
    "SQL create_orders": [
      "tillgate connector: POST /v1/stores/:store/payments",
      "tillgate connector: Tillgate POST orders",
      "tillgate all: POST /pay/sandbox/api/v1/orders",
      "tillgate all: SQL create_orders",
    ],
    "SQL pay_orders": [
      "tillgate all: POST /pay/sandbox/api/v1/orders",
      "tillgate pay: POST /pay/:id/sandbox-approve",
      "tillgate all: POST /checkout/v1/orders/:token/sandbox-approve",
      "tillgate all: pay order",
      "tillgate all: SQL pay_orders",
    ],
    "store PUT orders/{id}": [
      "tillgate all: deliver pos.order.paid",
      "tillgate connector: POST /v1/stores/:store/webhook",
      "tillgate connector: store PUT orders/{id}",
    ],
  };
  await eventually(async () => {
    expect((await running.shop.read(order.id)).status).toBe("processing");
    const { spans } = await collected(traceId);
    for (const [name, steps] of Object.entries(wanted)) {
      const ways = spans.filter((span) => span.name === name).map((span) => spanPath(spans, span, shopSpan));
      const found = ways.some(
        (way) => way.slice(-steps.length).join() === steps.join() && !way[0]?.startsWith("not"),
      );
      expect(found || ways).toBe(true);
    }
  }, 20_000);

  const { spans: all } = await collected();
  const roots = all.filter(({ parent, trace }) => parent === undefined && trace !== traceId);
  expect(roots.filter(({ kind }) => kind !== SERVER)).toEqual([]);

  const { text } = await collected();
  const token = payment_url.split("/").at(-1) ?? "none";
  for (const secret of [
    token,
    running.merchant.clientSecret,
    running.shop.keys.consumerSecret,
    order.order_key,
  ])
    expect(text).not.toContain(secret);
});

it("a payout produces one trace across the caller, the API, SQL and the webhook", async () => {
  const { api, merchant, tillgate, recipient } = running;
  const parents: (string | undefined)[] = [];
  const receiver = createServer((request, response) => {
    parents.push(request.headersDistinct.traceparent?.[0]);
    response.end();
  });
  receiver.listen(await freePort(), "127.0.0.1");
  await once(receiver, "listening");
  const { port } = z.object({ port: z.int() }).parse(receiver.address());
  const endpoint = await tillgate.webhooks.endpoints.create({
    address: `http://127.0.0.1:${port}`,
    events: ["payout.completed"],
  });
  try {
    const [traceId, callerSpan] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")];
    const traced = createPartnerClient({
      baseUrl: api,
      apiToken: merchant.apiToken,
      fetch: (address, init) => {
        const headers = new Headers(init?.headers);
        headers.set("traceparent", `00-${traceId}-${callerSpan}-01`);
        return fetch(address, { ...init, headers });
      },
    });
    const { lookup_token } = await traced.lookup({ phone: recipient });
    await traced.payout({
      lookup_token,
      amount: "5.00",
      sender_currency: "EUR",
      receiver_currency: "EUR",
      reference: `traced ${traceId}`,
    });
    await eventually(async () => {
      const { spans } = await collected(traceId);
      const call = spans.find(({ name, parent }) => parent === callerSpan && name.endsWith("/payout"));
      const delivery = spans.find(({ name }) => name === "deliver payout.completed");
      expect(spans.map(({ name }) => name)).toContain("SQL execute_payouts");
      expect(delivery?.parent).toBe(call?.id);
      expect(parents).toEqual([`00-${traceId}-${delivery?.id}-01`]);
    }, 20_000);
  } finally {
    await tillgate.webhooks.endpoints.remove(endpoint.endpoint_id);
    receiver.closeAllConnections();
    receiver.close();
  }
});

it("an unsampled request produces no trace", async () => {
  const start = async (sampled: boolean): Promise<string> => {
    const [traceId, shopSpan] = [randomBytes(16).toString("hex"), randomBytes(8).toString("hex")];
    const order = await running.shop.order(await running.shop.product({ price: "5.00", pieces: 10 }));
    const { status } = await fetch(`${service.url}/v1/stores/traced/payments`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        traceparent: `00-${traceId}-${shopSpan}-${sampled ? "01" : "00"}`,
      },
      body: JSON.stringify({ order_id: order.id, order_key: order.order_key }),
    });
    expect(status).toBe(200);
    return traceId;
  };
  const unsampled = await start(false);
  const sampled = await start(true);
  await eventually(async () => {
    const programs = (await collected(sampled)).spans.map(({ program }) => program);
    expect(programs).toEqual(expect.arrayContaining(["tillgate all", "tillgate connector"]));
  });
  expect((await collected(unsampled)).spans).toEqual([]);
});
