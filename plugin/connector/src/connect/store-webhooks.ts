import { createHmac } from "node:crypto";
import { z } from "zod";
import type { CheckResponse } from "./check-request.js";
import { type Finding, fail, ok, warn } from "./finding.js";
import { describeFailure, type StoreApi } from "./store-api.js";

/** Required topics. `order.deleted` covers trashed orders, which no list returns. */
const topics = ["order.updated", "order.deleted"] as const;
const PER_PAGE = 100;
const MAX_PAGES = 10;

const webhookSchema = z.object({
  id: z.int(),
  status: z.string(),
  topic: z.string(),
  delivery_url: z.string(),
});
type Webhook = z.infer<typeof webhookSchema>;

/** Derives the secret of a store's webhooks. WooCommerce never returns the secret, so every run must derive the same value. */
export const deriveWebhookSecret = (consumerSecret: string, deliveryUrl: string): string =>
  createHmac("sha256", consumerSecret).update(`tillgate store webhook ${deliveryUrl}`).digest("base64url");

export type StoreWebhookOptions = {
  deliveryUrl: string;
  secret: string;
  checkOnly: boolean;
};

/** Ensures that the store has one working webhook per topic. With `checkOnly`, only reports what is missing or wrong. */
export async function ensureWebhooks(store: StoreApi, options: StoreWebhookOptions): Promise<Finding[]> {
  const webhooks = await listWebhooks(store);
  if (webhooks === null) {
    return [
      warn(
        "The store's webhooks cannot be read.",
        "Without them, the connector polls the store for changes.",
      ),
    ];
  }
  const findings: Finding[] = [];
  for (const topic of topics) {
    const existing = webhooks.filter(
      (webhook) => webhook.topic === topic && webhook.delivery_url === options.deliveryUrl,
    );
    findings.push(await ensureWebhook(store, topic, existing, options));
  }
  return findings;
}

async function listWebhooks(store: StoreApi): Promise<Webhook[] | null> {
  const webhooks: Webhook[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const response = await store.get("webhooks", { per_page: PER_PAGE, page });
    const parsed = response.status === 200 ? z.array(webhookSchema).safeParse(response.body) : undefined;
    if (!parsed?.success) return null;
    webhooks.push(...parsed.data);
    if (parsed.data.length < PER_PAGE) break;
  }
  return webhooks;
}

async function ensureWebhook(
  store: StoreApi,
  topic: string,
  existing: readonly Webhook[],
  { deliveryUrl, secret, checkOnly }: StoreWebhookOptions,
): Promise<Finding> {
  const [first] = existing;
  const name = `The store's webhook ${topic}`;
  if (checkOnly) {
    if (first === undefined)
      return warn(`${name} is missing.`, "Run this command without --check to create it.");
    if (existing.some(({ status }) => status === "active")) return ok(`${name} is active.`);
    return fail(`${name} is ${first.status}.`, "Run this command without --check to reactivate it.");
  }
  // Always set the secret, because WooCommerce doesn't return the current secret.
  const changes = { secret, status: "active" };
  const response =
    first === undefined
      ? await store.post("webhooks", {
          name: `Tillgate ${topic}`,
          topic,
          delivery_url: deliveryUrl,
          ...changes,
        })
      : await store.put(`webhooks/${first.id}`, changes);
  if (response.status === null || response.status >= 300) return explainFailure(name, response);
  if (first === undefined) return ok(`${name} was created.`);
  return ok(
    first.status === "active" ? `${name} is active.` : `${name} was ${first.status} and is active again.`,
  );
}

function explainFailure(name: string, response: CheckResponse): Finding {
  return fail(
    `${name} couldn't be saved: ${describeFailure(response)}.`,
    "Create REST API keys for a user who is an administrator or shop manager. Until then, the connector polls the store for changes.",
  );
}
