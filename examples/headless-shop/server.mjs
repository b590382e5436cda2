/**
 * A headless shop in one file: it sells one product of a WooCommerce store and is paid by Tillgate. Plain Node, nothing to
 * install. Settings come from the environment; docs/connect-a-headless-shop.md goes through them.
 */
import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";

for (const name of ["WOO_URL", "WOO_CONSUMER_KEY", "WOO_CONSUMER_SECRET", "CONNECTOR_URL", "PRODUCT_ID"])
  if (!process.env[name]) throw new Error(`${name} is not set.`);
const { WOO_URL, WOO_CONSUMER_KEY, WOO_CONSUMER_SECRET, CONNECTOR_URL, PRODUCT_ID } = process.env;
const { STORE_ID = "shop", PORT = "3000", SHOW_AS = "page" } = process.env;

const html = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
/** WooCommerce takes its keys by Basic over https, and signed by OAuth 1.0a over http. */
const basic = { authorization: `Basic ${btoa(`${WOO_CONSUMER_KEY}:${WOO_CONSUMER_SECRET}`)}` };
function signed(method, address) {
  const [nonce, time] = [randomBytes(16).toString("hex"), Math.floor(Date.now() / 1000)];
  const fields = `oauth_consumer_key=${WOO_CONSUMER_KEY}&oauth_nonce=${nonce}&oauth_signature_method=HMAC-SHA256&oauth_timestamp=${time}`;
  const text = [method, address, fields].map(encodeURIComponent).join("&");
  const signature = createHmac("sha256", `${WOO_CONSUMER_SECRET}&`).update(text).digest("base64");
  return `${address}?${fields}&oauth_signature=${encodeURIComponent(signature)}`;
}

async function ask(address, { method = "GET", body, headers } = {}) {
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
  if (address.startsWith("https:")) return ask(address, { method, body, headers: basic });
  return ask(signed(method, address), { method, body });
}

const payments = `${CONNECTOR_URL}/v1/stores/${STORE_ID}/payments`;
const startPayment = ({ id, key }) =>
  ask(payments, { method: "POST", body: { order_id: id, order_key: key } });
const readPayment = ({ id, key }) => ask(`${payments}/${id}?order_key=${encodeURIComponent(key)}`);

const page = (title, body, head = "") =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${html(title)}</title>${head}<h1>${html(title)}</h1>${body}</html>`;
const again = '<meta http-equiv="refresh" content="3">';

/** The order of an address, by its number and its key: a visitor with the key may pay and look. */
const orderIn = (url) => ({
  id: Number(url.searchParams.get("order")),
  key: url.searchParams.get("key") ?? "",
});
const addressOf = (path, { id, key }) => `${path}?order=${id}&key=${encodeURIComponent(key)}`;

/** What each status of a payment means to the shopper. The connector asks Tillgate; the address bar proves nothing. */
function afterwards(order, { status, amount, currency }) {
  const retry = `<p><a href="${html(addressOf("/checkout/pay", order))}">Pay now</a></p>`;
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
      return page("Not paid", `<p id="status">Your order was cancelled. You haven't been charged.</p>`);
    case "pending":
      return page("Not paid yet", `<p id="status">Order ${order.id} is not paid yet.</p>${retry}`, again);
    default:
      return page("Checking your payment", '<p id="status">This takes a moment.</p>', again);
  }
}

/** The payment in a dialog of this page. What the dialog says is a hint: the return page asks the connector. */
const popup = (order, paymentUrl) =>
  page(
    "Pay",
    `<tillgate-pay open payment-url="${html(paymentUrl)}" return-url="${html(addressOf("/checkout/return", order))}">
     <a href="${html(paymentUrl)}">Pay now</a></tillgate-pay>
     <script>addEventListener("tillgate-state", ({ target, detail }) => {
       if (detail.state !== "PENDING") location.assign(target.getAttribute("return-url"));
     });</script>`,
    `<script src="${html(new URL(paymentUrl).origin)}/tillgate.js" defer></script>`,
  );

/** A phone does not scan its own screen. */
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
  /** The order is WooCommerce's; its price is WooCommerce's too. */
  async "POST /checkout"() {
    const order = await store("POST", "orders", {
      payment_method: "tillgate",
      payment_method_title: "Tillgate",
      line_items: [{ product_id: Number(PRODUCT_ID), quantity: 1 }],
    });
    return { location: addressOf("/checkout/pay", { id: order.id, key: order.order_key }) };
  },
  /** Asked again for the same order, the connector gives the same payment: a reload pays nothing twice. */
  async "GET /checkout/pay"(url, request) {
    const order = orderIn(url);
    const { payment_url, status } = await startPayment(order);
    if (status === "pending" && SHOW_AS === "popup" && !isPhone(request)) return popup(order, payment_url);
    return { location: status === "pending" ? payment_url : addressOf("/checkout/return", order) };
  },
  /** `return_url` of the connector's entry: the shopper comes back here, paid or not. */
  async "GET /checkout/return"(url) {
    const order = orderIn(url);
    return afterwards(order, await readPayment(order));
  },
};

createServer(async (request, response) => {
  try {
    // A path such as "//" is no address beside a base, but one behind it.
    const url = new URL(`http://shop${request.url}`);
    const route = routes[`${request.method} ${url.pathname}`];
    const answer = route === undefined ? page("Not found", "") : await route(url, request);
    if (typeof answer === "object") return response.writeHead(303, answer).end();
    response.writeHead(route === undefined ? 404 : 200, {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
    });
    response.end(answer);
  } catch (error) {
    if (error.status !== 404) console.error(error);
    // 404: no such order. 422: it cannot be paid, and asking again is of no use.
    const rejected = page("Not paid", "<p>This order cannot be paid here. Nothing was taken.</p>");
    const ends = { 404: page("Not found", ""), 422: rejected };
    const sorry = page("One moment, please", "<p>We could not do this just now.</p>", again);
    response.writeHead(error.status in ends ? error.status : 503, { "content-type": "text/html" });
    response.end(ends[error.status] ?? sorry);
  }
}).listen(Number(PORT), "127.0.0.1", () => console.log(`The shop is at http://127.0.0.1:${PORT}`));
