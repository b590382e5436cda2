import { randomUUID } from "node:crypto";
import { CONSOLE_PATH, receiverSecretResponseSchema, replayResponseSchema } from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { CONSOLE_KEY, INTERNAL_KEY } from "../../support/api-process.js";
import { createOrder } from "../../support/orders.js";
import { errorOf, payApi, send } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  addConsoleUser,
  type ConsoleParties,
  createConsoleParties,
  dataOf,
  merchantConsole,
  sessionTokenOf,
} from "./console-client.js";

let parties: ConsoleParties;
/** IDs of objects of the other merchant. */
let foreign: { receiver: string; delivery: string; event: string; replay: string };

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  const { otherId: merchantId, otherUser: user } = parties;
  const created = await merchantConsole(server, { user, merchantId }).post("/receivers", {
    address: "https://other.example/hook",
    events: ["pos.order.cancelled"],
  });
  const { receiver_id: receiver } = dataOf(receiverSecretResponseSchema, created);
  const shop = payApi(server, sandbox.access.other_merchant);
  const { order_id } = await createOrder(shop);
  await shop.post(`/orders/${order_id}/cancel`);
  const delivery = await sandbox.database.prisma.delivery.findFirstOrThrow({
    where: { receiverId: receiver },
  });
  const started = await merchantConsole(server, { user, merchantId }).post(
    `/receivers/${receiver}/replays`,
    {},
  );
  const { replay_id: replay } = dataOf(replayResponseSchema, started);
  foreign = { replay, receiver, delivery: delivery.id, event: delivery.eventId };
});

const RANGE = { from: "2026-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z" };

/** Webhook routes with the other merchant's IDs. */
const routes = (): [method: "get" | "post", path: string, body?: unknown][] => [
  ["get", `/receivers/${foreign.receiver}`],
  ["post", `/receivers/${foreign.receiver}`, { events: ["pos.order.paid"] }],
  ...["pause", "resume", "enable", "remove", "rotate-secret", "test"].map((step): ["post", string] => [
    "post",
    `/receivers/${foreign.receiver}/${step}`,
  ]),
  ["get", `/receivers/${foreign.receiver}/deliveries`],
  ["post", `/receivers/${foreign.receiver}/resend`, RANGE],
  ["get", `/receivers/${foreign.receiver}/replays`],
  ["get", `/receivers/${foreign.receiver}/replays/preview`],
  ["post", `/receivers/${foreign.receiver}/replays`, RANGE],
  ["post", `/replays/${foreign.replay}/cancel`],
  ["post", `/replays/${foreign.replay}/resume`],
  ["get", `/deliveries/${foreign.delivery}`],
  ["post", `/deliveries/${foreign.delivery}/resend`],
  ["get", `/events/${foreign.event}`],
];

const snapshot = async () => {
  const { rows } = await sandbox.database.pool.query(
    `SELECT (SELECT json_agg(r ORDER BY r.id)::text FROM receivers r) AS receivers, (SELECT json_agg(d ORDER BY d.id)::text FROM deliveries d) AS deliveries,
       (SELECT count(*)::int FROM audit_records) AS records, (SELECT count(*)::int FROM timeline_entries) AS entries`,
  );
  return rows;
};

describe("console API: webhook objects of another merchant", () => {
  it("are not found under the caller's merchant, nor under their own merchant in live mode, and do not change", async () => {
    const before = await snapshot();
    for (const [by, merchantId, mode] of [
      [parties.user, parties.merchantId, "sandbox"],
      [parties.administrator, parties.merchantId, "sandbox"],
      [parties.otherUser, parties.otherId, "live"],
    ] as const) {
      const api = merchantConsole(server, { user: by, merchantId, mode });
      for (const [method, path, body] of routes()) {
        const { status, texts } = errorOf(
          method === "get" ? await api.get(path) : await api.post(path, body),
        );
        expect([path, status, texts]).toEqual([
          path,
          404,
          [expect.stringMatching(/^(Endpoint|Delivery|Event|Replay) not found$/)],
        ]);
      }
    }
    expect(await snapshot()).toEqual(before);
  });

  it("are not found under their merchant's path for a user of another merchant", async () => {
    const before = await snapshot();
    const api = merchantConsole(server, { user: parties.user, merchantId: parties.otherId });
    const lists: [method: "get" | "post", path: string, body?: unknown][] = [
      ["get", "/receivers"],
      ["post", "/receivers", { address: "https://shop.example/", events: ["pos.order.paid"] }],
      ["get", "/events"],
      ["get", "/timeline"],
      ["post", "/resend", RANGE],
    ];
    for (const [method, path, body] of [...routes(), ...lists])
      expect(errorOf(method === "get" ? await api.get(path) : await api.post(path, body))).toEqual({
        status: 404,
        texts: ["Merchant not found"],
      });
    expect(await snapshot()).toEqual(before);
  });

  it("can be read and changed by an administrator, who is recorded as the author in the audit log", async () => {
    const api = merchantConsole(server, { user: parties.administrator, merchantId: parties.otherId });
    expect((await api.get(`/receivers/${foreign.receiver}`)).status).toBe(200);
    expect((await api.post(`/receivers/${foreign.receiver}/pause`)).status).toBe(200);
    const record = await sandbox.database.prisma.auditRecord.findFirstOrThrow({
      where: { action: "receiver.pause" },
    });
    expect(record).toMatchObject({
      administrator: sandbox.access.administrator.email,
      merchantId: parties.otherId,
      subject: foreign.receiver,
    });
  });
});

describe("malformed and unknown IDs in the console API", () => {
  it.each(["none", "%00", "'", randomUUID(), "00000000-0000-0000-0000-000000000000"])(
    "are rejected with 404 as an endpoint, delivery, event or merchant ID: %s",
    async (id) => {
      const api = merchantConsole(server, parties);
      for (const path of [
        `/receivers/${id}`,
        `/receivers/${id}/deliveries`,
        `/deliveries/${id}`,
        `/events/${id}`,
      ])
        expect((await api.get(path)).status).toBe(404);
      expect(
        (await merchantConsole(server, { user: parties.administrator, merchantId: id }).get("/events"))
          .status,
      ).toBe(404);
    },
  );
});

describe("console API", () => {
  it("responds as for an unknown route if the console's internal key is missing or wrong, and rejects unknown sessions", async () => {
    const address = `${server.url}${CONSOLE_PATH}/merchants/${parties.merchantId}/sandbox/receivers`;
    const user = { "x-tillgate-console-session": sessionTokenOf(parties.user) };
    for (const key of [undefined, "", "x", INTERNAL_KEY, `${CONSOLE_KEY}x`])
      expect(
        errorOf(
          await send(address, {
            headers: { ...user, ...(key === undefined ? {} : { "x-tillgate-internal-key": key }) },
          }),
        ),
      ).toEqual({ status: 404, texts: ["Unknown route"] });
    for (const stranger of ["", "none", randomUUID(), parties.merchantId]) {
      const response = await merchantConsole(server, { user: stranger, merchantId: parties.merchantId }).get(
        "/receivers",
      );
      expect(errorOf(response)).toEqual({ status: 401, texts: ["Not signed in"] });
      expect(response.headers.get("www-authenticate")).toBeNull();
    }
  });

  it("accepts live but not test as the mode", async () => {
    const headers = {
      "x-tillgate-internal-key": CONSOLE_KEY,
      "x-tillgate-console-session": sessionTokenOf(parties.user),
    };
    const address = `${server.url}${CONSOLE_PATH}/merchants/${parties.merchantId}`;
    expect((await send(`${address}/live/receivers`, { headers })).status).toBe(200);
    expect((await send(`${address}/test/receivers`, { headers })).status).toBe(404);
  });

  it("rejects a user's next request after the user is removed or moved to another merchant", async () => {
    const { prisma } = sandbox.database;
    const id = await addConsoleUser(sandbox, "leaving@example.com", parties.merchantId);
    const api = merchantConsole(server, { user: id, merchantId: parties.merchantId });
    expect((await api.get("/events")).status).toBe(200);
    await prisma.consoleMember.updateMany({ where: { userId: id }, data: { merchantId: parties.otherId } });
    expect((await api.get("/events")).status).toBe(404);
    await prisma.consoleUser.delete({ where: { id } });
    expect((await api.get("/events")).status).toBe(401);
  });
});
