/**
 * A headless shop in one file: sells one product of a WooCommerce store, with payment by Tillgate. Plain Node without
 * dependencies. Settings come from the environment; docs/connect-a-headless-shop.md explains them.
 */
import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";

for (const name of ["WOO_URL", "WOO_CONSUMER_KEY", "WOO_CONSUMER_SECRET", "CONNECTOR_URL", "PRODUCT_ID"])
  if (!process.env[name]) throw new Error(`${name} is not set.`);
const { WOO_URL, WOO_CONSUMER_KEY, WOO_CONSUMER_SECRET, CONNECTOR_URL, PRODUCT_ID } = process.env;
const { STORE_ID = "shop", PORT = "3000", SHOW_AS = "page" } = process.env;

const html = (text) => String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
/** WooCommerce accepts Basic authentication over https, and OAuth 1.0a signatures over http. */
const basic = { authorization: `Basic ${btoa(`${WOO_CONSUMER_KEY}:${WOO_CONSUMER_SECRET}`)}` };
function signed(method, address) {
  const [nonce, time] = [randomBytes(16).toString("hex"), Math.floor(Date.now() / 1000)];
  const fields = `oauth_consumer_key=${WOO_CONSUMER_KEY}&oauth_nonce=${nonce}&oauth_signature_method=HMAC-SHA256&oauth_timestamp=${time}`;
  const text = [method, address, fields].map(encodeURIComponent).join("&");
  const signature = createHmac("sha256", `${WOO_CONSUMER_SECRET}&`).update(text).digest("base64");
  return `${address}?${fields}&oauth_signature=${encodeURIComponent(signature)}`;
}

async function request(address, { method = "GET", body, headers } = {}) {
  const response = await fetch(address, {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  });
  const data = await response.json();
  if (response.ok) return data;
  const text = `${response.status}: ${data.message?.error?.[0] ?? data.message}`;
  throw Object.assign(new Error(text), { status: response.status });
}

function store(method, path, body) {
  const address = `${WOO_URL}/wp-json/wc/v3/${path}`;
  if (address.startsWith("https:")) return request(address, { method, body, headers: basic });
  return request(signed(method, address), { method, body });
}

const payments = `${CONNECTOR_URL}/v1/stores/${STORE_ID}/payments`;
const startPayment = ({ id, key }) =>
  request(payments, { method: "POST", body: { order_id: id, order_key: key } });
const readPayment = ({ id, key }) => request(`${payments}/${id}?order_key=${encodeURIComponent(key)}`);

const page = (title, body, head = "") =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${html(title)}</title>${head}<h1>${html(title)}</h1>${body}</html>`;
const refresh = '<meta http-equiv="refresh" content="3">';

/** Reads the order ID and key in a URL. A visitor with the key may pay and see the status. */
const parseOrder = (url) => ({
  id: Number(url.searchParams.get("order")),
  key: url.searchParams.get("key") ?? "",
});
const buildPath = (path, { id, key }) => `${path}?order=${id}&key=${encodeURIComponent(key)}`;

/** The status comes from the connector; the URL is no proof of payment. */
function resultPage(order, { status, amount, currency }) {
  const retry = `<p><a href="${html(buildPath("/checkout/pay", order))}">Pay now</a></p>`;
  switch (status) {
    case "paid":
      return page(
        "Thank you",
        `<p id="status">Your order ${order.id} is paid: ${html(amount)} ${html(currency)}.</p>`,
      );
    case "refunded":
      return page("Refunded", `<p id="status">Your order ${order.id} was refunded.</p>`);
    case "expired":
      return page("Not paid", `<p id="status">The payment expired. You haven't been charged.</p>${retry}`);
    case "cancelled":
      return page("Not paid", `<p id="status">The payment was cancelled. You haven't been charged.</p>`);
    case "pending":
      return page("Not paid yet", `<p id="status">Order ${order.id} is not paid yet.</p>${retry}`, refresh);
    default:
      return page("Checking your payment", '<p id="status">This takes a moment.</p>', refresh);
  }
}

/** The dialog's event is no proof of payment: the return page reads the status from the connector. */
const popup = (order, paymentUrl) =>
  page(
    "Pay",
    `<tillgate-pay open payment-url="${html(paymentUrl)}" return-url="${html(buildPath("/checkout/return", order))}">
     <a href="${html(paymentUrl)}">Pay now</a></tillgate-pay>
     <script>addEventListener("tillgate-state", ({ target, detail }) => {
       if (detail.state !== "PENDING") location.assign(target.getAttribute("return-url"));
     });</script>`,
    `<script src="${html(new URL(paymentUrl).origin)}/tillgate.js" defer></script>`,
  );

/** Phones are redirected to the payment page, because a phone cannot scan its own screen. */
const isPhone = ({ headers: { "sec-ch-ua-mobile": hint, "user-agent": agent = "" } }) =>
  hint ? hint === "?1" : /\b(?:Mobile|Android|iPhone|iPad)\b/.test(agent);

const routes = {
  async "GET /"() {
    const { name, price } = await store("GET", `products/${PRODUCT_ID}`);
    return page(
      name,
      `<p>${html(price)}</p><form method="post" action="/checkout"><button>Buy</button></form>`,
    );
  },
  /** Creates the order in WooCommerce, which also determines the price. */
  async "POST /checkout"() {
    const order = await store("POST", "orders", {
      payment_method: "tillgate",
      payment_method_title: "Tillgate",
      line_items: [{ product_id: Number(PRODUCT_ID), quantity: 1 }],
    });
    return { location: buildPath("/checkout/pay", { id: order.id, key: order.order_key }) };
  },
  /** For the same order, the connector returns the same payment, so a reload does not charge twice. */
  async "GET /checkout/pay"(url, incoming) {
    const order = parseOrder(url);
    const { payment_url, status } = await startPayment(order);
    if (status === "pending" && SHOW_AS === "popup" && !isPhone(incoming)) return popup(order, payment_url);
    return { location: status === "pending" ? payment_url : buildPath("/checkout/return", order) };
  },
  /** The `return_url` in the connector's settings. Shoppers return here, paid or not. */
  async "GET /checkout/return"(url) {
    const order = parseOrder(url);
    return resultPage(order, await readPayment(order));
  },
};

createServer(async (incoming, response) => {
  try {
    // Concatenated, because a path such as "//" would replace the host of a base URL.
    const url = new URL(`http://shop${incoming.url}`);
    const route = routes[`${incoming.method} ${url.pathname}`];
    const result = route === undefined ? page("Not found", "") : await route(url, incoming);
    if (typeof result === "object") return response.writeHead(303, result).end();
    response.writeHead(route === undefined ? 404 : 200, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
    });
    response.end(result);
  } catch (error) {
    if (error.status !== 404) console.error(error);
    // 404: unknown order. 422: the order cannot be paid. A retry helps only for other errors.
    const notPayable = page("Not paid", "<p>This order can’t be paid. If you’ve paid, don’t pay again.</p>");
    const finalPages = { 404: page("Not found", ""), 422: notPayable };
    const retryPage = page("One moment, please", "<p>Something went wrong. We’re trying again.</p>", refresh);
    response.writeHead(error.status in finalPages ? error.status : 503, { "content-type": "text/html" });
    response.end(finalPages[error.status] ?? retryPage);
  }
}).listen(Number(PORT), "127.0.0.1", () => console.log(`Shop running at http://127.0.0.1:${PORT}`));
