import { getDigits, UnknownCurrencyError } from "@tillgate/money";
import { z } from "zod";
import { type CheckResponse, sendRequest } from "./check-request.js";
import { checkClock, type Finding, fail, ok, warn } from "./finding.js";
import { describeFailure, parseStoreError, type StoreApi } from "./store-api.js";

/** The first WooCommerce version whose REST API supports `modified_after`. */
const OLDEST_WOOCOMMERCE = [5, 8] as const;

const indexSchema = z.object({ namespaces: z.array(z.string()) });
const statusSchema = z.object({
  environment: z.object({ version: z.string() }),
  settings: z.object({ currency: z.string(), number_of_decimals: z.coerce.number().int() }),
});

const NEW_KEYS =
  "In the store: WooCommerce → Settings → Advanced → REST API → Add key, Permissions: Read/Write, for an administrator or shop manager.";

export type StoreFindings = {
  findings: Finding[];
  /** Null if the currency could not be read, is not supported, or is used with too many decimals. */
  currency: string | null;
  /** Whether the store can be reached, and its keys can read and write. */
  usable: boolean;
};

/** Checks the store's address, keys, version and currency. Changes nothing in the store. */
export async function checkStore(url: string, store: StoreApi, nowMs: () => number): Promise<StoreFindings> {
  const addressFindings = await checkAddress(url, nowMs);
  if (addressFindings.some(({ state }) => state === "error"))
    return { findings: addressFindings, currency: null, usable: false };
  const keys = await checkKeys(store);
  const findings = [...addressFindings, ...keys];
  if (keys.some(({ state }) => state === "error")) return { findings, currency: null, usable: false };
  const { findings: shop, currency } = await checkShop(store);
  return { findings: [...findings, ...shop], currency, usable: true };
}

async function checkAddress(url: string, nowMs: () => number): Promise<Finding[]> {
  const index = await sendRequest(`${url}/wp-json/`);
  if (index.status === null) {
    return [fail(`The store cannot be reached: ${index.reason}.`, `Check the URL ${url} from this machine.`)];
  }
  if (index.status >= 300 && index.status < 400) {
    const to = index.location === null ? "elsewhere" : `to ${index.location}`;
    return [
      fail(
        `The store redirects ${to}.`,
        "Use the URL it redirects to: keys are never sent to a redirect target.",
      ),
    ];
  }
  const parsed = indexSchema.safeParse(index.body);
  if (index.status !== 200 || !parsed.success) return [await explainMissingIndex(url, index)];
  if (!parsed.data.namespaces.includes("wc/v3")) {
    return [
      fail("WordPress was found, but not WooCommerce.", "Install and activate the WooCommerce plugin."),
    ];
  }
  return [ok(`WooCommerce found at ${url}.`), checkClock("The store", index.date, nowMs())];
}

async function explainMissingIndex(url: string, index: CheckResponse): Promise<Finding> {
  const plain = await sendRequest(`${url}/?rest_route=/`);
  if (plain.status === 200 && indexSchema.safeParse(plain.body).success) {
    return fail(
      "WordPress uses plain permalinks, so /wp-json/ isn't available.",
      "In the store: Settings → Permalinks → Post name, then Save.",
    );
  }
  const action = index.status === null ? index.reason : `HTTP ${index.status}`;
  return fail(
    `No WordPress REST API at ${url}/wp-json/ (${action}${"isPage" in index && index.isPage ? ", HTML instead of JSON" : ""}).`,
    "Check the URL, and that /wp-json/ isn't blocked by a security or cache plugin, a firewall or maintenance mode.",
  );
}

/** Checks the permissions of the keys, with write requests that always fail and so change nothing. */
async function checkKeys(store: StoreApi): Promise<Finding[]> {
  const read = await store.get("orders", { per_page: 1 });
  if (read.status !== 200) return [keysRejected("read orders", read)];
  if (!Array.isArray(read.body)) {
    return [
      fail(
        "The store returned a page instead of its orders.",
        "Exclude /wp-json/ from cache and security plugins, and turn off maintenance mode.",
      ),
    ];
  }
  // Order 0 never exists, so keys with write access get the error invalid_id.
  const write = await store.put("orders/0", {});
  if (parseStoreError(write).code !== "woocommerce_rest_shop_order_invalid_id") {
    return [keysRejected("write orders", write)];
  }
  // This topic never exists, so keys with write access get the error invalid_topic.
  const webhook = await store.post("webhooks", {
    topic: "no.topic",
    delivery_url: "https://invalid.example",
  });
  if (parseStoreError(webhook).code !== "woocommerce_rest_shop_webhook_invalid_topic") {
    return [keysRejected("create webhooks", webhook)];
  }
  return [
    ok("The store's keys can read and write orders and create webhooks."),
    ...(store.dropsAuthorization()
      ? [
          warn(
            "The store's host drops the Authorization header, so the keys are sent in the query string, over https only.",
            "Ask the host to forward the header (CGIPassAuth On in Apache), because query strings are written to access logs.",
          ),
        ]
      : []),
  ];
}

function keysRejected(action: string, response: CheckResponse): Finding {
  const reason = describeFailure(response);
  if (response.status === null) {
    return fail(`The store couldn't be reached to ${action}: ${reason}.`, "Run this command again.");
  }
  if (response.isPage && (response.status === 401 || response.status === 403)) {
    return fail(
      `Something in front of WordPress blocks the request to ${action}: ${reason}.`,
      "Allow this machine's IP address in the firewall or security plugin, and remove password protection from /wp-json/.",
    );
  }
  if (response.status === 401 || response.status === 403) {
    return fail(`The store's keys cannot ${action}: ${reason}.`, NEW_KEYS);
  }
  return fail(
    `The store failed to ${action}: ${reason}.`,
    "Check WooCommerce → Status → Logs in the store, then run this command again.",
  );
}

async function checkShop(store: StoreApi): Promise<{ findings: Finding[]; currency: string | null }> {
  const response = await store.get("system_status", { _fields: "environment,settings" });
  const parsed = response.status === 200 ? statusSchema.safeParse(response.body) : undefined;
  if (!parsed?.success) {
    const text = "The store's version and currency couldn't be read.";
    return {
      findings: [warn(text, "Create REST API keys for a user who is an administrator or shop manager.")],
      currency: null,
    };
  }
  const { environment, settings } = parsed.data;
  const digits = checkDigits(settings.currency, settings.number_of_decimals);
  return {
    findings: [checkVersion(environment.version), digits],
    currency: digits.state === "ok" ? settings.currency : null,
  };
}

function checkVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_WOOCOMMERCE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
    return ok(`WooCommerce ${version}.`);
  return fail(`WooCommerce ${version} is too old.`, `Update it to ${OLDEST_WOOCOMMERCE.join(".")} or later.`);
}

function checkDigits(currency: string, decimals: number): Finding {
  const count = decimals === 1 ? "1 decimal" : `${decimals} decimals`;
  try {
    const digits = getDigits(currency);
    if (decimals <= digits) return ok(`The store's currency is ${currency}, with ${count}.`);
    return fail(
      `The store uses ${count} for ${currency}, which has ${digits}. Totals with more decimals than the currency has cannot be paid.`,
      `In the store: WooCommerce → Settings → General → Number of decimals: ${digits}.`,
    );
  } catch (error) {
    if (!(error instanceof UnknownCurrencyError)) throw error;
    return fail(`The store's currency ${currency} isn't supported.`, "Choose an ISO 4217 currency.");
  }
}
