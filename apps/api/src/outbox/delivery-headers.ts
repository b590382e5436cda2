import { signWebhook } from "@tillgate/webhooks";

/** The headers of a delivery: what it is, who sends it, and its signatures. */
export const deliveryHeaders = (signed: Parameters<typeof signWebhook>[0]): Record<string, string> => ({
  "content-type": "application/json",
  "user-agent": "Tillgate-Webhooks/1",
  ...signWebhook(signed),
});
