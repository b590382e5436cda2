import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { WebhookKey } from "./keys.js";

/** `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`, as Standard Webhooks says. */
export function standardSignature(
  key: WebhookKey,
  id: string,
  timestampSeconds: number,
  body: string,
): string {
  const webhook = new Webhook(key.bytes(), { format: "raw" });
  return webhook.sign(id, new Date(timestampSeconds * 1000), body);
}

/** Binds the replay header to one delivery: as {@link standardSignature}, over `replay.` and the replay's id. No body is such a text. */
export const replaySignature = (
  key: WebhookKey,
  id: string,
  timestampSeconds: number,
  replayId: string,
): string => standardSignature(key, id, timestampSeconds, `replay.${replayId}`);

/** `sha256=` and the hex HMAC-SHA256 of the body. */
export function simpleSignature(key: WebhookKey, body: string): string {
  return `sha256=${createHmac("sha256", key.bytes()).update(body, "utf8").digest("hex")}`;
}

/** Whether any of the texts is equal, in constant time. */
export function anyEqual(received: readonly string[], expected: readonly string[]): boolean {
  let equal = false;
  for (const one of received) {
    for (const other of expected) {
      const [a, b] = [Buffer.from(one, "utf8"), Buffer.from(other, "utf8")];
      if (a.length === b.length && timingSafeEqual(a, b)) equal = true;
    }
  }
  return equal;
}
