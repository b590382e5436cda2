import { type SignWebhookOptions, signWebhook } from "@tillgate/webhooks";

/** The headers of a delivery: what it is, who sends it, and its signatures. */
export const deliveryHeaders = (signed: SignWebhookOptions): Record<string, string> => ({
  "content-type": "application/json",
  "user-agent": "Tillgate-Webhooks/1",
  ...signWebhook(signed),
});
