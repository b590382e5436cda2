import { z } from "zod";
import type { ConnectorContext } from "./context.js";

/** The state of the store's own webhook, as the health panel shows it. */
export type StoreWebhookState = "off" | "active" | "paused" | "disabled" | "missing";

/** Looks of the health panel at a webhook that is not active are at least this far apart, in milliseconds. */
const LOOK_INTERVAL_MS = 5_000;

const words: Partial<Record<StoreWebhookState, string>> = {
  paused:
    "The store's webhook to the connector is paused. Until it is active again, changes are found by the poll only.",
  disabled:
    "The store's webhook to the connector is disabled: WooCommerce switches one off after more than 5 failures in a row. Please set it to active again; until then changes are found by the poll only.",
  missing:
    "The store has no webhook order.updated to the connector. Please make it; until then changes are found by the poll only.",
};

/**
 * Reads whether the store's own webhook exists and is active: at every sweep while it is not, and every few minutes while
 * it is, since it rarely changes then.
 */
export async function checkStoreWebhook(context: ConnectorContext): Promise<void> {
  const { settings } = context;
  const last = await lastReport(context);
  if (last?.state === "active" && last.ageMs < settings.storeWebhookCheckMs) return;
  await readStoreWebhook(context);
}

/**
 * For a reader of the health panel: if the webhook was not active a moment ago, `npm run connect` may just have made it.
 * Never throws: the panel must work also while the store cannot be asked.
 */
export async function lookAtStoreWebhook(context: ConnectorContext): Promise<void> {
  const last = await lastReport(context);
  if (last !== null && (last.state === "active" || last.ageMs < LOOK_INTERVAL_MS)) return;
  try {
    await readStoreWebhook(context);
  } catch (error) {
    await context.reporter.error("reading the state of the store's webhook", error);
  }
}

const reportSchema = z.object({ state: z.string() });

async function lastReport({ health }: ConnectorContext) {
  const report = (await health.reports()).find(({ name }) => name === "store_webhook");
  if (report === undefined) return null;
  const parsed = reportSchema.safeParse(JSON.parse(report.value));
  return { state: parsed.success ? parsed.data.state : null, ageMs: report.ageMs };
}

async function readStoreWebhook(context: ConnectorContext): Promise<void> {
  const { reporter, settings, store } = context;
  if (settings.storeWebhookSecret === null || settings.storeWebhookUrl === null) {
    await reporter.report("store_webhook", { state: "off" });
    return;
  }
  const ours = (await store.webhooks()).filter(
    ({ deliveryUrl, topic }) => topic === "order.updated" && deliveryUrl === settings.storeWebhookUrl,
  );
  const state: StoreWebhookState = ours.some(({ status }) => status === "active")
    ? "active"
    : ours.some(({ status }) => status === "disabled")
      ? "disabled"
      : ours.length > 0
        ? "paused"
        : "missing";
  await reporter.report("store_webhook", { state });
  const text = words[state];
  if (text === undefined) await reporter.settled("store_webhook", "store_webhook");
  else await reporter.problem({ kind: "store_webhook", subject: "store_webhook", text });
}
