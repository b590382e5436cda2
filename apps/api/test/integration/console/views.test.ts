import {
  consoleViewResponseSchema,
  consoleViewsResponseSchema,
  MAX_VIEWS,
  normalizeViewQuery,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";
import {
  addConsoleUser,
  type ConsoleClient,
  consoleClient,
  createConsoleParties,
  dataOf,
  merchantConsole,
  sessionTokenOf,
} from "./console-client.js";
import { UNKNOWN_ID } from "./routes.js";

const { sandbox, server, merchantId } = await createTestApi();
const { prisma } = sandbox.database;
let owner: ConsoleClient;
let shop: ConsoleClient;
let ownerId: string;
let viewerId: string;

beforeAll(async () => {
  ({ user: ownerId } = await createConsoleParties(sandbox));
  owner = merchantConsole(server, { user: ownerId, merchantId });
  viewerId = await addConsoleUser(sandbox, "views@example.com", merchantId, "viewer");
  shop = merchantConsole(server, { user: viewerId, merchantId });
});

const PAID = { list: "orders", name: "Paid", query: "status=PAID" };
const save = async (fields: object, of = shop) =>
  dataOf(consoleViewResponseSchema, await of.post("/views", fields)).view;
const namesOf = async (list: string, of = shop) =>
  dataOf(consoleViewsResponseSchema, await of.get("/views", { list })).views.map(({ name }) => name);

describe("saved view", () => {
  it("stores filters and columns in canonical form, without paging parameters", async () => {
    const query = "columns=trx_id,amount&before=POS-1&method=&status=PAID%20&per_page=5&unknown=1&q=a%20b";
    const view = await save({ list: "orders", name: " Paid ones ", query });
    expect(view).toMatchObject({ name: "Paid ones", query: "q=a+b&status=PAID&columns=trx_id%2Camount" });
    expect(normalizeViewQuery("orders", view.query)).toBe(view.query);
    expect(await namesOf("orders")).toEqual(["Paid ones"]);
    expect(await namesOf("refunds")).toEqual([]);
  });

  it.each([
    ["an empty query", { ...PAID, name: "x", query: "before=POS-1&q=" }],
    ["an invalid filter value", { ...PAID, name: "x", query: "status=LOST" }],
    ["a filter of another list", { list: "refunds", name: "x", query: "method=both" }],
    ["an unknown column", { ...PAID, name: "x", query: "columns=secret" }],
    ["an unknown list", { ...PAID, list: "members" }],
    ["a blank name", { ...PAID, name: "  " }],
    ["a name of 61 characters", { ...PAID, name: "x".repeat(61) }],
  ])("is rejected with %s", async (_, fields) => {
    expect(errorOf(await shop.post("/views", fields)).status).toBe(400);
  });

  it("is saved once for concurrent requests, and its name cannot be reused in the same list", async () => {
    const [one, again] = await Promise.all([save(PAID), save(PAID)]);
    expect(one).toEqual(again);
    expect(errorOf(await shop.post("/views", { ...PAID, query: "status=EXPIRED" }))).toEqual({
      status: 409,
      texts: ["A view with this name already exists"],
    });
    expect(await save({ ...PAID, list: "payouts", query: "status=pending" })).toMatchObject({ name: "Paid" });
  });

  it("can be renamed to an unused name, and removed once", async () => {
    const [{ view_id }] = [await save({ ...PAID, name: "One" }), await save({ ...PAID, name: "Two" })];
    expect(errorOf(await shop.post(`/views/${view_id}`, { name: "Two" })).status).toBe(409);
    const renamed = dataOf(
      consoleViewResponseSchema,
      await shop.post(`/views/${view_id}`, { name: "First" }),
    );
    expect(renamed.view).toEqual({ view_id, name: "First", query: "status=PAID" });
    const removals = await Promise.all([1, 2].map(() => shop.post(`/views/${view_id}/remove`)));
    expect(removals.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await namesOf("orders")).not.toContain("First");
  });

  it("is private to its user, merchant and mode", async () => {
    const { view_id } = await save({ ...PAID, name: "Mine" });
    const parties = await prisma.consoleMember.findFirstOrThrow({
      where: { merchantId: { not: merchantId } },
      select: { userId: true, merchantId: true },
    });
    const strangers = [
      owner,
      merchantConsole(server, { user: viewerId, merchantId, mode: "live" }),
      merchantConsole(server, { user: parties.userId, merchantId: parties.merchantId }),
    ];
    for (const stranger of strangers) {
      expect(await namesOf("orders", stranger)).toEqual([]);
      for (const [path, fields] of [
        [`/views/${view_id}`, { name: "Theirs" }],
        [`/views/${view_id}/remove`, {}],
        [`/views/${UNKNOWN_ID}/remove`, {}],
        ["/views/none/remove", {}],
      ] as const)
        expect(errorOf(await stranger.post(path, fields))).toEqual({
          status: 404,
          texts: ["View not found"],
        });
    }
    expect(await namesOf("orders")).toContain("Mine");
  });

  it("is rejected above twenty per list, even if the last two are saved concurrently", async () => {
    const there = await prisma.consoleView.count({ where: { userId: viewerId, list: "refunds" } });
    for (let number = there; number < MAX_VIEWS - 1; number += 1)
      await save({ list: "refunds", name: `View ${number}`, query: "status=completed" });
    const last = await Promise.all(
      ["a", "b"].map((name) => shop.post("/views", { list: "refunds", name, query: "status=completed" })),
    );
    expect(last.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await namesOf("refunds")).toHaveLength(MAX_VIEWS);
  });

  it("is deleted with its user's membership", async () => {
    expect(await prisma.consoleView.count({ where: { userId: viewerId } })).toBeGreaterThan(0);
    const members = consoleClient(server, sessionTokenOf(ownerId));
    const removed = await members.post(`/merchants/${merchantId}/members/${viewerId}/remove`);
    expect(removed.status).toBe(200);
    expect(await prisma.consoleView.count({ where: { userId: viewerId } })).toBe(0);
  });
});
