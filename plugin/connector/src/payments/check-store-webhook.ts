import type { ConnectorContext } from "./context.js";

/** The state of the store's own webhook, as the health panel shows it. */
export type StoreWebhookState = "off" | "active" | "paused" | "disabled" | "missing";

const words: Partial<Record<StoreWebhookState, string>> = {
  paused:
    "The store's webhook to the connector is paused. Until it is active again, changes are found by the poll only.",
  disabled:
    "The store's webhook to the connector is disabled: WooCommerce switches one off after more than 5 failures in a row. Please set it to active again; until then changes are found by the poll only.",
  missing:
    "The store has no webhook order.updated to the connector. Please make it; until then changes are found by the poll only.",
};

/** Reads whether the store's own webhook is there and active; every few minutes only, as it seldom changes. */
export async function checkStoreWebhook(context: ConnectorContext): Promise<void> {
  const { health, reporter, settings, store } = context;
  if (settings.storeWebhookSecret === null || settings.storeWebhookUrl === null) {
    await reporter.report("store_webhook", { state: "off" });
    return;
  }
  const reports = await health.reports(settings.storeId);
  const last = reports.find(({ name }) => name === "store_webhook");
  if (last !== undefined && Date.now() - last.reportedAt.getTime() < settings.storeWebhookCheckMs) return;
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
  else await reporter.problem({ kind: "store_webhook", subject: "store_webhook", storeOrderId: null, text });
}
