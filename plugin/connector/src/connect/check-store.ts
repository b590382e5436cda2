import { digitsOf, UnknownCurrencyError } from "@tillgate/money";
import { z } from "zod";
import { type Answer, ask } from "./answer.js";
import { checkClock, type Finding, fix, ok, warn } from "./finding.js";
import { refusalIn, type StoreApi } from "./store-api.js";

/** The oldest WooCommerce that answers everything that is asked: `modified_after` came with 5.8. */
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
  /** The store's currency, where it can be paid in. */
  currency: string | null;
  /** Whether the keys may read and write. */
  usable: boolean;
};

/** All checks of the store itself. Reads only. */
export async function checkStore(url: string, store: StoreApi, nowMs: () => number): Promise<StoreFindings> {
  const there = await checkAddress(url, nowMs);
  if (there.some(({ state }) => state === "mend")) return { findings: there, currency: null, usable: false };
  const keys = await checkKeys(store);
  const findings = [...there, ...keys];
  if (keys.some(({ state }) => state === "mend")) return { findings, currency: null, usable: false };
  const { findings: shop, currency } = await checkShop(store);
  return { findings: [...findings, ...shop], currency, usable: true };
}

/** Whether there is a WordPress with WooCommerce and pretty permalinks, and the time of its clock. */
async function checkAddress(url: string, nowMs: () => number): Promise<Finding[]> {
  const index = await ask(`${url}/wp-json/`);
  if (index.status === null) {
    return [
      fix(`The store cannot be reached: ${index.reason}.`, `Check the address ${url} from this machine.`),
    ];
  }
  if (index.status >= 300 && index.status < 400) {
    const to = index.location === null ? "elsewhere" : `to ${index.location}`;
    return [
      fix(
        `The store sends callers on ${to}.`,
        "Give the address it sends to: keys are never sent after a redirect.",
      ),
    ];
  }
  const parsed = indexSchema.safeParse(index.body);
  if (index.status !== 200 || !parsed.success) return [await whyNoIndex(url, index)];
  if (!parsed.data.namespaces.includes("wc/v3")) {
    return [fix("WordPress is there, but no WooCommerce.", "Install and activate the WooCommerce plugin.")];
  }
  return [ok(`WooCommerce answers at ${url}.`), checkClock("The store", index.date, nowMs())];
}

async function whyNoIndex(url: string, index: Answer): Promise<Finding> {
  const plain = await ask(`${url}/?rest_route=/`);
  if (plain.status === 200 && indexSchema.safeParse(plain.body).success) {
    return fix(
      "WordPress is there, but its permalinks are plain, so that the REST API has no address.",
      "In the store: Settings → Permalinks → Post name, then Save.",
    );
  }
  const what = index.status === null ? index.reason : `HTTP ${index.status}`;
  return fix(
    `There is no WordPress REST API at ${url}/wp-json/ (${what}${"isPage" in index && index.isPage ? ", a page instead of JSON" : ""}).`,
    "Check the address, and that no security or cache plugin, firewall or maintenance mode keeps /wp-json/ away.",
  );
}

/** Whether the keys may read and write orders and webhooks. Asks for what cannot be done, so that nothing changes. */
async function checkKeys(store: StoreApi): Promise<Finding[]> {
  const read = await store.get("orders", { per_page: 1 });
  if (read.status !== 200) return [keysRejected("read orders", read)];
  if (!Array.isArray(read.body)) {
    return [
      fix(
        "The store answers a page instead of its orders.",
        "Keep /wp-json/ out of cache and security plugins; a maintenance page has to go first.",
      ),
    ];
  }
  // There is never an order 0: with keys that may write, the store says so.
  const write = await store.put("orders/0", {});
  if (refusalIn(write).code !== "woocommerce_rest_shop_order_invalid_id") {
    return [keysRejected("write orders", write)];
  }
  // Nor a webhook of this topic.
  const hook = await store.post("webhooks", { topic: "no.topic", delivery_url: "https://invalid.example" });
  if (refusalIn(hook).code !== "woocommerce_rest_shop_webhook_invalid_topic") {
    return [keysRejected("make webhooks", hook)];
  }
  return [
    ok("The store's keys may read and write orders, refunds and webhooks."),
    ...(store.dropsAuthorization()
      ? [
          warn(
            "The store's host drops the Authorization header, so the keys are sent in the query, over https only.",
            "Ask the host to pass the header on (CGIPassAuth On in Apache): queries are written to access logs.",
          ),
        ]
      : []),
  ];
}

function keysRejected(what: string, answer: Answer): Finding {
  if (answer.status === null) {
    return fix(`The store broke off when asked to ${what}: ${answer.reason}.`, "Run this again.");
  }
  const { message } = refusalIn(answer);
  const said = message === "" ? `HTTP ${answer.status}` : `“${message}” (HTTP ${answer.status})`;
  if (answer.isPage && (answer.status === 401 || answer.status === 403)) {
    return fix(
      `Something in front of WordPress refuses to ${what}: ${said}.`,
      "Allow this machine's address in the firewall or security plugin, and remove password protection from /wp-json/.",
    );
  }
  if (answer.status === 401 || answer.status === 403) {
    return fix(`The store's keys may not ${what}: ${said}.`, NEW_KEYS);
  }
  return fix(
    `The store did not ${what}: ${said}.`,
    "Look into WooCommerce → Status → Logs of the store, then run this again.",
  );
}

async function checkShop(store: StoreApi): Promise<{ findings: Finding[]; currency: string | null }> {
  const answer = await store.get("system_status", { _fields: "environment,settings" });
  const parsed = answer.status === 200 ? statusSchema.safeParse(answer.body) : undefined;
  if (!parsed?.success) {
    const text = "The store does not tell its version and currency.";
    return { findings: [warn(text, "Use keys of an administrator or a shop manager.")], currency: null };
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
  return fix(`WooCommerce ${version} is too old.`, `Update it to ${OLDEST_WOOCOMMERCE.join(".")} or later.`);
}

function checkDigits(currency: string, decimals: number): Finding {
  try {
    const digits = digitsOf(currency);
    if (decimals <= digits) return ok(`The store sells in ${currency} with ${decimals} decimals.`);
    return fix(
      `The store writes ${currency} with ${decimals} decimals, but it has ${digits}: amounts finer than that cannot be paid.`,
      `In the store: WooCommerce → Settings → General → Number of decimals: ${digits}.`,
    );
  } catch (error) {
    if (!(error instanceof UnknownCurrencyError)) throw error;
    return fix(`The store's currency ${currency} is not known.`, "Choose an ISO 4217 currency.");
  }
}
