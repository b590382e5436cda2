import {
  CONSOLE_RIGHTS,
  type ConsoleRight,
  hasRight,
  memberRoleSchema,
  receiverSecretResponseSchema,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { createOrder, paidOrder, REFUND_CREATED, readRefund } from "../../support/orders.js";
import { addLiveSide } from "../../support/parties.js";
import {
  addPartner,
  addRecipient,
  COMPLETED,
  lookUp,
  partnerApi,
  readPayout,
} from "../../support/partner.js";
import { payApi, told } from "../../support/requests.js";
import { sceneOfFile } from "../../support/scene.js";
import {
  addConsoleUser,
  type ConsoleParties,
  consoleApi,
  consoleParties,
  dataOf,
  edgeOf,
  sessionOf,
  showFactor,
} from "./console-api.js";
import { ROUTE_RIGHTS } from "./route-rights.js";
import { callRoute, consoleRoutesOf, NOTHING, type Route } from "./routes.js";

/** Suites that only try what must be refused, over every route that is served. */

const { sandbox, server, merchantId } = await sceneOfFile();
const { pool, prisma } = sandbox.database;
let parties: ConsoleParties;
let routes: Route[];
const users = new Map<string, string>();
const userOf = (role: string): string => users.get(role) ?? "";
const guardOf = ({ method, pattern }: Pick<Route, "method" | "pattern">) =>
  ROUTE_RIGHTS[`${method} ${pattern}`] ?? { right: "nobody" as const };
const isRight = (right: string): right is ConsoleRight => right in CONSOLE_RIGHTS;
/** The routes that ask for no session. */
const open = () => routes.filter((route) => guardOf(route).right === "nobody");
/** The routes that ask for a right. */
const guarded = () =>
  routes.flatMap((route) => {
    const { right, body } = guardOf(route);
    return isRight(right) ? [{ ...route, right, body }] : [];
  });
const call = (
  { method, path, body }: { method: "get" | "post"; path: string; body?: object | undefined },
  user: string,
) =>
  method === "get"
    ? edgeOf(server, sessionOf(user)).get(path)
    : edgeOf(server, sessionOf(user)).post(path, body);

/** Every row of every table but what any call may change: when a session was used, how many calls there were. */
async function everything(): Promise<Record<string, string>> {
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

async function changesNothing(work: () => Promise<void>): Promise<void> {
  const before = await everything();
  await work();
  expect(await everything()).toEqual(before);
}

beforeAll(async () => {
  parties = await consoleParties(sandbox);
  for (const role of memberRoleSchema.options) {
    users.set(role, await addConsoleUser(sandbox, `${role}.one@example.com`, merchantId, role));
    await showFactor(sandbox, userOf(role));
  }
  routes = await consoleRoutesOf({ ...server, databaseUrl: sandbox.url }, merchantId);
});

describe("console API authorisation", () => {
  it("has a declared right for exactly the routes that are served", () => {
    expect(routes.map(({ method, pattern }) => `${method} ${pattern}`).sort()).toEqual(
      Object.keys(ROUTE_RIGHTS).sort(),
    );
  });

  it("rejects every call without a session", async () => {
    expect(open().length).toBeLessThan(12);
    await changesNothing(async () => {
      for (const route of routes.filter((one) => !open().includes(one)))
        expect([route, told(await callRoute(server, route))]).toEqual([
          route,
          { status: 401, texts: ["Nobody is signed in"] },
        ]);
    });
  });

  it("rejects a session that has not passed its second factor, except for the second-factor routes", async () => {
    const user = await addConsoleUser(sandbox, "waiting@example.com", merchantId);
    await prisma.consoleSession.updateMany({ where: { userId: user }, data: { signedInAt: null } });
    const showing = (route: Route) => guardOf(route).right === "waiting session";
    await changesNothing(async () => {
      for (const route of routes.filter((one) => !open().includes(one) && !showing(one)))
        expect([route, told(await callRoute(server, route, sessionOf(user)))]).toEqual([
          route,
          { status: 403, texts: ["The second factor is needed"] },
        ]);
    });
    // 409: this console has no address for passkeys.
    for (const route of routes.filter(showing))
      expect(route.method === "get" ? [200] : [400, 409]).toContain(
        (await callRoute(server, route, sessionOf(user))).status,
      );
    expect((await edgeOf(server, sessionOf(user)).post("/sign-out")).status).toBe(200);
  });

  it("hides a merchant from members of another, whatever their role", async () => {
    await changesNothing(async () => {
      for (const route of guarded())
        expect([route, told(await call(route, parties.otherUser))]).toEqual([
          route,
          { status: 404, texts: ["Merchant not found"] },
        ]);
    });
  });

  it.each(memberRoleSchema.options)(
    "rejects a %s on exactly the routes that the role does not allow",
    async (role) => {
      const [allowed, refused] = [true, false].map((right) =>
        guarded().filter((route) => hasRight(role, route.right) === right),
      );
      await changesNothing(async () => {
        for (const route of refused ?? [])
          expect([route, told(await call(route, userOf(role)))]).toEqual([
            route,
            { status: 403, texts: ["Your role does not allow this"] },
          ]);
      });
      // Without a body, so that what is allowed changes nothing either.
      for (const { body: _body, ...route } of allowed ?? []) {
        const { status } = await call(route, userOf(role));
        expect([route, [200, 400, 404].includes(status)]).toEqual([route, true]);
      }
    },
  );

  it("requires a fresh second factor for money and secrets", async () => {
    const user = await addConsoleUser(sandbox, "stale@example.com", merchantId);
    const fresh = guarded().filter(({ right }) => CONSOLE_RIGHTS[right].fresh);
    const errorWith = async (sentence: string) => {
      await changesNothing(async () => {
        for (const route of fresh)
          expect([route, told(await call(route, user))]).toEqual([route, { status: 403, texts: [sentence] }]);
      });
    };
    await errorWith("Set up a second factor first");
    await showFactor(sandbox, user);
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
      const { right, body } = guardOf(route);
      return right === "administrator" || right === "fresh administrator" ? [{ ...route, right, body }] : [];
    });

  it("rejects every merchant's user, whatever the role", async () => {
    await changesNothing(async () => {
      for (const route of ofAdministrators())
        expect([route, told(await call(route, userOf("owner")))]).toEqual([
          route,
          { status: 403, texts: ["Your role does not allow this"] },
        ]);
    });
  });

  it("requires a fresh second factor for every change", async () => {
    const age = (at: string) =>
      pool.query(`UPDATE console_sessions SET second_factor_at = ${at} WHERE user_id = $1`, [
        parties.administrator,
      ]);
    await age("now() - interval '10 minutes'");
    await changesNothing(async () => {
      for (const route of ofAdministrators()) {
        const answer = await call(route, parties.administrator);
        if (route.right === "administrator")
          expect([route, [200, 404].includes(answer.status)]).toEqual([route, true]);
        else
          expect([route, told(answer)]).toEqual([
            route,
            { status: 403, texts: ["Confirm this with your second factor"] },
          ]);
      }
    });
    await age("now()");
  });
});

describe("object-level authorisation", () => {
  /** An endpoint of one merchant and mode. */
  async function receiverOf(of: { user: string; merchantId: string; mode: "sandbox" | "live" }) {
    const made = await consoleApi(server, of).post("/receivers", {
      address: `https://${of.mode}.example/hook`,
      events: ["pos.order.cancelled", "pos.order.paid"],
    });
    return dataOf(receiverSecretResponseSchema, made).receiver_id;
  }

  it("hides IDs of another merchant or mode, and nothing is changed", async () => {
    const { otherId, otherUser } = parties;
    const other = payApi(server, sandbox.access.other_merchant);
    const live = payApi(server, await addLiveSide(sandbox, sandbox.access.merchant.client_id), "live");
    const receiver = await receiverOf({ user: otherUser, merchantId: otherId, mode: "sandbox" });
    const { orderId: order, trxId } = await paidOrder(server, other);
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
        lookup_token: await lookUp(partners, await addRecipient(sandbox)),
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
      await changesNothing(async () => {
        for (const { pattern, ...route } of guarded()) {
          const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = ""]) => name);
          if (names.every((name) => ["merchant", "mode"].includes(name))) continue;
          const path = pattern
            .replace(":merchant", merchantId)
            .replace(":mode", "sandbox")
            .replace(/:(\w+)/g, (_, name: string) => known[name] ?? NOTHING);
          const answer = await call({ ...route, path }, userOf("owner"));
          // A notice that is not there is as good as dismissed.
          const status = pattern.endsWith("/dismiss") ? 200 : 404;
          expect([route.method, path, answer.status]).toEqual([route.method, path, status]);
        }
      });
    }
  });
});
