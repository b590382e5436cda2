import { createHmac, randomBytes } from "node:crypto";
import { seal } from "@tillgate/database";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ReceivedWebhook } from "../../support/fault-server.js";
import { type OutboxHarness, openOutboxHarness } from "./support/harness.js";

let engine: OutboxHarness;
beforeAll(async () => {
  engine = await openOutboxHarness();
  await engine.start();
});
afterAll(() => engine.close());

/** Returns whether the public library accepts the signature. */
function verifies({ body, headers }: ReceivedWebhook, secret: string): boolean {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  try {
    new Webhook(secret).verify(
      String(body),
      Object.fromEntries(names.map((name) => [name, String(headers[name])])),
    );
    return true;
  } catch {
    return false;
  }
}

/** Returns whether `X-Tillgate-Signature` matches, the simplest check that a receiver can implement. */
const matchesTillgateSignature = ({ body, headers }: ReceivedWebhook, secret: string): boolean => {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  return headers["x-tillgate-signature"] === `sha256=${createHmac("sha256", key).update(body).digest("hex")}`;
};

async function payAndReceive(path: string): Promise<ReceivedWebhook> {
  await engine.waitForDelivery(
    await engine.createPaidOrder(),
    "the event is delivered",
    ({ status }) => status === "delivered",
  );
  const received = engine.receiver.requestsTo(path).at(-1);
  if (!received) throw new Error("the receiver got no webhook");
  return received;
}

it("during a rotation, deliveries to an endpoint are signed with both secrets, but X-Tillgate-Signature uses the old one; afterwards, only the new secret is used", async () => {
  const path = "/ok?rotation";
  const { id, secret: old } = await engine.sandbox.addReceiver(engine.receiver.urlOf(path), [
    "pos.order.paid",
  ]);
  const before = await payAndReceive(path);
  expect([verifies(before, old), matchesTillgateSignature(before, old)]).toEqual([true, true]);

  const renewed = `whsec_${randomBytes(32).toString("base64")}`;
  const sealed = seal(engine.sandbox.keyring, id, renewed);
  await engine.execute(
    `UPDATE receivers SET previous_secret_ciphertext = secret_ciphertext, previous_encryption_key_id = encryption_key_id,
       previous_secret_expires_at = clock_timestamp() + interval '24 hours', secret_ciphertext = $2, encryption_key_id = $3 WHERE id = $1`,
    [id, sealed.ciphertext, sealed.keyId],
  );
  const during = await payAndReceive(path);
  expect(String(during.headers["webhook-signature"]).split(" ")).toHaveLength(2);
  expect([verifies(during, old), verifies(during, renewed)]).toEqual([true, true]);
  expect([matchesTillgateSignature(during, old), matchesTillgateSignature(during, renewed)]).toEqual([
    true,
    false,
  ]);

  await engine.execute("UPDATE receivers SET previous_secret_expires_at = clock_timestamp() WHERE id = $1", [
    id,
  ]);
  const after = await payAndReceive(path);
  expect(String(after.headers["webhook-signature"]).split(" ")).toHaveLength(1);
  expect([verifies(after, old), verifies(after, renewed), matchesTillgateSignature(after, renewed)]).toEqual([
    false,
    true,
    true,
  ]);
});
