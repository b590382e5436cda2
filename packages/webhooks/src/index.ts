export type { OrderEvent, RefundEvent, WebhookEvent, WebhookEventName } from "@tillgate/contract";
export { parseWebhookEvent, WebhookEventError } from "./parse-webhook-event.js";
export { type SignWebhookOptions, signWebhook, type WebhookHeaders } from "./sign-webhook.js";
export { parseWhsecKey, rawKey, WebhookKey, WebhookKeyError } from "./signatures.js";
export {
  DEFAULT_TOLERANCE_SECONDS,
  type ReceivedHeaders,
  replayIdOf,
  type VerifySimpleSignatureOptions,
  type VerifyWebhookOptions,
  verifySimpleSignature,
  verifyWebhook,
  type WebhookVerification,
} from "./verify-webhook.js";
