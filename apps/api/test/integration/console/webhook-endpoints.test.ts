import {
  MAX_RECEIVERS,
  receiverListResponseSchema,
  receiverResponseSchema,
  receiverSecretResponseSchema,
  receiverTestResponseSchema,
} from "@tillgate/contract";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../support/api-process.js";
import { type FaultServer, type ReceivedWebhook, startFaultServer } from "../../support/fault-server.js";
import { errorOf, fieldError } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  type ConsoleClient,
  type ConsoleParties,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "./console-client.js";

let guarded: ApiProcess;
let parties: ConsoleParties;
let api: ConsoleClient;
let receiver: FaultServer;

const { sandbox, server } = await createTestApi({
  environment: { TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow" },
});
beforeAll(async () => {
  guarded = await sandbox.startApi();
  parties = await createConsoleParties(sandbox);
  api = merchantConsole(server, parties);
  receiver = await startFaultServer();
});
afterAll(() => receiver.close());

let createdCount = 0;
const EVENTS = ["pos.order.paid", "payout.failed"];
const fields = (changes: Record<string, unknown> = {}) => ({
  address: `http://127.0.0.1:1024/hook-${++createdCount}?key=secret`,
  events: EVENTS,
  ...changes,
});
const create = async (changes?: Record<string, unknown>, by = api) =>
  dataOf(receiverSecretResponseSchema.strict(), await by.post("/receivers", fields(changes)));
const show = async (id: string, by = api) =>
  dataOf(receiverResponseSchema.strict(), await by.get(`/receivers/${id}`));
const list = async (by = api) =>
  dataOf(receiverListResponseSchema.strict(), await by.get("/receivers")).receivers;
const remove = (id: string, by = api) => by.post(`/receivers/${id}/remove`);

/** Reads the audit records of an endpoint, oldest first. */
const audit = async (subject: string) =>
  (await sandbox.database.prisma.auditRecord.findMany({ where: { subject }, orderBy: { id: "asc" } })).map(
    ({ action, administrator, merchantId }) => ({ action, administrator, merchantId }),
  );

function verifies({ body, headers }: ReceivedWebhook, secret: string): boolean {
  const names = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  try {
    new Webhook(secret).verify(String(body), signed);
    return true;
  } catch {
    return false;
  }
}

describe("webhook endpoint in the console", () => {
  it("is created active, shows its secret once, and is recorded in the audit log under the user's name", async () => {
    const { secret, ...created } = await create();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(created).toMatchObject({
      state: "active",
      events: EVENTS,
      failures_in_row: 0,
      likely_cause: null,
    });
    const shown = await api.get(`/receivers/${created.receiver_id}`);
    expect(shown.text).not.toContain("whsec_");
    expect(await show(created.receiver_id)).toEqual(created);
    expect(await list()).toContainEqual(created);
    expect(await audit(created.receiver_id)).toEqual([
      {
        action: "receiver.create",
        administrator: sandbox.access.merchant_user.email,
        merchantId: parties.merchantId,
      },
    ]);
    const [record] = await sandbox.database.prisma.auditRecord.findMany({
      where: { subject: created.receiver_id },
    });
    expect(record?.details).toContain("127.0.0.1:1024");
    expect(record?.details).not.toContain("key=secret");
    await remove(created.receiver_id);
  });

  it("can have its URL and events changed; a request that changes nothing writes no audit record", async () => {
    const { receiver_id: id } = await create();
    const address = fields().address;
    const changed = await api.post(`/receivers/${id}`, {
      address,
      events: ["refund.failed", "refund.failed"],
    });
    expect(dataOf(receiverResponseSchema, changed)).toMatchObject({ address, events: ["refund.failed"] });
    await api.post(`/receivers/${id}`, { address });
    await api.post(`/receivers/${id}`, {});
    expect((await audit(id)).map(({ action }) => action)).toEqual(["receiver.create", "receiver.change"]);
    await remove(id);
  });

  it("records each pause, resumption, enabling and removal once on the timeline and in the audit log", async () => {
    const { receiver_id: id } = await create();
    const step = async (name: string) =>
      dataOf(receiverResponseSchema.strict(), await api.post(`/receivers/${id}/${name}`)).state;
    expect([await step("pause"), await step("pause")]).toEqual(["paused", "paused"]);
    expect([await step("resume"), await step("resume")]).toEqual(["active", "active"]);
    await sandbox.database.pool.query(
      `UPDATE receivers SET disabled_at = now(), disabled_reason = 'failing', failures_in_row = 9, failing_since = now() - interval '5 days',
         last_failure_at = now(), last_failure_kind = 'status', last_failure_status = 401 WHERE id = $1`,
      [id],
    );
    const disabled = await show(id);
    expect(disabled).toMatchObject({ state: "disabled", disabled_reason: "failing", failures_in_row: 9 });
    expect(disabled.likely_cause).toContain("uses the current secret");
    expect([await step("enable"), await step("enable")]).toEqual(["active", "active"]);
    expect(await show(id)).toMatchObject({ failures_in_row: 0, likely_cause: null, disabled_reason: null });
    await step("remove");
    expect(errorOf(await api.get(`/receivers/${id}`))).toEqual({
      status: 404,
      texts: ["Endpoint not found"],
    });
    expect((await remove(id)).status).toBe(404);
    const steps = ["pause", "resume", "enable", "remove"];
    expect((await audit(id)).map(({ action }) => action).slice(1)).toEqual(steps.map((s) => `receiver.${s}`));
    const entries = await sandbox.database.prisma.timelineEntry.findMany({
      where: { receiverId: id },
      orderBy: { id: "asc" },
    });
    expect(entries.map(({ kind }) => kind)).toEqual(
      ["paused", "resumed", "enabled", "removed"].map((s) => `receiver.${s}`),
    );
  });

  it("receives a test event signed with its secret, and with both secrets during a rotation", async () => {
    const { receiver_id: id, secret } = await create({ address: receiver.urlOf("/ok?receiver") });
    const test = async () =>
      dataOf(receiverTestResponseSchema.strict(), await api.post(`/receivers/${id}/test`));
    expect(await test()).toMatchObject({ delivered: true, http_status: 200, error: null });
    const rotated = dataOf(
      receiverSecretResponseSchema.strict(),
      await api.post(`/receivers/${id}/rotate-secret`),
    );
    expect(rotated.secret).not.toBe(secret);
    const untilMs = Date.parse(rotated.previous_secret_expires_at ?? "") - Date.now();
    expect(Math.round(untilMs / 3_600_000)).toBe(24);
    await test();
    await sandbox.database.pool.query(
      "UPDATE receivers SET previous_secret_expires_at = clock_timestamp() WHERE id = $1",
      [id],
    );
    await test();
    const received = receiver.requestsTo("/ok?receiver");
    expect(received.map((item) => [verifies(item, secret), verifies(item, rotated.secret)])).toEqual([
      [true, false],
      [true, true],
      [false, true],
    ]);
    expect((await show(id)).previous_secret_expires_at).toBeNull();
    await remove(id);
  });

  it("is verified by the first test event that it accepts with 2xx, until its URL changes", async () => {
    const { receiver_id: id } = await create({ address: receiver.urlOf("/500") });
    const test = () => api.post(`/receivers/${id}/test`);
    await test();
    const before = await show(id);
    expect(before.verified_at).toBeNull();
    const move = (path: string) => api.post(`/receivers/${id}`, { address: receiver.urlOf(path) });
    await move("/ok?verified");
    await test();
    const verified = await show(id);
    expect(verified.verified_at).not.toBeNull();
    expect(verified).toMatchObject({ last_success_at: null, failures_in_row: 0 });
    await test();
    await api.post(`/receivers/${id}`, { events: ["refund.completed"] });
    expect((await show(id)).verified_at).toBe(verified.verified_at);
    await move("/ok?elsewhere");
    expect((await show(id)).verified_at).toBeNull();
    await remove(id);
  });

  it("rejects a second rotation until the overlap has ended", async () => {
    const { receiver_id: id } = await create();
    const responses = await Promise.all(
      Array.from({ length: 4 }, () => api.post(`/receivers/${id}/rotate-secret`)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const rejected = responses.find(({ status }) => status === 409);
    expect(rejected && errorOf(rejected).texts).toEqual([
      "The secret was already rotated, and the old one is still valid",
    ]);
    await sandbox.database.pool.query(
      "UPDATE receivers SET previous_secret_expires_at = clock_timestamp() WHERE id = $1",
      [id],
    );
    expect((await api.post(`/receivers/${id}/rotate-secret`)).status).toBe(200);
    await remove(id);
  });

  it("accepts at most ten test events a minute", async () => {
    const { receiver_id: id } = await create();
    const fresh = merchantConsole(await sandbox.startApi(), {
      user: parties.administrator,
      merchantId: parties.otherId,
    });
    const other = await create({ address: "https://shop.example/limited" }, fresh);
    await sandbox.database.pool.query("DELETE FROM rate_limits");
    await sandbox.database.pool.query(
      "UPDATE receivers SET address = 'http://127.0.0.1:1024/x' WHERE id = $1",
      [other.receiver_id],
    );
    const statuses = [];
    for (let i = 0; i < 11; i++)
      statuses.push((await fresh.post(`/receivers/${other.receiver_id}/test`)).status);
    expect(statuses).toEqual([...Array(10).fill(200), 429]);
    await remove(id);
    await remove(other.receiver_id, fresh);
  });
});

describe("webhook endpoint limits", () => {
  const address = "must be an absolute http or https URL without credentials";
  it.each([
    ["address", undefined, "is required"],
    ["address", "", "is required"],
    ["address", "shop.example", address],
    ["address", "ftp://shop.example/", address],
    ["address", "https://user:secret@shop.example/", address],
    ["address", `https://shop.example/${"x".repeat(2028)}`, "must not be longer than 2048 characters"],
    ["events", undefined, "is required"],
    ["events", "pos.order.paid", "must be a list of event names"],
    ["events", [], "must contain at least one event"],
    ["events", ["pos.order.paid", "pos.order.made"], "must be event names"],
    ["events", ["tillgate.test"], "must be event names"],
  ])("reject %s %j", async (field, value, rest) => {
    const before = await list();
    expect(errorOf(await api.post("/receivers", fields({ [field]: value })))).toEqual(
      fieldError(field, rest),
    );
    expect(await list()).toEqual(before);
  });

  it("reject private addresses, local names and, in live mode, plain http and other ports", async () => {
    const by = { user: parties.user, merchantId: parties.merchantId };
    const strict = merchantConsole(guarded, by);
    const live = merchantConsole(server, { ...by, mode: "live" });
    for (const [console, one] of [
      [strict, "http://127.0.0.1/hook"],
      [strict, "https://10.0.0.7/hook"],
      [strict, "https://[fd00::1]/hook"],
      [strict, "https://169.254.169.254/latest"],
      [strict, "http://localhost:3000/hook"],
      [live, "http://shop.example/hook"],
      [live, "https://shop.example:8443/hook"],
    ] as const) {
      const response = errorOf(await console.post("/receivers", fields({ address: one })));
      expect(response.status).toBe(400);
      expect(response.fields?.address?.[0]).toContain("The address field cannot be used: ");
    }
    const { receiver_id: id } = await create({ address: "https://shop.example/hook" }, live);
    expect((await live.post(`/receivers/${id}`, { address: "http://shop.example/hook" })).status).toBe(400);
    expect((await show(id, live)).address).toBe("https://shop.example/hook");
    await remove(id, live);
  });

  it("reject the URL of another endpoint in the same mode, even when an endpoint is changed", async () => {
    const twice = "https://shop.example/twice";
    const first = await create({ address: twice });
    const second = await create();
    const exists = { status: 409, texts: ["An endpoint with this URL already exists"] };
    expect(errorOf(await api.post("/receivers", fields({ address: twice })))).toEqual(exists);
    expect(errorOf(await api.post(`/receivers/${second.receiver_id}`, { address: twice }))).toEqual(exists);
    const live = merchantConsole(server, { ...parties, mode: "live" });
    await remove((await create({ address: twice }, live)).receiver_id, live);
    await remove(first.receiver_id);
    const again = await create({ address: twice });
    await remove(again.receiver_id);
    await remove(second.receiver_id);
  });

  it(`allow at most ${MAX_RECEIVERS} endpoints per merchant and mode, even for concurrent requests`, async () => {
    expect(await list()).toEqual([]);
    const responses = await Promise.all(
      Array.from({ length: MAX_RECEIVERS + 3 }, () => api.post("/receivers", fields())),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(MAX_RECEIVERS);
    const rejected = responses.find(({ status }) => status !== 200);
    expect(rejected && errorOf(rejected)).toEqual({
      status: 409,
      texts: [`You've reached the limit of ${MAX_RECEIVERS} endpoints`],
    });
    const all = await list();
    expect(all).toHaveLength(MAX_RECEIVERS);
    await remove(all[0]?.receiver_id ?? "");
    expect((await api.post("/receivers", fields())).status).toBe(200);
    for (const { receiver_id: id } of await list()) await remove(id);
  });
});
