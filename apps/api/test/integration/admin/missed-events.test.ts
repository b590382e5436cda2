import { randomUUID } from "node:crypto";
import { createOrderRequestSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { cancelOrder } from "../../../src/money/orders/cancel.js";
import { createOrder } from "../../../src/money/orders/create.js";
import { type AdminCli, openAdminCli } from "./admin-cli.js";

const ORDER = createOrderRequestSchema.parse({ amount: 41.5, currency: "EUR" });
const ALL_TIME = ["--from", "2026-01-01T00:00:00Z", "--to", "2100-01-01T00:00:00Z"];
let admin: AdminCli;
let by: string[];
let credentials: { id: string; merchantId: string }[];

beforeAll(async () => {
  admin = await openAdminCli();
  by = ["--by", admin.first];
  const { merchant, other_merchant: other } = admin.sandbox.access;
  credentials = await Promise.all(
    [merchant, other].map(({ client_id: clientId }) =>
      admin.sandbox.database.prisma.credential.findFirstOrThrow({ where: { clientId } }),
    ),
  );
});
afterAll(() => admin.close());

const merchantOf = (nth: number) => {
  const found = credentials[nth];
  if (!found) throw new Error(`there is no merchant ${nth}`);
  return found;
};
/** Creates an event by cancelling an order of the n-th merchant. */
async function createEvent(nth = 0): Promise<void> {
  const { id: credentialId, merchantId } = merchantOf(nth);
  const client = { merchantId, mode: "sandbox", credentialId } as const;
  const { order } = await createOrder(admin.context, client, ORDER, "req_test");
  await cancelOrder(admin.context, client, order.id);
}
async function addEndpoint(nth = 0): Promise<string> {
  const url = ["--url", `https://shop.example/${randomUUID()}`, "--events", "pos.order.cancelled"];
  const { merchantId } = merchantOf(nth);
  const added = await admin.runJson("webhooks", "add", merchantId, "--mode", "sandbox", ...url, ...by);
  return z.uuid().parse(added.endpoint);
}
const runMissed = (endpoint: string, ...words: string[]) =>
  admin.runJson("webhooks", "missed", endpoint, ...words);
const runSendMissed = (endpoint: string, ...words: string[]) =>
  admin.runJson("webhooks", "send-missed", endpoint, ...ALL_TIME, ...by, ...words);
const deliveries = (endpoint: string) => admin.runList("webhooks", "deliveries", endpoint);
const records = async () =>
  (await admin.auditRecords()).filter(({ action }) => action === "receiver.send_missed");

describe("admin webhooks missed and send-missed", () => {
  it("count missed events, then send each once, even if the commands are repeated or run concurrently", async () => {
    await createEvent();
    await createEvent();
    const endpoint = await addEndpoint();
    expect(await runMissed(endpoint)).toMatchObject({
      message: "Missed events: 2 (2 never sent, 0 failed).",
      never_sent: 2,
      given_up: 0,
      more: false,
    });
    expect(await runSendMissed(endpoint, "--dry-run")).toMatchObject({ dry_run: true, never_sent: 2 });
    expect({ sent: await deliveries(endpoint), records: await records() }).toEqual({ sent: [], records: [] });

    const responses = await Promise.all([
      runSendMissed(endpoint),
      runSendMissed(endpoint),
      runSendMissed(endpoint),
    ]);
    expect(responses.map(({ sent }) => Number(sent)).reduce((sum, sent) => sum + sent, 0)).toBe(2);
    expect(await runSendMissed(endpoint)).toMatchObject({
      message: "Events being sent: 0.",
      sent: 0,
      more: false,
    });
    expect(await runMissed(endpoint)).toMatchObject({ never_sent: 0, given_up: 0, first: null, last: null });
    expect(new Set((await deliveries(endpoint)).map(({ event_id: id }) => id)).size).toBe(2);
    expect((await records()).map(({ subject, administrator }) => ({ subject, administrator }))).toEqual([
      { subject: endpoint, administrator: admin.first },
    ]);
  });

  it("include failed deliveries, but only within the time range", async () => {
    const endpoint = await addEndpoint();
    await createEvent();
    await admin.sandbox.database.pool.query(
      "UPDATE deliveries SET status = 'failed', settled_at = now(), given_up_because = 'gone' WHERE receiver_id = $1",
      [endpoint],
    );
    expect(await runMissed(endpoint)).toMatchObject({ given_up: 1 });
    const past = ["--from", "2020-01-01T00:00:00Z", "--to", "2020-01-02T00:00:00Z"];
    expect(await runMissed(endpoint, ...past)).toMatchObject({ never_sent: 0, given_up: 0 });
    expect(await admin.runJson("webhooks", "send-missed", endpoint, ...past, ...by)).toMatchObject({
      sent: 0,
    });
    expect(await runMissed(endpoint)).toMatchObject({ given_up: 1 });
    expect(Number((await runSendMissed(endpoint)).sent)).toBeGreaterThan(0);
    expect(await runMissed(endpoint)).toMatchObject({ never_sent: 0, given_up: 0 });
  });

  it("ignore events of other merchants", async () => {
    await createEvent();
    const foreign = await addEndpoint(1);
    expect(await runMissed(foreign)).toMatchObject({ never_sent: 0, given_up: 0 });
    expect(await runSendMissed(foreign)).toMatchObject({ sent: 0 });
    await createEvent(1);
    expect(await deliveries(foreign)).toHaveLength(1);
  });

  it("reject an unknown or removed endpoint and a range that ends before it starts; send-missed also rejects a disabled endpoint and a user who is not an administrator", async () => {
    const endpoint = await addEndpoint();
    const refusedSend = (id: string, ...words: string[]) =>
      admin.runRejected("webhooks", "send-missed", id, ...(words.length > 0 ? words : ALL_TIME), ...by);
    expect((await admin.runRejected("webhooks", "missed", randomUUID())).code).toBe("not_found");
    expect((await refusedSend(randomUUID())).code).toBe("not_found");
    const backwards = ["--from", "2100-01-01T00:00:00Z", "--to", "2026-01-01T00:00:00Z"];
    expect((await refusedSend(endpoint, ...backwards)).message).toContain("--to must be later");
    expect((await admin.runRejected("webhooks", "missed", endpoint, ...backwards)).message).toContain(
      "--to must be later",
    );
    expect(await admin.run("webhooks", "send-missed", endpoint, ...by)).toMatchObject({ exit: 2 });
    const { merchant_user: user } = admin.sandbox.access;
    admin.passwords.set(user.email, user.password);
    expect(
      (await admin.runRejected("webhooks", "send-missed", endpoint, ...ALL_TIME, "--by", user.email)).code,
    ).toBe("not_an_administrator");

    const { pool } = admin.sandbox.database;
    await pool.query("UPDATE receivers SET disabled_at = now(), disabled_reason = 'failing' WHERE id = $1", [
      endpoint,
    ]);
    for (const words of [ALL_TIME, [...ALL_TIME, "--dry-run"]])
      expect((await refusedSend(endpoint, ...words)).message).toContain("Enable a disabled endpoint first");
    expect(Number((await runMissed(endpoint)).never_sent)).toBeGreaterThan(0);
    await admin.runJson("webhooks", "remove", endpoint, ...by);
    expect((await refusedSend(endpoint)).code).toBe("not_found");
    expect((await admin.runRejected("webhooks", "missed", endpoint)).code).toBe("not_found");
  });
});
