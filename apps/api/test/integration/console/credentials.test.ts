import {
  CONNECT_PATH,
  consoleCredentialListResponseSchema,
  consoleCredentialSecretResponseSchema,
  consoleHomeResponseSchema,
  consoleRevokedCredentialResponseSchema,
  memberListResponseSchema,
  PARTNER_API_PATHS,
  PAY_API_PATH,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { createApp } from "../../../src/http/app.js";
import { startListener } from "../../../src/platform/listener.js";
import { basic, errorCodeOf, errorOf, payApi, send } from "../../support/requests.js";
import { expectNoWrites } from "../../support/rows.js";
import { createTestApi } from "../../support/test-api.js";
import { servedRoutes } from "../documents/served-routes.js";
import {
  addConsoleUser,
  addSecondFactor,
  type ConsoleClient,
  consoleClient,
  createConsoleParties,
  dataOf,
  merchantConsole,
  sessionTokenOf,
} from "./console-client.js";
import { UNKNOWN_ID } from "./routes.js";

const { sandbox, server, merchantId } = await createTestApi();
const [PARTNER] = PARTNER_API_PATHS;
const orderSchema = z.object({ data: z.object({ order_id: z.string() }) });
const accessSchema = z.object({ data: z.object({ access_token: z.string() }) });
let shop: ConsoleClient;
let user: string;
beforeAll(async () => {
  ({ user } = await createConsoleParties(sandbox));
  shop = merchantConsole(server, { user, merchantId });
});

const list = async () =>
  dataOf(consoleCredentialListResponseSchema, await shop.get("/credentials")).credentials;
const statusOf = async (id: string) =>
  (await list()).find(({ credential_id }) => credential_id === id)?.standing;
const works = async (client: { client_id: string | null; secret: string }) =>
  (await payApi(server, { client_id: client.client_id ?? "", client_secret: client.secret }).get("/orders"))
    .status;

const writingRoutes = (base: string) =>
  servedPaths.flatMap((route) => {
    const [method = "", path = ""] = route.split(" ");
    const asksForToken = path.endsWith("/authentication/token");
    return method === "post" && path.startsWith(base) && !asksForToken
      ? [path.replace(/:\w+/g, UNKNOWN_ID)]
      : [];
  });
let servedPaths: string[];
beforeAll(async () => {
  const listener = startListener({ directUrl: sandbox.url, log: server.context.log });
  servedPaths = servedRoutes(createApp({ ...server, listener, apis: { open: true, internal: false } }), [
    ...Object.values(PAY_API_PATH),
    ...PARTNER_API_PATHS,
    CONNECT_PATH,
  ]);
  await listener.close();
});

const basicAuth = ({ client_id, secret }: { client_id: string | null; secret: string }) =>
  basic({ client_id: client_id ?? "", client_secret: secret });
const request = (path: string, authorization: string, body?: object) =>
  send(server.url + path, {
    headers: { authorization, "content-type": "application/json" },
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
  });

it("credentials in the console are created with a secret that is shown once, rotated with an overlap, and revoked, all with audit records", async () => {
  const created = dataOf(
    consoleCredentialSecretResponseSchema,
    await shop.post("/credentials", { kind: "client" }),
  );
  expect(await works(created)).toBe(200);
  const [newest] = await list();
  expect(newest).toMatchObject({ credential_id: created.credential_id, scope: "pay", standing: "active" });
  expect(JSON.stringify(await list())).not.toContain(created.secret);

  const rotate = () => shop.post(`/credentials/${created.credential_id}/rotate`, { overlap_seconds: 3_600 });
  const rotated = dataOf(consoleCredentialSecretResponseSchema, await rotate());
  expect(rotated).toMatchObject({ client_id: created.client_id, old_secret_expires_at: expect.any(String) });
  expect([await works(created), await works(rotated)]).toEqual([200, 200]);
  expect(await statusOf(created.credential_id)).toBe("rotated_out");
  const rejected = await rotate();
  expect(errorCodeOf(rejected).code).toBe("rotation_under_way");
  expect(errorOf(rejected)).toEqual({
    status: 409,
    texts: ["The key was already rotated, or its old secret is still valid"],
  });
  const { attention } = dataOf(consoleHomeResponseSchema, await shop.get("/home"));
  expect(attention).toMatchObject([
    { kind: "credential_ending", id: created.credential_id, title: created.client_id },
  ]);

  const revoke = async () =>
    dataOf(
      consoleRevokedCredentialResponseSchema,
      await shop.post(`/credentials/${rotated.credential_id}/revoke`),
    );
  expect([await revoke(), await revoke()]).toEqual([{ revoked: true }, { revoked: false }]);
  expect([await works(created), await works(rotated)]).toEqual([401, 401]);
  const records = await sandbox.database.prisma.auditRecord.findMany({
    where: { action: { startsWith: "credential." } },
    orderBy: { number: "asc" },
  });
  expect(records.map(({ action, administratorId }) => [action, administratorId])).toEqual([
    ["credential.create", user],
    ["credential.rotate", user],
    ["credential.revoke", user],
  ]);
  expect(server.logs()).not.toContain(created.secret);
});

it("credentials in the console can be renamed, with an audit record, and keep their name through a rotation", async () => {
  const { credential_id: id } = dataOf(
    consoleCredentialSecretResponseSchema,
    await shop.post("/credentials", { kind: "client", name: "Till in Ghent" }),
  );
  const named = async () =>
    (await list()).flatMap(({ standing, name }) => (standing === "active" ? [name] : []))[0];
  expect(await named()).toBe("Till in Ghent");
  for (const [name, status] of [
    ["N".repeat(100), 200],
    ["N".repeat(101), 400],
    ["Till \u202Etnehg", 400],
    ["Till in Bruges", 200],
  ] as const)
    expect((await shop.post(`/credentials/${id}`, { name })).status).toBe(status);
  await shop.post(`/credentials/${id}/rotate`);
  expect(await named()).toBe("Till in Bruges");
  const record = await sandbox.database.prisma.auditRecord.findFirstOrThrow({
    where: { action: "credential.rename", subject: id },
    orderBy: { number: "desc" },
  });
  expect(record).toMatchObject({ administratorId: user, details: expect.stringContaining("Till in Bruges") });
  await shop.post(`/credentials/${id}`, {});
  expect((await list()).find(({ credential_id }) => credential_id === id)?.name).toBeNull();
});

it("an API token created in the console has the scope of the Partner API, and an unknown kind is rejected", async () => {
  const created = dataOf(
    consoleCredentialSecretResponseSchema,
    await shop.post("/credentials", { kind: "api_token" }),
  );
  expect(created).toMatchObject({ client_id: null, kind: "api_token" });
  expect((await list())[0]).toMatchObject({ scope: "partner", credential_id: created.credential_id });
  expect(errorOf(await shop.post("/credentials", { kind: "master" })).fields).toEqual({
    kind: ["The kind field must be one of client, api_token"],
  });
});

describe("read-only credential", () => {
  const make = async (kind: string, readOnly: unknown = true) =>
    dataOf(
      consoleCredentialSecretResponseSchema,
      await shop.post("/credentials", { kind, read_only: readOnly }),
    );
  it("is rejected by every writing route of both APIs, even after a rotation, but can read orders and balances", async () => {
    const [client, token] = [await make("client"), await make("api_token")];
    expect((await list()).slice(0, 2).map(({ read_only }) => read_only)).toEqual([true, true]);
    const rotated = dataOf(
      consoleCredentialSecretResponseSchema,
      await shop.post(`/credentials/${client.credential_id}/rotate`, {}),
    );
    const access = await request(`${PAY_API_PATH.sandbox}/authentication/token`, "", {
      client_id: client.client_id,
      secret_id: client.secret,
    });
    const { access_token } = accessSchema.parse(access.body).data;
    const [pay, partner] = [writingRoutes(PAY_API_PATH.sandbox), writingRoutes(PARTNER)];
    expect([pay.length, partner.length]).toEqual([23, 3]);
    await sandbox.database.pool.query("UPDATE merchants SET partner_api_enabled = true WHERE id = $1", [
      merchantId,
    ]);
    for (const [paths, keys] of [
      [pay, [basicAuth(client), basicAuth(rotated)]],
      [partner, [`Bearer ${token.secret}`]],
    ] as const)
      for (const key of keys)
        for (const path of paths) {
          const response = await request(
            path,
            path.includes("/payment/") ? `Bearer ${access_token}` : key,
            {},
          );
          expect([path, response.status, response.text]).toEqual([
            path,
            403,
            expect.stringContaining("read_only_credential"),
          ]);
        }
    expect((await request(`${PAY_API_PATH.sandbox}/orders`, basicAuth(rotated))).status).toBe(200);
    expect((await request(`${PARTNER}/balance`, `Bearer ${token.secret}`)).status).toBe(200);
  });

  it("is created only if read_only is true; a non-boolean read_only is rejected", async () => {
    expect((await shop.post("/credentials", { kind: "client", read_only: "yes" })).status).toBe(400);
    await make("client", false);
    expect((await list())[0]?.read_only).toBe(false);
  });
});

describe("order-only credential", () => {
  it("can create, cancel and read orders, and gets 403 from every writing route outside orders and payments, even after a rotation", async () => {
    const created = dataOf(
      consoleCredentialSecretResponseSchema,
      await shop.post("/credentials", { kind: "client", order_only: true }),
    );
    expect((await list())[0]).toMatchObject({ order_only: true, read_only: false });
    const rotated = dataOf(
      consoleCredentialSecretResponseSchema,
      await shop.post(`/credentials/${created.credential_id}/rotate`, {}),
    );
    for (const { client_id, secret } of [created, rotated]) {
      const key = payApi(server, { client_id: client_id ?? "", client_secret: secret });
      const { status, body } = await key.post("/orders", { amount: 5, currency: "EUR" });
      const { order_id } = orderSchema.parse(body).data;
      expect([status, (await key.get(`/orders/${order_id}`)).status]).toEqual([200, 200]);
      expect((await key.post(`/orders/${order_id}/cancel`)).status).toBe(200);
      const others = writingRoutes(PAY_API_PATH.sandbox).filter(
        (path) => !/\/orders|\/payment\/create/.test(path),
      );
      expect(others).toHaveLength(19);
      for (const path of others) {
        const response = await request(path, basicAuth({ client_id, secret }), {});
        expect([path, response.status, response.text]).toEqual([
          ...[path, 403, expect.stringContaining("order_only_credential")],
        ]);
      }
    }
  });

  it("must be a Pay API client, and cannot also be read-only", async () => {
    for (const fields of [{ kind: "api_token" }, { kind: "client", read_only: true }])
      expect(errorOf(await shop.post("/credentials", { ...fields, order_only: true })).status).toBe(422);
  });
});

describe("reports-only credential", () => {
  let finance: ConsoleClient;
  beforeAll(async () => {
    const id = await addConsoleUser(sandbox, "finance@example.com", merchantId, "finance");
    await addSecondFactor(sandbox, id);
    finance = merchantConsole(server, { user: id, merchantId });
  });
  const create = async (by: ConsoleClient) =>
    dataOf(
      consoleCredentialSecretResponseSchema,
      await by.post("/credentials", { kind: "client", reports_only: true }),
    );

  it("can read reports, and gets 403 for account, balances, orders, refunds and events and from every writing route, even after a rotation", async () => {
    const created = await create(finance);
    expect((await list())[0]).toMatchObject({ reports_only: true, read_only: true, order_only: false });
    const path = `/credentials/${created.credential_id}`;
    const rotated = dataOf(consoleCredentialSecretResponseSchema, await finance.post(`${path}/rotate`, {}));
    for (const { client_id, secret } of [created, rotated]) {
      const access = { client_id: client_id ?? "", client_secret: secret };
      const key = payApi(server, access);
      for (const report of ["wallets", "EUR/2026-01-01", "EUR/feed"])
        expect((await key.get(`/reports/${report}`)).status).toBe(200);
      for (const other of [
        "/account",
        "/balances",
        "/balances/EUR/entries",
        "/orders",
        "/refunds",
        "/events",
      ]) {
        const response = await key.get(other);
        expect([other, response.status, response.text]).toEqual([
          ...[other, 403, expect.stringContaining("reports_only_credential")],
        ]);
      }
      for (const route of writingRoutes(PAY_API_PATH.sandbox))
        expect((await request(route, basicAuth({ client_id, secret }), {})).status).toBe(403);
    }
    expect((await finance.post(`/credentials/${rotated.credential_id}/revoke`)).status).toBe(200);
  });

  it("can be created and renamed by finance, who cannot create, rotate, revoke or rename a read-only key", async () => {
    const { credential_id } = dataOf(
      consoleCredentialSecretResponseSchema,
      await shop.post("/credentials", { kind: "client", read_only: true }),
    );
    for (const [path, fields] of [
      ["/credentials", { kind: "client", read_only: true }],
      [`/credentials/${credential_id}/rotate`, {}],
      [`/credentials/${credential_id}/revoke`, {}],
      [`/credentials/${credential_id}`, { name: "Theirs" }],
    ] as const)
      expect((await expectNoWrites(sandbox, () => finance.post(path, fields))).status).toBe(403);
    const own = await create(finance);
    expect((await finance.post(`/credentials/${own.credential_id}`, { name: "Accountant" })).status).toBe(
      200,
    );
  });

  it("must be a Pay API client, and cannot also be order-only", async () => {
    for (const fields of [{ kind: "api_token" }, { kind: "client", order_only: true }])
      expect(errorOf(await shop.post("/credentials", { ...fields, reports_only: true })).status).toBe(422);
  });
});

describe("credentials that a developer creates", () => {
  const NOT_ALLOWED = { status: 403, texts: ["Your role does not allow this"] };
  let developer: ConsoleClient;
  beforeAll(async () => {
    const id = await addConsoleUser(sandbox, "developer@example.com", merchantId, "developer");
    await addSecondFactor(sandbox, id);
    developer = merchantConsole(server, { user: id, merchantId });
  });
  const created = async (by: ConsoleClient, fields: object) =>
    dataOf(consoleCredentialSecretResponseSchema, await by.post("/credentials", fields));

  it.each(["client", "api_token"])("cannot be of kind %s with full access", async (kind) => {
    expect(
      await expectNoWrites(sandbox, async () => errorOf(await developer.post("/credentials", { kind }))),
    ).toEqual(NOT_ALLOWED);
  });

  it("can be read-only or order-only, and can be rotated if they are order-only", async () => {
    const readOnly = await created(developer, { kind: "api_token", read_only: true });
    const orderOnly = await created(developer, { kind: "client", order_only: true });
    expect((await list()).slice(0, 2)).toMatchObject([
      { credential_id: orderOnly.credential_id, created_by: "developer@example.com" },
      { credential_id: readOnly.credential_id, created_by: "developer@example.com" },
    ]);
    const path = `/credentials/${orderOnly.credential_id}/rotate`;
    expect((await developer.post(path, {})).status).toBe(200);
  });

  it("cannot replace an owner's credential, which the developer can revoke but not rotate", async () => {
    const { credential_id } = await created(shop, { kind: "client" });
    const rotate = () => developer.post(`/credentials/${credential_id}/rotate`, {});
    expect(await expectNoWrites(sandbox, async () => errorOf(await rotate()))).toEqual(NOT_ALLOWED);
    expect((await developer.post(`/credentials/${credential_id}/revoke`)).status).toBe(200);
  });

  it("can be renamed by the developer, who can also rename an owner's credentials", async () => {
    for (const key of [
      await created(developer, { kind: "client", order_only: true }),
      await created(shop, { kind: "client" }),
    ])
      expect((await developer.post(`/credentials/${key.credential_id}`, { name: "Till" })).status).toBe(200);
  });

  it.each([
    ["are revoked when the owner removes the developer and revokes the credentials", true],
    ["stay active when the owner removes the developer without revoking them", false],
  ])("%s", async (_what, revoke) => {
    const email = `leaving.${revoke}@example.com`;
    const leaving = await addConsoleUser(sandbox, email, merchantId, "developer");
    await addSecondFactor(sandbox, leaving);
    const key = await created(merchantConsole(server, { user: leaving, merchantId }), {
      kind: "client",
      order_only: true,
    });
    const other = await created(shop, { kind: "client" });
    const members = consoleClient(server, sessionTokenOf(user));
    const path = `/merchants/${merchantId}/members`;
    const before = dataOf(memberListResponseSchema, await members.get(path)).members;
    expect(before.find((member) => member.email === email)?.keys).toBe(1);
    expect((await members.post(`${path}/${leaving}/remove`, { revoke_keys: revoke })).status).toBe(200);
    expect([await statusOf(key.credential_id), await statusOf(other.credential_id)]).toEqual([
      ...[revoke ? "revoked" : "active", "active"],
    ]);
    const records = await sandbox.database.prisma.auditRecord.findMany({
      where: { action: "credential.revoke", subject: key.credential_id },
    });
    expect(records.map(({ administratorId }) => administratorId)).toEqual(revoke ? [user] : []);
  });
});
