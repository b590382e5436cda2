import {
  deliveryListResponseSchema,
  type ReceiverDelivery,
  receiverSecretResponseSchema,
  resendFailedResponseSchema,
} from "@tillgate/contract";
import { beforeAll, expect, it } from "vitest";
import { createOrder } from "../../support/orders.js";
import { payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  type ConsoleClient,
  type ConsoleParties,
  createConsoleParties,
  dataOf,
  merchantConsole,
} from "./console-client.js";

const { sandbox, server, api: shop } = await createTestApi();
const { pool } = sandbox.database;
let parties: ConsoleParties;
let api: ConsoleClient;
let first: string;

const addReceiver = async (host: string, by = api) =>
  dataOf(
    receiverSecretResponseSchema,
    await by.post("/receivers", { address: `https://${host}.example/hook`, events: ["pos.order.cancelled"] }),
  ).receiver_id;
const cancelOrder = async (by = shop) => {
  const { order_id } = await createOrder(by, { callback_url: "https://callback.example/" });
  await by.post(`/orders/${order_id}/cancel`);
};

beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  api = merchantConsole(server, parties);
  first = await addReceiver("first");
  await addReceiver("second");
  for (let orders = 0; orders < 3; orders += 1) await cancelOrder();
  await cancelOrder(payApi(server, sandbox.access.other_merchant));
});

const read = async (query: Record<string, string> = {}) =>
  dataOf(deliveryListResponseSchema, await api.get("/deliveries", query));
const settle = (status: "delivered" | "failed", only = "true") =>
  pool.query(
    `UPDATE deliveries SET status = $1, settled_at = clock_timestamp(), given_up_because = $2
     WHERE status NOT IN ('delivered', 'failed') AND ${only}`,
    [status, status === "failed" ? "attempts_over" : null],
  );

it("GET /deliveries of the console lists the deliveries to all of the merchant's endpoints and callback URLs, newest first, without gaps", async () => {
  const all: ReceiverDelivery[] = [];
  let before: string | null = "";
  while (before !== null) {
    const page: { deliveries: ReceiverDelivery[]; next: string | null } = await read({
      per_page: "2",
      ...(before === "" ? {} : { before }),
    });
    expect(page.deliveries.length).toBeLessThanOrEqual(2);
    all.push(...page.deliveries);
    before = page.next;
  }
  expect(new Set(all.map(({ delivery_id }) => delivery_id)).size).toBe(9);
  expect(all).toHaveLength(9);
  expect(new Set(all.map(({ address }) => new URL(address).hostname))).toEqual(
    new Set(["first.example", "second.example", "callback.example"]),
  );
  const created = all.map(({ created_at }) => created_at);
  expect(created).toEqual([...created].sort().reverse());
  await settle("failed", `receiver_id = '${first}'`);
  expect((await read({ status: "failed" })).deliveries).toHaveLength(3);
  const { rows } = await pool.query("SELECT id FROM deliveries WHERE merchant_id = $1", [parties.otherId]);
  for (const position of ["none", rows[0].id]) {
    const { status } = await api.get("/deliveries", { before: position });
    expect(status).toBe(400);
  }
});

it("POST /resend of the console resends each completed delivery in a range once for concurrent calls with the same as_of, and writes an audit record", async () => {
  await settle("delivered");
  const { rows } = await pool.query("SELECT clock_timestamp() AS now");
  const range = {
    from: "2026-01-01T00:00:00Z",
    to: "2100-01-01T00:00:00Z",
    as_of: rows[0].now.toISOString(),
  };
  const request = async (body: object, path = "/resend") =>
    dataOf(resendFailedResponseSchema, await api.post(path, { ...range, ...body }));
  await pool.query(
    "UPDATE deliveries SET settled_at = settled_at - interval '1 second' WHERE settled_at IS NOT NULL",
  );
  expect(await request({ what: "failed" }, `/receivers/${first}/resend`)).toMatchObject({ resent: 3 });
  const both = await Promise.all([request({ what: "all" }), request({ what: "all" })]);
  expect(both.reduce((sum, { resent }) => sum + resent, 0)).toBe(6);
  await settle("delivered");
  expect(await request({ what: "all" })).toMatchObject({ resent: 0, more: false });
  expect(await request({ what: "all", as_of: undefined })).toMatchObject({ resent: 9 });
  expect((await api.post("/resend", { ...range, what: "some" })).status).toBe(400);
  const records = await sandbox.database.prisma.auditRecord.findMany({
    where: { administratorId: parties.user, action: { startsWith: "receiver.resend" } },
  });
  expect(new Set(records.map(({ action }) => action))).toEqual(
    new Set(["receiver.resend_failed", "receiver.resend_all"]),
  );
  const theirs = await pool.query("SELECT DISTINCT status::text FROM deliveries WHERE merchant_id = $1", [
    parties.otherId,
  ]);
  expect(theirs.rows).toEqual([{ status: "delivered" }]);
});
