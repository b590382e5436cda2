import {
  endpointListResponseSchema,
  endpointResponseSchema,
  endpointSecretResponseSchema,
  eventNames,
  MAX_RECEIVERS,
  resendDeliveryResponseSchema,
  testWebhookResponseSchema,
  webhookDeliveryListResponseSchema,
  webhookDeliveryResponseSchema,
} from "@tillgate/contract";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { verifyAudit } from "../../../src/audit/verify.js";
import { type FaultServer, startFaultServer } from "../../support/fault-server.js";
import { createOrder } from "../../support/orders.js";
import { addCredential, addLiveCredential, addMerchantWallet } from "../../support/parties.js";
import { type ApiResponse, errorCodeOf, errorOf, fieldError, payApi } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api, merchantId } = await createTestApi({
  environment: { TILLGATE_WEBHOOK_PRIVATE_ADDRESSES: "allow" },
});
const ENDPOINTS = "/webhooks/endpoints";
const DELIVERIES = "/webhooks/deliveries";
const NOT_FOUND = { status: 404, texts: ["Endpoint not found"] };
const { pool } = sandbox.database;

let receiver: FaultServer;
beforeAll(async () => {
  receiver = await startFaultServer();
});
afterAll(() => receiver.close());

/** Parses the data of a successful response. Fails on unknown fields. */
function dataOf<Schema extends z.ZodObject<{ data: z.ZodObject; message: z.ZodType }>>(
  schema: Schema,
  { status, body, text }: ApiResponse,
): z.output<Schema>["data"] {
  expect({ status, text }).toMatchObject({ status: 200 });
  return schema.extend({ data: schema.shape.data.strict() }).parse(body).data;
}

let createdCount = 0;
const fields = (changes: Record<string, unknown> = {}) => ({
  address: `http://127.0.0.1:1024/hook-${++createdCount}?key=secret`,
  events: ["pos.order.cancelled"],
  ...changes,
});
const add = async (changes?: Record<string, unknown>, by = api) =>
  dataOf(endpointSecretResponseSchema, await by.post(ENDPOINTS, fields(changes)));
const show = async (id: string) => dataOf(endpointResponseSchema, await api.get(`${ENDPOINTS}/${id}`));
const step = (id: string, name: string, by = api) => by.post(`${ENDPOINTS}/${id}/${name}`);
const stateAfter = async (id: string, name: string) =>
  dataOf(endpointResponseSchema, await step(id, name)).state;
const recordsOf = (subject: string) =>
  sandbox.database.prisma.auditRecord.findMany({ where: { subject }, orderBy: { id: "asc" } });

describe("/webhooks/endpoints", () => {
  it("creates an active endpoint, shows its secret once, and records the client ID in the audit log", async () => {
    const { secret, ...added } = await add();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(added).toMatchObject({ state: "active", events: ["pos.order.cancelled"], failures_in_row: 0 });
    expect(await show(added.endpoint_id)).toEqual(added);
    const listed = await api.get(ENDPOINTS);
    expect(listed.text).not.toContain("whsec_");
    expect(dataOf(endpointListResponseSchema, listed).endpoints).toContainEqual(added);
    const [record, ...others] = await recordsOf(added.endpoint_id);
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      action: "receiver.create",
      administrator: sandbox.access.merchant.client_id,
      administratorId: null,
      merchantId,
    });
    expect(JSON.parse(record?.details ?? "")).toMatchObject({
      mode: "sandbox",
      host: "127.0.0.1:1024",
      request_id: expect.stringMatching(/^req_/),
    });
    await step(added.endpoint_id, "remove");
  });

  it("changes only the fields in the request, with an audit record only if something changes", async () => {
    const { endpoint_id: id, address } = await add();
    const changed = await api.post(`${ENDPOINTS}/${id}`, { address: null, events: ["refund.failed"] });
    expect(dataOf(endpointResponseSchema, changed)).toMatchObject({ address, events: ["refund.failed"] });
    await api.post(`${ENDPOINTS}/${id}`, { address });
    await api.post(`${ENDPOINTS}/${id}`, {});
    expect((await recordsOf(id)).map(({ action }) => action)).toEqual(["receiver.create", "receiver.change"]);
    await step(id, "remove");
  });

  it("pauses, resumes, enables and removes an endpoint, and audits each step once", async () => {
    const { endpoint_id: id } = await add();
    expect([await stateAfter(id, "pause"), await stateAfter(id, "pause")]).toEqual(["paused", "paused"]);
    expect([await stateAfter(id, "resume"), await stateAfter(id, "resume")]).toEqual(["active", "active"]);
    await pool.query("UPDATE receivers SET disabled_at = now(), disabled_reason = 'failing' WHERE id = $1", [
      id,
    ]);
    expect((await show(id)).state).toBe("disabled");
    expect([await stateAfter(id, "enable"), await stateAfter(id, "enable")]).toEqual(["active", "active"]);
    await step(id, "remove");
    expect(errorOf(await step(id, "remove"))).toEqual(NOT_FOUND);
    expect(errorOf(await api.get(`${ENDPOINTS}/${id}`))).toEqual(NOT_FOUND);
    expect((await recordsOf(id)).map(({ action }) => action)).toEqual(
      ["create", "pause", "resume", "enable", "remove"].map((item) => `receiver.${item}`),
    );
    expect(await verifyAudit(server.context)).toMatchObject({ sound: true, violations: [] });
  });

  it("sends test events signed with both secrets during a rotation, and allows one rotation at a time", async () => {
    const { endpoint_id: id, secret } = await add({ address: receiver.urlOf("/ok") });
    const rotated = dataOf(endpointSecretResponseSchema, await step(id, "rotate-secret"));
    expect(rotated.secret).not.toBe(secret);
    expect(rotated.previous_secret_expires_at).not.toBeNull();
    const rejected = await expectNoWrites(sandbox, () => step(id, "rotate-secret"));
    expect([rejected.status, errorCodeOf(rejected).code]).toEqual([409, "receiver_rotation_under_way"]);
    expect(dataOf(testWebhookResponseSchema, await step(id, "test"))).toMatchObject({ delivered: true });
    const received = receiver.received.at(-1);
    for (const one of [secret, rotated.secret])
      new Webhook(one).verify(String(received?.body), {
        "webhook-id": String(received?.headers["webhook-id"]),
        "webhook-timestamp": String(received?.headers["webhook-timestamp"]),
        "webhook-signature": String(received?.headers["webhook-signature"]),
      });
    expect((await show(id)).verified_at).not.toBeNull();
    await step(id, "remove");
  });

  it.each([
    [{ address: undefined }, "address", "is required"],
    [{ address: "tillgate" }, "address", "must be an absolute http or https URL without credentials"],
    [
      { address: `http://127.0.0.1:1024/${"a".repeat(2_028)}` },
      "address",
      "must not be longer than 2048 characters",
    ],
    [{ events: undefined }, "events", "is required"],
    [{ events: [] }, "events", "must contain at least one event"],
    [{ events: ["pos.order.made"] }, "events", "must be event names"],
    [{ events: ["tillgate.test"] }, "events", "must be event names"],
    [{ events: "pos.order.paid" }, "events", "must be a list of event names"],
  ])("rejects %j and writes nothing", async (changes, field, rest) => {
    const rejected = await expectNoWrites(sandbox, () => api.post(ENDPOINTS, fields(changes)));
    expect(errorOf(rejected)).toEqual(fieldError(field, rest));
  });

  it("accepts the longest URL and every event", async () => {
    const address = `http://127.0.0.1:1024/${"a".repeat(2_027 - 1)}`;
    expect(address).toHaveLength(2_048);
    const { endpoint_id: id } = await add({ address, events: eventNames });
    expect(await show(id)).toMatchObject({ address, events: eventNames });
    await step(id, "remove");
  });

  it("rejects a duplicate URL, and endpoints above the maximum", async () => {
    const { endpoints } = dataOf(endpointListResponseSchema, await api.get(ENDPOINTS));
    const added = [];
    for (let i = endpoints.length; i < MAX_RECEIVERS; i++) added.push(await add());
    const duplicate = await api.post(`${ENDPOINTS}/${added[0]?.endpoint_id}`, { address: added[1]?.address });
    expect([duplicate.status, errorCodeOf(duplicate).code]).toEqual([409, "receiver_exists"]);
    const many = await expectNoWrites(sandbox, () => api.post(ENDPOINTS, fields()));
    expect([many.status, errorCodeOf(many).code]).toEqual([409, "too_many_receivers"]);
    for (const { endpoint_id: id } of added) await step(id, "remove");
  });

  it("rejects private URLs if public URLs are required", async () => {
    const guarded = payApi(await sandbox.startApi(), sandbox.access.merchant);
    const rejected = await expectNoWrites(sandbox, () => guarded.post(ENDPOINTS, fields()));
    expect(errorCodeOf(rejected)).toEqual({ code: "invalid_fields", param: "address" });
  });

  it("returns 404 for endpoints of another merchant or mode", async () => {
    const { endpoint_id: id } = await add();
    const live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
    for (const other of [payApi(server, sandbox.access.other_merchant), live]) {
      expect(errorOf(await other.get(`${ENDPOINTS}/${id}`))).toEqual(NOT_FOUND);
      expect(errorOf(await other.get(DELIVERIES, { endpoint_id: id }))).toEqual(NOT_FOUND);
      for (const name of ["", "/pause", "/resume", "/enable", "/remove", "/rotate-secret", "/test"]) {
        const response = await expectNoWrites(sandbox, () => other.post(`${ENDPOINTS}/${id}${name}`));
        expect(errorOf(response)).toEqual(NOT_FOUND);
      }
      expect(dataOf(endpointListResponseSchema, await other.get(ENDPOINTS)).endpoints).toEqual([]);
    }
    await step(id, "remove");
  });
});

describe("/webhooks/deliveries", () => {
  let endpoint: string;
  beforeAll(async () => {
    endpoint = (await add()).endpoint_id;
    for (let i = 0; i < 5; i++) {
      const callback = i === 0 ? { callback_url: "http://127.0.0.1:1024/own" } : {};
      const { order_id } = await createOrder(api, callback);
      await api.post(`/orders/${order_id}/simulate`, { outcome: "cancelled" });
    }
  });

  const list = async (query: Record<string, string> = {}, by = api) =>
    dataOf(webhookDeliveryListResponseSchema, await by.get(DELIVERIES, query));

  async function walk(query: Record<string, string>) {
    const found = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await list({ ...query, per_page: "2", ...(cursor === "" ? {} : { cursor }) });
      expect(page.deliveries.length).toBeLessThanOrEqual(2);
      found.push(...page.deliveries);
      cursor = page.next_cursor;
    }
    return found;
  }

  it("lists every delivery once, page by page, optionally for one endpoint", async () => {
    const all = await walk({});
    expect(all).toHaveLength(6);
    expect(new Set(all.map(({ delivery_id }) => delivery_id)).size).toBe(6);
    expect(all.filter(({ endpoint_id }) => endpoint_id === null).map(({ address }) => address)).toEqual([
      "http://127.0.0.1:1024/own",
    ]);
    // Created within one millisecond, as in a busy shop.
    await sandbox.executeAsSuperuser(`
      SET session_replication_role = replica;
      UPDATE deliveries SET created_at = date_trunc('milliseconds', now()) + n * interval '100 microseconds'
      FROM (SELECT id, row_number() OVER (ORDER BY id DESC) AS n FROM deliveries) AS numbered WHERE numbered.id = deliveries.id`);
    const ofEndpoint = await walk({ endpoint_id: endpoint });
    expect(ofEndpoint.map(({ endpoint_id }) => endpoint_id)).toEqual(Array(5).fill(endpoint));
    expect(await walk({ status: "failed" })).toEqual([]);
  });

  it("shows why a delivery failed, and resends it once", async () => {
    const [first] = (await list({ endpoint_id: endpoint })).deliveries;
    const id = first?.delivery_id ?? "";
    await pool.query(
      "UPDATE deliveries SET status = 'failed', settled_at = now(), given_up_because = 'attempts_over' WHERE id = $1",
      [id],
    );
    expect((await walk({ status: "failed" })).map(({ delivery_id }) => delivery_id)).toEqual([id]);
    const shown = dataOf(webhookDeliveryResponseSchema, await api.get(`${DELIVERIES}/${id}`));
    expect(shown).toMatchObject({ status: "failed", given_up_because: "attempts_over", history: [] });
    const resend = async () =>
      dataOf(resendDeliveryResponseSchema, await api.post(`${DELIVERIES}/${id}/resend`)).already_waiting;
    expect([await resend(), await resend()]).toEqual([false, true]);
    expect(await recordsOf(id)).toMatchObject([
      { action: "receiver.resend_delivery", administrator: sandbox.access.merchant.client_id },
    ]);
  });

  it.each([
    [{ cursor: "elsewhere" }, "cursor", "must be the next_cursor from an earlier response"],
    [{ cursor: "" }, "cursor", "must be the next_cursor from an earlier response"],
    [{ cursor: "x".repeat(65) }, "cursor", "must be the next_cursor from an earlier response"],
    [{ status: "queued" }, "status", "must be one of failed"],
    [{ per_page: "101" }, "per_page", "must be a whole number from 1 to 100"],
    [{ endpoint_id: "" }, "endpoint_id", "must not be blank"],
  ])("rejects the query %j", async (query, field, rest) => {
    expect(errorOf(await api.get(DELIVERIES, query))).toEqual(fieldError(field, rest));
  });

  it("rejects the cursor of a delivery outside the endpoint's list", async () => {
    const own = (await walk({})).find(({ endpoint_id }) => endpoint_id === null);
    const query = { endpoint_id: endpoint, cursor: own?.delivery_id ?? "" };
    expect(errorCodeOf(await api.get(DELIVERIES, query)).param).toBe("cursor");
  });

  it("returns 404 for another merchant's deliveries, and rejects their IDs as cursors", async () => {
    const [first] = (await list()).deliveries;
    const id = first?.delivery_id ?? "";
    const other = payApi(server, sandbox.access.other_merchant);
    const notFound = { status: 404, texts: ["Delivery not found"] };
    for (const foreign of [id, "none"]) {
      expect(errorOf(await other.get(`${DELIVERIES}/${foreign}`))).toEqual(notFound);
      const resent = await expectNoWrites(sandbox, () => other.post(`${DELIVERIES}/${foreign}/resend`));
      expect(errorOf(resent)).toEqual(notFound);
    }
    expect((await list({}, other)).deliveries).toEqual([]);
    expect(errorCodeOf(await other.get(DELIVERIES, { cursor: id })).param).toBe("cursor");
  });

  it("rejects resending to a removed endpoint", async () => {
    const [first] = (await list({ endpoint_id: endpoint })).deliveries;
    await step(endpoint, "remove");
    const rejected = await expectNoWrites(sandbox, () =>
      api.post(`${DELIVERIES}/${first?.delivery_id}/resend`),
    );
    expect([rejected.status, errorCodeOf(rejected).code]).toEqual([409, "receiver_inactive"]);
  });
});

it("a live endpoint requires an https URL, and is not accessible with a sandbox credential", async () => {
  const { other_merchant } = sandbox.access;
  const { merchantId: other } = await sandbox.database.prisma.credential.findFirstOrThrow({
    where: { clientId: other_merchant.client_id },
  });
  await addMerchantWallet(sandbox, other, "live", "EUR");
  const live = payApi(server, await addCredential(sandbox, other, "live"), "live");
  expect(errorCodeOf(await live.post(ENDPOINTS, fields())).param).toBe("address");
  const added = await add({ address: "https://127.0.0.1/hook" }, live);
  const inSandbox = payApi(server, other_merchant);
  expect(errorOf(await inSandbox.get(`${ENDPOINTS}/${added.endpoint_id}`))).toEqual(NOT_FOUND);
  expect((await payApi(server, other_merchant, "live").get(ENDPOINTS)).status).toBe(401);
});
