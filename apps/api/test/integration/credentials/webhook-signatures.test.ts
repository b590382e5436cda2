import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { authenticateClient } from "../../../src/identity/credentials/authenticate.js";
import {
  createCredential,
  revokeCredential,
  rotateCredential,
} from "../../../src/identity/credentials/manage.js";
import { type FaultServer, type ReceivedWebhook, startFaultServer } from "../../support/fault-server.js";
import { waitUntil } from "../../support/wait-until.js";
import { openSandbox, type Sandbox } from "../outbox/support/sandbox.js";
import { startWorkerProcess } from "../outbox/support/worker-process.js";

let sandbox: Sandbox;
let receiver: FaultServer;
let worker: { close(): Promise<void> };
let merchantId: string;

beforeAll(async () => {
  sandbox = await openSandbox();
  receiver = await startFaultServer();
  worker = await startWorkerProcess(sandbox);
  const { client_id: clientId } = sandbox.access.merchant;
  ({ merchantId } = await sandbox.database.prisma.credential.findFirstOrThrow({ where: { clientId } }));
});
afterAll(async () => {
  await worker.close();
  await receiver.close();
  await sandbox.drop();
});

/** Pays an order. @returns the webhook that the receiver gets */
async function payAndReceive(path: string, orderId: string): Promise<ReceivedWebhook> {
  await sandbox.payOrder(orderId);
  return waitUntil("the event is received", () => receiver.requestsTo(path)[0]);
}

const order = (path: string, clientId: string): Promise<string> =>
  sandbox.createOrder({ callbackUrl: receiver.urlOf(path), clientId });

function verifies({ body, headers }: ReceivedWebhook, secret: string): boolean {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  try {
    new Webhook(secret, { format: "raw" }).verify(String(body), signed);
    return true;
  } catch {
    return false;
  }
}

const tillgateSignatureVerifies = ({ body, headers }: ReceivedWebhook, secret: string): boolean =>
  headers["x-tillgate-signature"] ===
  `sha256=${createHmac("sha256", secret).update(String(body)).digest("hex")}`;

const signatures = ({ headers }: ReceivedWebhook): number =>
  String(headers["webhook-signature"]).split(" ").length;

it("during a rotation, webhooks can be verified with either secret, and X-Tillgate-Signature uses the new secret once a client has authenticated with it", async () => {
  const context = sandbox.context();
  const old = await createCredential(context, { merchantId, mode: "sandbox", kind: "client" });
  const clientId = old.clientId ?? "";
  const orders = {
    before: await order("/ok?before", clientId),
    during: await order("/ok?during", clientId),
    used: await order("/ok?used", clientId),
    over: await order("/ok?over", clientId),
  };
  const before = await payAndReceive("/ok?before", orders.before);
  expect([
    verifies(before, old.secret),
    tillgateSignatureVerifies(before, old.secret),
    signatures(before),
  ]).toEqual([true, true, 1]);

  const renewed = await rotateCredential(context, { credentialId: old.id });
  const during = await payAndReceive("/ok?during", orders.during);
  expect(signatures(during)).toBe(2);
  expect([verifies(during, old.secret), verifies(during, renewed.secret)]).toEqual([true, true]);
  expect(tillgateSignatureVerifies(during, old.secret)).toBe(true);

  const call = { clientId, mode: "sandbox", clientAddress: "192.0.2.1" } as const;
  await authenticateClient(context, { ...call, clientSecret: renewed.secret });
  const used = await payAndReceive("/ok?used", orders.used);
  expect([verifies(used, old.secret), verifies(used, renewed.secret)]).toEqual([true, true]);
  expect(tillgateSignatureVerifies(used, renewed.secret)).toBe(true);

  await sandbox.database.pool.query("UPDATE credentials SET expires_at = clock_timestamp() WHERE id = $1", [
    old.id,
  ]);
  const over = await payAndReceive("/ok?over", orders.over);
  expect([verifies(over, old.secret), verifies(over, renewed.secret), signatures(over)]).toEqual([
    false,
    true,
    1,
  ]);
  expect(tillgateSignatureVerifies(over, renewed.secret)).toBe(true);
});

it("after the overlap, webhooks are signed with the new secret only, even if it was never used", async () => {
  const context = sandbox.context();
  const old = await createCredential(context, { merchantId, mode: "sandbox", kind: "client" });
  const id = await order("/ok?unused", old.clientId ?? "");
  const renewed = await rotateCredential(context, { credentialId: old.id, overlapSeconds: 0 });
  const received = await payAndReceive("/ok?unused", id);
  expect([
    verifies(received, renewed.secret),
    tillgateSignatureVerifies(received, renewed.secret),
    signatures(received),
  ]).toEqual([true, true, 1]);
});

it("webhooks of a revoked client are signed only with the secret of the merchant's newest active client in the same mode", async () => {
  const context = sandbox.context();
  const gone = await createCredential(context, { merchantId, mode: "sandbox", kind: "client" });
  const id = await order("/ok?gone", gone.clientId ?? "");
  const newest = await createCredential(context, { merchantId, mode: "sandbox", kind: "client" });
  await createCredential(context, { merchantId, mode: "sandbox", kind: "api_token" });
  await createCredential(context, { merchantId, mode: "live", kind: "client" });
  await revokeCredential(context, { credentialId: gone.id });
  const received = await payAndReceive("/ok?gone", id);
  expect([verifies(received, gone.secret), verifies(received, newest.secret)]).toEqual([false, true]);
  expect(signatures(received)).toBe(1);
  expect(tillgateSignatureVerifies(received, newest.secret)).toBe(true);
});
