import { createHmac } from "node:crypto";
import { z } from "zod";
import type { Answer } from "./answer.js";
import { type Finding, fix, ok, warn } from "./finding.js";
import { refusalIn, type StoreApi } from "./store-api.js";

/** The topics that the connector needs: changes, and orders that are put into the trash, which no list shows. */
const topics = ["order.updated", "order.deleted"] as const;
const PER_PAGE = 100;
/** More webhooks than this of one store are not read. */
const MAX_PAGES = 10;

const webhookSchema = z.object({
  id: z.int(),
  status: z.string(),
  topic: z.string(),
  delivery_url: z.string(),
});
type Webhook = z.infer<typeof webhookSchema>;

/**
 * The secret of the store's webhooks. It is derived from the store's own REST secret, so that another run of the set-up
 * gets the same one: WooCommerce never shows a webhook's secret.
 */
export const webhookSecretOf = (consumerSecret: string, deliveryUrl: string): string =>
  createHmac("sha256", consumerSecret).update(`tillgate store webhook ${deliveryUrl}`).digest("base64url");

export type StoreWebhookOptions = {
  deliveryUrl: string;
  secret: string;
  /** Whether to look only. */
  checkOnly: boolean;
};

/** Makes the store's missing webhooks and fixes wrong ones. Another run changes nothing more. */
export async function ensureWebhooks(store: StoreApi, options: StoreWebhookOptions): Promise<Finding[]> {
  const webhooks = await listWebhooks(store);
  if (webhooks === null) {
    return [
      warn("The store's webhooks cannot be read.", "Changes in the shop are then noticed every 2 minutes."),
    ];
  }
  const findings: Finding[] = [];
  for (const topic of topics) {
    const own = webhooks.filter((one) => one.topic === topic && one.delivery_url === options.deliveryUrl);
    findings.push(await ensureOne(store, topic, own, options));
  }
  return findings;
}

async function listWebhooks(store: StoreApi): Promise<Webhook[] | null> {
  const webhooks: Webhook[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const answer = await store.get("webhooks", { per_page: PER_PAGE, page });
    const parsed = answer.status === 200 ? z.array(webhookSchema).safeParse(answer.body) : undefined;
    if (!parsed?.success) return null;
    webhooks.push(...parsed.data);
    if (parsed.data.length < PER_PAGE) break;
  }
  return webhooks;
}

async function ensureOne(
  store: StoreApi,
  topic: string,
  own: readonly Webhook[],
  { deliveryUrl, secret, checkOnly }: StoreWebhookOptions,
): Promise<Finding> {
  const [first] = own;
  const name = `The store's webhook ${topic}`;
  if (checkOnly) {
    if (first === undefined) return warn(`${name} is missing.`, "Run this without --check to make it.");
    if (own.some(({ status }) => status === "active")) return ok(`${name} is there and active.`);
    return fix(`${name} is ${first.status}.`, "Run this without --check to switch it on again.");
  }
  // The secret is written each time: WooCommerce does not show the present one.
  const wanted = { secret, status: "active" };
  const answer =
    first === undefined
      ? await store.post("webhooks", {
          name: `Tillgate ${topic}`,
          topic,
          delivery_url: deliveryUrl,
          ...wanted,
        })
      : await store.put(`webhooks/${first.id}`, wanted);
  if (answer.status === null || answer.status >= 300) return notMade(name, answer);
  if (first === undefined) return ok(`${name} is made.`);
  return ok(
    first.status === "active"
      ? `${name} is there and active.`
      : `${name} was ${first.status} and is active again.`,
  );
}

function notMade(name: string, answer: Answer): Finding {
  const said =
    answer.status === null ? answer.reason : `${refusalIn(answer).message} (HTTP ${answer.status})`;
  return fix(
    `${name} cannot be made: ${said}.`,
    "Use keys of an administrator or a shop manager. Until then changes in the shop are noticed every 2 minutes.",
  );
}
