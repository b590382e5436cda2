/**
 * The guide's shop and shopper, on a machine that reaches only the load balancer. `open` creates an order, opens its page as a browser does, and
 * prints both. `pay <output of open>` approves the payment and waits for the webhook. `status <order> …` prints the status of each order.
 */
import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { createPayClient } from "@tillgate/client";
import { PAY_API_PATH, tokenResponseSchema } from "@tillgate/contract";
import { z } from "zod";
import { waitUntil } from "../until.js";

const { CLIENT_ID: clientId = "", CLIENT_SECRET: clientSecret = "", SHOP_ADDRESS: address } = process.env;
const API = "https://api.example.com";
const PAGE = "https://pay.example.com";
const PORT = 8_080;
const WEBHOOK_LIMIT_MS = 60_000;
const client = createPayClient({ baseUrl: API, mode: "sandbox", clientId, clientSecret, maxRetries: 0 });

const checkoutSchema = z.object({
  orderId: z.string(),
  pagePath: z.string(),
  cookies: z.string(),
  formToken: z.string(),
  accessToken: z.string(),
});
type Checkout = z.output<typeof checkoutSchema>;

const callApi = (path: string, init: RequestInit): Promise<Response> =>
  fetch(`${API}${PAY_API_PATH.sandbox}${path}`, init);

async function openCheckout(): Promise<Checkout> {
  const { order_id: orderId, payment_url: pageUrl } = await client.orders.create({
    amount: "12.50",
    currency: "EUR",
    callback_url: `http://${address}:${PORT}/`,
    expires_in: 3_600,
  });
  const token = await callApi("/authentication/token", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_id: clientId, secret_id: clientSecret }),
  });
  const { access_token: accessToken } = tokenResponseSchema.parse(await token.json()).data;
  const page = await fetch(pageUrl ?? "");
  const [, formToken] = /name="form_token" value="([^"]+)"/.exec(await page.text()) ?? [];
  if (!pageUrl || formToken === undefined)
    throw new Error(`the page of order ${orderId} has no form: ${page.status}`);
  const cookies = page.headers.getSetCookie().map((cookie) => cookie.replace(/;.*/, ""));
  return {
    orderId,
    pagePath: new URL(pageUrl).pathname,
    cookies: cookies.join("; "),
    formToken,
    accessToken,
  };
}

async function pay({ orderId, pagePath, cookies, formToken, accessToken }: Checkout): Promise<void> {
  const events: string[] = [];
  const receiver = createServer(async (request, response) => {
    const body = await buffer(request);
    try {
      const webhook = client.webhooks.unwrap({ headers: request.headers, body });
      events.push(webhook.event === "pos.order.paid" ? webhook.data.order_id : webhook.event);
      response.writeHead(204).end();
    } catch (error) {
      events.push(String(error));
      response.writeHead(401).end();
    }
  }).listen(PORT);
  const { status } = await callApi("/payment/unknown", {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  if (status !== 404) throw new Error(`the access token was rejected with status ${status}`);
  const approved = await fetch(`${PAGE}${pagePath}/sandbox-approve`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: PAGE, cookie: cookies },
    body: new URLSearchParams({ form_token: formToken }),
  });
  const order = await client.orders.get(orderId);
  if (order.status !== "PAID")
    throw new Error(`order ${orderId} is ${order.status} after the page responded with ${approved.status}`);
  await waitUntil(
    `the webhook of order ${orderId}`,
    WEBHOOK_LIMIT_MS,
    async () => events.includes(orderId) || undefined,
  ).catch((error: unknown) => {
    throw new Error(`${error}. Received: ${events.join(", ") || "nothing"}`);
  });
  receiver.close();
  receiver.closeAllConnections();
}

const [command, ...parts] = process.argv.slice(2);
if (command === "open") console.log(JSON.stringify(await openCheckout()));
else if (command === "pay") await pay(checkoutSchema.parse(JSON.parse(parts[0] ?? "")));
else
  for (const id of parts) {
    const status = await client.orders.get(id).then(
      (order) => order.status,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    console.log(`${id} ${status}`);
  }
