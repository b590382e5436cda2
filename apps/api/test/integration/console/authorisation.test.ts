import {
  CONSOLE_RIGHTS,
  type ConsoleRight,
  hasRight,
  memberRoleSchema,
  receiverSecretResponseSchema,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { createOrder, createPaidOrder, REFUND_CREATED, readRefund } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import {
  addPartner,
  addRecipient,
  COMPLETED,
  lookUpRecipient,
  partnerApi,
  readPayout,
} from "../../support/partner.js";
import { errorOf, payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  addConsoleUser,
  addSecondFactor,
  type ConsoleParties,
  consoleClient,
  createConsoleParties,
  dataOf,
  merchantConsole,
  sessionTokenOf,
} from "./console-client.js";
import { ROUTE_RIGHTS } from "./route-rights.js";
import { callRoute, listConsoleRoutes, type Route, UNKNOWN_ID } from "./routes.js";

/** Calls every served route as each kind of caller that the route must reject. */

const { sandbox, server, merchantId } = await createTestApi();
const { pool, prisma } = sandbox.database;
let parties: ConsoleParties;
let routes: Route[];
const users = new Map<string, string>();
const userOf = (role: string): string => users.get(role) ?? "";
const routeRightOf = ({ method, pattern }: Pick<Route, "method" | "pattern">) =>
  ROUTE_RIGHTS[`${method} ${pattern}`] ?? { right: "nobody" as const };
const isRight = (right: string): right is ConsoleRight => right in CONSOLE_RIGHTS;
/** Lists the routes that require no session. */
const publicRoutes = () => routes.filter((route) => routeRightOf(route).right === "nobody");
const routesWithRight = () =>
  routes.flatMap((route) => {
    const { right, body } = routeRightOf(route);
    return isRight(right) ? [{ ...route, right, body }] : [];
  });
const call = (
  { method, path, body }: { method: "get" | "post"; path: string; body?: object | undefined },
  user: string,
) =>
  method === "get"
    ? consoleClient(server, sessionTokenOf(user)).get(path)
    : consoleClient(server, sessionTokenOf(user)).post(path, body);

/**
 * Computes a digest of every table except those that every request changes, such as sessions and request
 * counts.
 */
async function digestTables(): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'
       AND tablename NOT IN ('console_sessions', 'rate_limits', 'count_deltas', 'day_counts', 'span_counts')`,
  );
  const digests = tables.map(
    ({ name }) =>
      `SELECT '${name}' AS name, md5(string_agg(t::text, '' ORDER BY t::text)) AS digest FROM ${name} t`,
  );
  const { rows } = await pool.query<{ name: string; digest: string }>(digests.join(" UNION ALL "));
  return Object.fromEntries(rows.map(({ name, digest }) => [name, digest]));
}

async function expectNoChanges(work: () => Promise<void>): Promise<void> {
  const before = await digestTables();
  await work();
  expect(await digestTables()).toEqual(before);
}

beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
  for (const role of memberRoleSchema.options) {
    users.set(role, await addConsoleUser(sandbox, `${role}.one@example.com`, merchantId, role));
    await addSecondFactor(sandbox, userOf(role));
  }
  routes = await listConsoleRoutes({ ...server, databaseUrl: sandbox.url }, merchantId);
});

describe("console API authorisation", () => {
  it("declares a right for exactly the routes that are served", () => {
    expect(routes.map(({ method, pattern }) => `${method} ${pattern}`).sort()).toEqual(
      Object.keys(ROUTE_RIGHTS).sort(),
    );
  });

  it("rejects calls without a session on every route that is not public", async () => {
    expect(publicRoutes().length).toBeLessThan(12);
    await expectNoChanges(async () => {
      for (const route of routes.filter((item) => !publicRoutes().includes(item)))
        expect([route, errorOf(await callRoute(server, route))]).toEqual([
          route,
          { status: 401, texts: ["Not signed in"] },
        ]);
    });
  });

  it("rejects a session that has not passed its second factor, except on the second-factor routes", async () => {
    const user = await addConsoleUser(sandbox, "waiting@example.com", merchantId);
    await prisma.consoleSession.updateMany({ where: { userId: user }, data: { signedInAt: null } });
    const showing = (route: Route) => routeRightOf(route).right === "waiting session";
    await expectNoChanges(async () => {
      for (const route of routes.filter((item) => !publicRoutes().includes(item) && !showing(item)))
        expect([route, errorOf(await callRoute(server, route, sessionTokenOf(user)))]).toEqual([
          route,
          { status: 403, texts: ["A second factor is required"] },
        ]);
    });
    // 409: this console has no URL for passkeys.
    for (const route of routes.filter(showing))
      expect(route.method === "get" ? [200] : [400, 409]).toContain(
        (await callRoute(server, route, sessionTokenOf(user))).status,
      );
    expect((await consoleClient(server, sessionTokenOf(user)).post("/sign-out")).status).toBe(200);
  });

  it("hides a merchant from another merchant's member on every merchant route", async () => {
    await expectNoChanges(async () => {
      for (const route of routesWithRight())
        expect([route, errorOf(await call(route, parties.otherUser))]).toEqual([
          route,
          { status: 404, texts: ["Merchant not found"] },
        ]);
    });
  });

  it.each(memberRoleSchema.options)(
    "rejects requests on exactly the routes that the role %s does not allow",
    async (role) => {
      const [allowed, rejected] = [true, false].map((right) =>
        routesWithRight().filter((route) => hasRight(role, route.right) === right),
      );
      await expectNoChanges(async () => {
        for (const route of rejected ?? [])
          expect([route, errorOf(await call(route, userOf(role)))]).toEqual([
            route,
            { status: 403, texts: ["Your role does not allow this"] },
          ]);
      });
      // Without a body, so that permitted calls change nothing either.
      for (const { body: _body, ...route } of allowed ?? []) {
        const { status } = await call(route, userOf(role));
        expect([route, [200, 400, 404].includes(status)]).toEqual([route, true]);
      }
    },
  );

  it("requires a recently verified second factor for money and secrets", async () => {
    const user = await addConsoleUser(sandbox, "stale@example.com", merchantId);
    const fresh = routesWithRight().filter(({ right }) => CONSOLE_RIGHTS[right].fresh);
    const errorWith = async (sentence: string) => {
      await expectNoChanges(async () => {
        for (const route of fresh)
          expect([route, errorOf(await call(route, user))]).toEqual([
            route,
            { status: 403, texts: [sentence] },
          ]);
      });
    };
    await errorWith("Set up a second factor first");
    await addSecondFactor(sandbox, user);
    await pool.query(
      "UPDATE console_sessions SET second_factor_at = second_factor_at - interval '10 minutes' WHERE user_id = $1",
      [user],
    );
    await errorWith("Confirm this with your second factor");
  });
});

describe("/administration", () => {
  const ofAdministrators = () =>
    routes.flatMap((route) => {
      const { right, body } = routeRightOf(route);
      return right === "administrator" || right === "fresh administrator" ? [{ ...route, right, body }] : [];
    });

  it("rejects a merchant's owner on every route", async () => {
    await expectNoChanges(async () => {
      for (const route of ofAdministrators())
        expect([route, errorOf(await call(route, userOf("owner")))]).toEqual([
          route,
          { status: 403, texts: ["Your role does not allow this"] },
        ]);
    });
  });

  it("requires a recently verified second factor for every change", async () => {
    const age = (at: string) =>
      pool.query(`UPDATE console_sessions SET second_factor_at = ${at} WHERE user_id = $1`, [
        parties.administrator,
      ]);
    await age("now() - interval '10 minutes'");
    await expectNoChanges(async () => {
      for (const route of ofAdministrators()) {
        const response = await call(route, parties.administrator);
        if (route.method === "get")
          expect([route, [200, 404].includes(response.status)]).toEqual([route, true]);
        else
          expect([route, errorOf(response)]).toEqual([
            route,
            { status: 403, texts: ["Confirm this with your second factor"] },
          ]);
      }
    });
    await age("now()");
  });
});

describe("object-level authorisation", () => {
  async function receiverOf(of: { user: string; merchantId: string; mode: "sandbox" | "live" }) {
    const created = await merchantConsole(server, of).post("/receivers", {
      address: `https://${of.mode}.example/hook`,
      events: ["pos.order.cancelled", "pos.order.paid"],
    });
    return dataOf(receiverSecretResponseSchema, created).receiver_id;
  }

  it("hides objects of other merchants and modes, and changes nothing", async () => {
    const { otherId, otherUser } = parties;
    const other = payApi(server, sandbox.access.other_merchant);
    const live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
    const receiver = await receiverOf({ user: otherUser, merchantId: otherId, mode: "sandbox" });
    const { orderId: order, trxId } = await createPaidOrder(server, other);
    const refunded = await other.post("/refunds", { transaction_id: trxId, amount: 1 });
    const { refund_id: refund } = readRefund(refunded, REFUND_CREATED);
    const { id: event } = await prisma.event.findFirstOrThrow({ where: { orderId: order } });
    const { id: delivery } = await prisma.delivery.findFirstOrThrow({ where: { eventId: event } });
    const credentialIn = async (of: { merchantId: string; mode: "sandbox" | "live" }) =>
      (await prisma.credential.findFirstOrThrow({ where: of })).id;
    const partner = await addPartner(sandbox);
    const partners = partnerApi(server, partner.token);
    const { payout_id: payout } = readPayout(
      await partners.post("/payout", {
        lookup_token: await lookUpRecipient(partners, await addRecipient(sandbox)),
        amount: 5,
        sender_currency: "EUR",
        receiver_currency: "EUR",
        reference: "foreign",
        idempotency_key: "foreign",
      }),
      COMPLETED,
    );
    const batchOf = async (of: { merchantId: string; mode: "sandbox" | "live" }) =>
      (await prisma.payoutBatch.create({ data: { ...of, name: "foreign.csv", createdById: otherUser } })).id;
    const tillOf = async (of: { merchantId: string; mode: "sandbox" | "live" }) =>
      (
        await prisma.till.create({
          data: {
            ...of,
            name: "Foreign",
            terminalId: "f",
            currency: "EUR",
            token: of.mode,
            createdById: otherUser,
          },
        })
      ).id;
    const linkOf = async (of: { merchantId: string; mode: "sandbox" | "live" }) =>
      (
        await prisma.paymentLink.create({
          data: { ...of, description: "F", currency: "EUR", token: of.mode, createdById: otherUser },
        })
      ).id;
    const foreign: Record<string, string>[] = [
      {
        till: await tillOf({ merchantId: otherId, mode: "sandbox" }),
        link: await linkOf({ merchantId: otherId, mode: "sandbox" }),
        batch: await batchOf({ merchantId: otherId, mode: "sandbox" }),
        ...{ receiver, order, refund, payout, event, delivery, user: otherUser },
        credential: await credentialIn({ merchantId: otherId, mode: "sandbox" }),
      },
      {
        till: await tillOf({ merchantId, mode: "live" }),
        link: await linkOf({ merchantId, mode: "live" }),
        batch: await batchOf({ merchantId, mode: "live" }),
        receiver: await receiverOf({ user: userOf("owner"), merchantId, mode: "live" }),
        order: (await createOrder(live)).order_id,
        credential: await credentialIn({ merchantId, mode: "live" }),
      },
    ];
    for (const known of foreign) {
      await expectNoChanges(async () => {
        for (const { pattern, ...route } of routesWithRight()) {
          const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
          if (names.every((name) => ["merchant", "mode", "month", "date"].includes(name))) continue;
          const path = pattern
            .replace(":merchant", merchantId)
            .replace(":mode", "sandbox")
            .replace(":month", "2026-11")
            .replace(":date", "2026-11-21")
            .replace(/:(\w+)/g, (_, name: string) => known[name] ?? UNKNOWN_ID);
          const response = await call({ ...route, path }, userOf("owner"));
          // Dismissing an unknown notice succeeds.
          const status = pattern.endsWith("/dismiss") ? 200 : 404;
          expect([route.method, path, response.status]).toEqual([route.method, path, status]);
        }
      });
    }
  });
});
