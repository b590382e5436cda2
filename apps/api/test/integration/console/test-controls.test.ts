import {
  broughtToEndAnswerSchema,
  consoleCredentialSecretAnswerSchema,
  testControlAnswerSchema,
  testControlListAnswerSchema,
  testControlsClearedAnswerSchema,
} from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { createOrder, getOrder } from "../../support/orders.js";
import { blamed, payApi, refusedField, told } from "../../support/requests.js";
import { sceneOfFile } from "../../support/scene.js";
import { type ConsoleApi, type ConsoleParties, consoleApi, consoleParties, dataOf } from "./console-api.js";

const { sandbox, server, api, merchantId } = await sceneOfFile();
let parties: ConsoleParties;
let shop: ConsoleApi;
let otherShop: ConsoleApi;
beforeAll(async () => {
  parties = await consoleParties(sandbox);
  shop = consoleApi(server, { user: parties.user, merchantId });
  otherShop = consoleApi(server, { user: parties.otherUser, merchantId: parties.otherId });
});

const listed = async (of: ConsoleApi = shop) =>
  dataOf(testControlListAnswerSchema, await of.get("/test/controls")).controls;
const bring = (id: string, moment: string, kind = "order", of: ConsoleApi = shop) =>
  of.post("/test/time", { kind, id, moment });

describe("a control that is ordered in the console", () => {
  it("is in force for the merchant's programs, in no other list, and cleared in one call", async () => {
    const made = dataOf(
      testControlAnswerSchema,
      await shop.post("/test/controls", { control: "call_unavailable", count: 2 }),
    );
    expect(await listed()).toEqual([made]);
    expect(await listed(otherShop)).toEqual([]);
    expect((await api.get("/orders")).status).toBe(503);
    expect((await payApi(server, sandbox.access.other_merchant).get("/orders")).status).toBe(200);
    expect((await api.get("/test/controls")).body).toMatchObject({
      data: { controls: [{ ...made, left: 1 }] },
    });
    expect(dataOf(testControlsClearedAnswerSchema, await otherShop.post("/test/controls/clear"))).toEqual({
      cleared: 0,
    });
    expect(dataOf(testControlsClearedAnswerSchema, await shop.post("/test/controls/clear"))).toEqual({
      cleared: 1,
    });
    expect([(await api.get("/orders")).status, await listed()]).toEqual([200, []]);
  });

  it("is refused at its field", async () => {
    expect(told(await shop.post("/test/controls", { control: "delivery_late", count: "two" }))).toEqual(
      refusedField("count", "must be a whole number from 1 to 100"),
    );
    expect(blamed(await bring("x".repeat(65), "after_end")).param).toBe("id");
    expect(await listed()).toEqual([]);
  });
});

describe("an end", () => {
  it("is brought near, and then passed, of the merchant's own orders only", async () => {
    const { order_id: id } = await createOrder(api);
    const foreign = await bring(id, "after_end", "order", otherShop);
    expect([foreign.status, blamed(foreign).code]).toEqual([404, "nothing_that_ends"]);
    expect((await getOrder(api, id)).status).toBe("PENDING");
    const near = dataOf(broughtToEndAnswerSchema, await bring(id, "before_end"));
    expect(near).toEqual({ kind: "order", id, expires_at: (await getOrder(api, id)).expires_at });
    expect((await bring(id, "after_end")).status).toBe(200);
    expect((await getOrder(api, id)).status).toBe("EXPIRED");
    expect(blamed(await bring(id, "after_end")).code).toBe("nothing_that_ends");
  });

  it("of a secret that was rotated comes at once, and for its own merchant only", async () => {
    const secretOf = async (path: string, fields: object) =>
      dataOf(consoleCredentialSecretAnswerSchema, await shop.post(path, fields));
    const old = await secretOf("/credentials", { kind: "client" });
    const fresh = await secretOf(`/credentials/${old.credential_id}/rotate`, { overlap_seconds: 3_600 });
    const works = async ({ client_id, secret }: typeof old) =>
      (await payApi(server, { client_id: client_id ?? "", client_secret: secret }).get("/orders")).status;
    const id = old.client_id ?? "";
    expect(blamed(await bring(id, "after_end", "credential", otherShop)).code).toBe("nothing_that_ends");
    expect([await works(old), await works(fresh)]).toEqual([200, 200]);
    expect((await bring(id, "after_end", "credential")).status).toBe(200);
    expect([await works(old), await works(fresh)]).toEqual([401, 200]);
  });
});

describe("live", () => {
  it("has no such route for an owner or an administrator", async () => {
    const { order_id: id } = await createOrder(api);
    for (const user of [parties.user, parties.administrator]) {
      const live = consoleApi(server, { user, merchantId, mode: "live" });
      for (const [path, fields] of [
        ["/test/controls", { control: "call_unavailable" }],
        ["/test/controls/clear", {}],
        ["/test/time", { kind: "order", id, moment: "after_end" }],
      ] as const)
        for (const answer of [await live.post(path, fields), await live.get(path)])
          expect([path, answer.status, blamed(answer).code]).toEqual([path, 404, "unknown_route"]);
    }
    expect([await listed(), (await getOrder(api, id)).status]).toEqual([[], "PENDING"]);
  });
});
