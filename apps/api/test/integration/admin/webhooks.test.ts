import { randomUUID } from "node:crypto";
import { createOrderRequestSchema } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { cancelOrder } from "../../../src/money/orders/cancel.js";
import { createOrder } from "../../../src/money/orders/create.js";
import { type FaultServer, startFaultServer } from "../../support/fault-server.js";
import { type AdminCli, openAdminCli } from "./admin-cli.js";

let admin: AdminCli;
let by: string[];
let merchant: string;
let credentialId: string;
const ORDER = createOrderRequestSchema.parse({ amount: 41.5, currency: "EUR" });
let receiver: FaultServer;

beforeAll(async () => {
  admin = await openAdminCli();
  by = ["--by", admin.first];
  const { client_id: clientId } = admin.sandbox.access.merchant;
  ({ id: credentialId, merchantId: merchant } =
    await admin.sandbox.database.prisma.credential.findFirstOrThrow({
      where: { clientId },
    }));
  receiver = await startFaultServer();
});
afterAll(async () => {
  await receiver.close();
  await admin.close();
});

let createdCount = 0;
const add = (...words: string[]) =>
  admin.runJson(
    "webhooks",
    "add",
    merchant,
    "--mode",
    "sandbox",
    "--url",
    `https://shop.example/${++createdCount}`,
    "--events",
    "pos.order.cancelled,payout.failed",
    ...by,
    ...words,
  );
const idOf = ({ endpoint }: Record<string, unknown>): string => z.uuid().parse(endpoint);
const execute = (sql: string, values: unknown[]) => admin.sandbox.database.pool.query(sql, values);
const actions = async () =>
  (await admin.auditRecords()).map(({ action }) => action).filter((a) => a.startsWith("receiver."));

async function failedDelivery(endpoint: string): Promise<string> {
  const client = { merchantId: merchant, mode: "sandbox", credentialId } as const;
  const { order } = await createOrder(admin.context, client, ORDER, "req_test");
  await cancelOrder(admin.context, client, order.id);
  const { rows } = await execute(
    `UPDATE deliveries d SET status = 'failed', settled_at = now(), given_up_because = 'attempts_over', attempt_count = 1
     FROM events e WHERE e.id = d.event_id AND e.order_id = $1 AND d.receiver_id = $2 RETURNING d.id`,
    [order.id, endpoint],
  );
  const [{ id }] = z.tuple([z.object({ id: z.uuid() })]).parse(rows);
  await execute(
    `INSERT INTO attempts (delivery_id, number, started_at, latency_ms, http_status, error_kind, request_headers)
     VALUES ($1, 1, now(), 12, 404, 'status', '{}')`,
    [id],
  );
  return id;
}

describe("admin webhooks", () => {
  it("adds an endpoint with a secret shown once, lists it with its health, changes it, and audits each step", async () => {
    const added = await add();
    expect(added.secret).toMatch(/^whsec_/);
    expect(added).toMatchObject({
      mode: "sandbox",
      state: "active",
      events: "pos.order.cancelled,payout.failed",
    });
    const changed = await admin.runJson(
      "webhooks",
      "change",
      idOf(added),
      "--events",
      "refund.completed",
      ...by,
    );
    expect(changed).toMatchObject({ message: "Endpoint updated.", events: "refund.completed" });
    const again = await admin.runJson(
      "webhooks",
      "change",
      idOf(added),
      "--events",
      "refund.completed",
      ...by,
    );
    expect(again.message).toBe("Nothing changed; the endpoint is already set this way.");
    const listed = await admin.runList("webhooks", "list", merchant, "--mode", "sandbox");
    expect(listed).toMatchObject([{ endpoint: idOf(added), events: "refund.completed", last_success: null }]);
    expect(JSON.stringify(listed)).not.toContain("whsec_");
    expect(await admin.runList("webhooks", "list", merchant, "--mode", "live")).toEqual([]);
    expect(await actions()).toEqual(["receiver.create", "receiver.change"]);
  });

  it("pauses, resumes, enables and removes an endpoint and rotates its secret, with one audit record each; --dry-run writes none and shows no secret", async () => {
    const endpoint = idOf(await add());
    const before = await actions();
    const dry = await add("--dry-run");
    expect(dry).toMatchObject({ dry_run: true });
    expect(dry).not.toHaveProperty("secret");
    for (const step of ["pause", "remove", "rotate-secret"]) {
      const reported = await admin.runJson("webhooks", step, endpoint, ...by, "--dry-run");
      expect(reported).not.toHaveProperty("secret");
    }
    expect(await actions()).toEqual(before);
    expect(await admin.runJson("webhooks", "pause", endpoint, ...by)).toMatchObject({ state: "paused" });
    expect(await admin.runJson("webhooks", "pause", endpoint, ...by)).toMatchObject({ changed: false });
    expect(await admin.runJson("webhooks", "resume", endpoint, ...by)).toMatchObject({ state: "active" });
    expect((await admin.runJson("webhooks", "rotate-secret", endpoint, ...by)).secret).toMatch(/^whsec_/);
    expect((await admin.runRejected("webhooks", "rotate-secret", endpoint, ...by)).code).toBe(
      "already_exists",
    );
    await execute("UPDATE receivers SET disabled_at = now(), disabled_reason = 'gone' WHERE id = $1", [
      endpoint,
    ]);
    expect(await admin.runJson("webhooks", "enable", endpoint, ...by)).toMatchObject({ state: "active" });
    await admin.runJson("webhooks", "remove", endpoint, ...by);
    expect((await admin.runRejected("webhooks", "pause", endpoint, ...by)).code).toBe("not_found");
    expect((await actions()).slice(before.length)).toEqual(
      ["pause", "resume", "rotate_secret", "enable", "remove"].map((step) => `receiver.${step}`),
    );
    expect(admin.notified).toContain(endpoint);
    const timeline = await admin.runList(
      "webhooks",
      "timeline",
      merchant,
      "--mode",
      "sandbox",
      "--limit",
      "2",
    );
    expect(timeline.map(({ what }) => what)).toEqual(["receiver.removed", "receiver.enabled"]);
  });

  it("rejects blocked URLs, a duplicate URL, unknown IDs and unknown events", async () => {
    const to = (url: string, mode = "live") =>
      admin.runRejected(
        "webhooks",
        "add",
        merchant,
        "--mode",
        mode,
        "--url",
        url,
        "--events",
        "pos.order.paid",
        ...by,
      );
    expect((await to("http://shop.example/hook")).message).toContain("live mode delivers only to https URLs");
    expect((await to("http://127.0.0.1/hook", "sandbox")).code).toBe("invalid_value");
    const { address } = await add();
    expect((await to(String(address), "sandbox")).code).toBe("already_exists");
    for (const command of ["pause", "remove", "rotate-secret"])
      expect((await admin.runRejected("webhooks", command, randomUUID(), ...by)).code).toBe("not_found");
    for (const command of ["test", "deliveries", "attempts"])
      expect((await admin.runRejected("webhooks", command, "none")).code).toBe("not_found");
    const usage = await admin.run(
      "webhooks",
      "add",
      merchant,
      "--mode",
      "live",
      "--url",
      "x",
      "--events",
      "y",
    );
    expect(usage).toMatchObject({ exit: 2 });
    expect(usage.error).toContain("--url must be an absolute http or https URL");
    expect(usage.error).toContain("--events must be from this list: pos.order.paid");
  });

  it("sends no test event to a loopback address, and prints the reason", async () => {
    const endpoint = idOf(await add());
    // Bypasses the address guard, which rejects loopback.
    await execute("UPDATE receivers SET address = $2 WHERE id = $1", [endpoint, receiver.urlOf("/ok?admin")]);
    expect(await admin.runJson("webhooks", "test", endpoint)).toMatchObject({
      message: "The test failed.",
      delivered: false,
      error: "refused_address",
    });
    expect(receiver.received).toEqual([]);
  });

  it("lists failed deliveries and the likely cause of an attempt, and resends deliveries individually or by range", async () => {
    const endpoint = idOf(await add());
    const [first, second] = [await failedDelivery(endpoint), await failedDelivery(endpoint)];
    const failed = await admin.runList("webhooks", "deliveries", endpoint, "--failed");
    expect(failed.map(({ delivery }) => delivery)).toEqual([second, first]);
    expect(await admin.runList("webhooks", "attempts", first)).toMatchObject([
      { number: 1, http_status: 404, likely_cause: expect.stringContaining("nothing at this URL") },
    ]);
    for (const words of [["--dry-run"], []])
      expect(await admin.runJson("webhooks", "resend", first, ...by, ...words)).toMatchObject({
        changed: true,
      });
    for (const words of [["--dry-run"], []])
      expect(await admin.runJson("webhooks", "resend", first, ...by, ...words)).toMatchObject({
        changed: false,
      });
    const range = (from: string, to: string, ...words: string[]) => [
      "webhooks",
      "resend-failed",
      merchant,
      "--mode",
      "sandbox",
      "--from",
      from,
      "--to",
      to,
      "--endpoint",
      endpoint,
      ...by,
      ...words,
    ];
    const [from, to] = ["2026-01-01T00:00:00Z", "2100-01-01T00:00:00Z"];
    expect(await admin.runJson(...range(from, to, "--dry-run"))).toMatchObject({ failed: 1, skipped: 0 });
    expect((await admin.runRejected(...range(to, from))).message).toContain("--to must be later");
    expect(await admin.runJson(...range(from, to))).toMatchObject({ resent: 1, skipped: 0 });
    expect(await admin.runJson(...range(from, to))).toMatchObject({ resent: 0 });
    expect(await admin.runList("webhooks", "deliveries", endpoint, "--failed")).toEqual([]);
    expect((await actions()).slice(-2)).toEqual(["receiver.resend_delivery", "receiver.resend_failed"]);
    await execute("UPDATE receivers SET disabled_at = now(), disabled_reason = 'gone' WHERE id = $1", [
      endpoint,
    ]);
    for (const words of [["--dry-run"], []])
      expect((await admin.runRejected("webhooks", "resend", second, ...by, ...words)).message).toContain(
        "Enable a disabled endpoint first",
      );
    await execute(
      "UPDATE deliveries SET status = 'failed', settled_at = now(), given_up_because = 'gone' WHERE id = $1",
      [second],
    );
    expect(await admin.runJson(...range(from, to, "--dry-run"))).toMatchObject({ failed: 1, skipped: 1 });
    expect(await admin.runJson(...range(from, to))).toMatchObject({ resent: 0, skipped: 1 });
  });
});
