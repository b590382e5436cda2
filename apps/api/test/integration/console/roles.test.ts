import { consoleMeResponseSchema } from "@tillgate/contract";
import { beforeAll, describe, expect, it } from "vitest";
import { errorOf } from "../../support/requests.js";
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

const { sandbox, server, merchantId } = await createTestApi();
const NOT_ALLOWED = { status: 403, texts: ["Your role does not allow this"] };
let parties: ConsoleParties;

beforeAll(async () => {
  parties = await createConsoleParties(sandbox);
});

describe("member role", () => {
  it("applies to one merchant only", async () => {
    const user = await addConsoleUser(sandbox, "both@example.com", merchantId, "viewer");
    await sandbox.database.prisma.consoleMember.create({
      data: { userId: user, merchantId: parties.otherId, role: "developer" },
    });
    const { merchants } = dataOf(
      consoleMeResponseSchema,
      await consoleClient(server, sessionTokenOf(user)).get("/me"),
    );
    expect(merchants).toEqual([
      { merchant_id: parties.otherId, name: sandbox.access.other_merchant.name, role: "developer" },
      { merchant_id: merchantId, name: sandbox.access.merchant.name, role: "viewer" },
    ]);
    const receiver = { address: "https://shop.example/hook", events: ["pos.order.paid"] };
    expect(errorOf(await merchantConsole(server, { user, merchantId }).post("/receivers", receiver))).toEqual(
      NOT_ALLOWED,
    );
    const there = merchantConsole(server, { user, merchantId: parties.otherId });
    expect((await there.post("/receivers", receiver)).status).toBe(200);
    const { id } = await sandbox.database.prisma.merchant.create({ data: { name: "A third" } });
    expect(errorOf(await merchantConsole(server, { user, merchantId: id }).get("/receivers"))).toEqual({
      status: 404,
      texts: ["Merchant not found"],
    });
  });

  it("takes effect with the next request after a change", async () => {
    const user = await addConsoleUser(sandbox, "moving@example.com", merchantId, "developer");
    const api = merchantConsole(server, { user, merchantId });
    expect((await api.post("/receivers", {})).status).toBe(400);
    await sandbox.database.prisma.consoleMember.updateMany({
      where: { userId: user },
      data: { role: "viewer" },
    });
    expect(errorOf(await api.post("/receivers", {}))).toEqual(NOT_ALLOWED);
  });
});

describe("POST /receivers/{receiver}/rotate-secret", () => {
  const rotate = (user: string) =>
    merchantConsole(server, { user, merchantId }).post(
      "/receivers/00000000-0000-4000-8000-000000000000/rotate-secret",
    );

  it("requires a second factor verified in the last ten minutes", async () => {
    const user = await addConsoleUser(sandbox, "no.factor@example.com", merchantId, "owner");
    expect(errorOf(await rotate(user))).toEqual({ status: 403, texts: ["Set up a second factor first"] });
    await addSecondFactor(sandbox, user);
    expect(errorOf(await rotate(user)).texts).toEqual(["Endpoint not found"]);
    await sandbox.database.pool.query(
      "UPDATE console_sessions SET second_factor_at = second_factor_at - interval '10 minutes' WHERE user_id = $1",
      [user],
    );
    expect(errorOf(await rotate(user))).toEqual({
      status: 403,
      texts: ["Confirm this with your second factor"],
    });
  });
});
