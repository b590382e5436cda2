import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addAdministrator } from "../../../src/administration/administrators.js";
import { type AdminCli, expectNoChanges, openAdminCli } from "./admin-cli.js";

let admin: AdminCli;
let by: string[];

beforeAll(async () => {
  admin = await openAdminCli();
  by = ["--by", admin.first];
  await admin.addAdministrator("third@example.com");
});
afterAll(() => admin.close());

const textOf = (value: unknown): string => {
  if (typeof value !== "string") throw new Error(`${String(value)} is not a string`);
  return value;
};
const emails = async () => (await admin.runList("administrators", "list")).map(({ email }) => email);
const exitCodeAs = (email: string) =>
  admin.run("--json", "merchants", "create", `By ${email}`, "--by", email).then(({ exit }) => exit);

/** Requests to add or enable an administrator. @returns the request's ID and the first half of the password. */
async function requestAdministrator(command: "add" | "enable", email: string) {
  const requested = await admin.runJson("administrators", command, email, ...by);
  return { request: textOf(requested.request), first: textOf(requested.first_half) };
}
const approveArgs = (request: string, who: string) => ["requests", "approve", request, "--by", who];

describe("admin administrators add", () => {
  it("requires another administrator's approval, and gives half of the password to the requester and half to the approver", async () => {
    const { request, first } = await requestAdministrator("add", "Added@Example.com");
    expect(await emails()).not.toContain("added@example.com");
    expect(await admin.runList("requests", "list")).toMatchObject([
      {
        request,
        kind: "administrator_add",
        owner: "added@example.com",
        requested_by: admin.first,
        amount: null,
      },
    ]);
    expect(
      (await expectNoChanges(admin, () => admin.runRejected(...approveArgs(request, admin.first)))).code,
    ).toBe("needs_second_administrator");
    await expectNoChanges(admin, () => admin.runJson(...approveArgs(request, admin.second), "--dry-run"));
    const approved = await admin.runJson(...approveArgs(request, admin.second));
    expect(approved).toMatchObject({
      status: "approved",
      kind: "administrator_add",
      email: "added@example.com",
    });
    expect(await emails()).toContain("added@example.com");

    // Neither half alone is the password.
    const second = textOf(approved.second_half);
    for (const [password, exit] of [
      [first, 1],
      [second, 1],
      [second + first, 1],
      [first + second, 0],
    ] as const) {
      admin.passwords.set("added@example.com", password);
      expect(await exitCodeAs("added@example.com")).toBe(exit);
    }
    const records = (await admin.auditRecords()).filter(({ action }) => action.startsWith("administrator."));
    expect(records).toMatchObject([
      {
        action: "administrator.add.request",
        administrator: admin.first,
        details: { email: "added@example.com" },
      },
      {
        action: "administrator.add.approve",
        administrator: admin.second,
        details: { email: "added@example.com" },
      },
    ]);
    const reported = JSON.stringify(records);
    expect([first, second].filter((half) => reported.includes(half))).toEqual([]);
  });

  it("rejects a second request for the same address, allows one decision, and lets the requester withdraw the request", async () => {
    const { request } = await requestAdministrator("add", "fourth@example.com");
    const again = ["administrators", "add", "fourth@example.com", "--by", admin.second];
    expect((await expectNoChanges(admin, () => admin.runRejected(...again))).code).toBe("already_exists");
    const decided = await Promise.all(
      [admin.second, "third@example.com"].map((who) => admin.run("--json", ...approveArgs(request, who))),
    );
    expect(decided.map(({ exit }) => exit).sort()).toEqual([0, 1]);
    expect(decided.map(({ error }) => error).join("")).toContain('"code":"already_decided"');

    const { request: other } = await requestAdministrator("add", "fifth@example.com");
    expect(await admin.runJson("requests", "reject", other, ...by)).toMatchObject({ status: "rejected" });
    expect(await emails()).not.toContain("fifth@example.com");
    expect((await admin.runRejected(...approveArgs(other, admin.second))).code).toBe("already_decided");
    await requestAdministrator("add", "fifth@example.com");
  });

  it("rejects the address of an existing console user, an invalid address and a missing --by", async () => {
    const expectRejected = async (...words: string[]) =>
      (await expectNoChanges(admin, () => admin.runRejected("administrators", "add", ...words))).code;
    expect(await expectRejected("third@example.com", ...by)).toBe("already_exists");
    expect(await expectRejected(admin.sandbox.access.merchant_user.email, ...by)).toBe("already_exists");
    expect(await expectRejected("no address", ...by)).toBe("invalid_value");
    expect(await expectRejected("sixth@example.com")).toBe("not_an_administrator");
  });

  it("cannot be approved once another console user has the address", async () => {
    const { request } = await requestAdministrator("add", "taken@example.com");
    await admin.sandbox.database.prisma.consoleUser.create({
      data: { email: "taken@example.com", role: "merchant", passwordHash: "-" },
    });
    expect(
      (await expectNoChanges(admin, () => admin.runRejected(...approveArgs(request, admin.second)))).code,
    ).toBe("already_exists");
    await admin.runJson("requests", "reject", request, "--by", admin.second);
  });

  it("cannot be bypassed in SQL: inserting or promoting an administrator, approving one's own request, and changing or deleting a request fail", async () => {
    const { pool } = admin.sandbox.database;
    await requestAdministrator("add", "requested@example.com");
    const insert =
      "INSERT INTO console_users (id, email, role, password_hash) VALUES (gen_random_uuid(), 'sql@example.com', 'administrator', 'x')";
    await expect(pool.query(insert)).rejects.toMatchObject({ code: "TG067" });
    const promote = "UPDATE console_users SET role = 'administrator' WHERE role = 'merchant'";
    await expect(pool.query(promote)).rejects.toMatchObject({ code: "TG067" });
    await expect(
      pool.query(
        "UPDATE administrator_requests SET decided_by_id = requested_by_id, status = 'approved', decided_at = now() WHERE status = 'pending'",
      ),
    ).rejects.toMatchObject({ constraint: "administrator_requests_two_administrators" });
    await expect(
      pool.query("UPDATE administrator_requests SET email = 'sql@example.com' WHERE status = 'pending'"),
    ).rejects.toMatchObject({ code: "TG094" });
    await expect(pool.query("DELETE FROM administrator_requests")).rejects.toMatchObject({ code: "TG090" });
  });
});

describe("admin administrators disable", () => {
  it("takes effect immediately; re-enabling requires two administrators and sets a new password", async () => {
    const disable = ["administrators", "disable", "third@example.com", "--by", admin.second];
    expect(await admin.runJson(...disable)).toMatchObject({ changed: true });
    expect(await expectNoChanges(admin, () => admin.runJson(...disable))).toMatchObject({ changed: false });
    const before = admin.passwords.get("third@example.com");
    expect(
      (await admin.runRejected("merchants", "create", "By nobody", "--by", "third@example.com")).code,
    ).toBe("not_an_administrator");
    const { prisma } = admin.sandbox.database;
    const { id: userId } = await prisma.consoleUser.findUniqueOrThrow({
      where: { email: "third@example.com" },
    });
    const { id } = await prisma.consoleSession.create({
      data: {
        userId,
        tokenHash: Buffer.from("of before"),
        expiresAt: new Date(Date.now() + 60_000),
        clientNetwork: "",
        browser: "",
      },
    });
    const { request, first } = await requestAdministrator("enable", "third@example.com");
    expect((await admin.runRejected(...approveArgs(request, admin.first))).code).toBe(
      "needs_second_administrator",
    );
    const { second_half } = await admin.runJson(...approveArgs(request, admin.second));
    expect(await exitCodeAs("third@example.com")).toBe(1);
    admin.passwords.set("third@example.com", first + textOf(second_half));
    expect(admin.passwords.get("third@example.com")).not.toBe(before);
    expect((await prisma.consoleSession.findUniqueOrThrow({ where: { id } })).revokedAt).not.toBeNull();
    expect(await exitCodeAs("third@example.com")).toBe(0);
  });

  it("keeps the administrator's requests, which can be rejected but not approved", async () => {
    const asks = ["--by", "third@example.com"];
    const raise = await admin.runJson("currencies", "single-limit", "USD", "10", ...asks);
    const added = await admin.runJson("administrators", "add", "seventh@example.com", ...asks);
    await admin.runJson("administrators", "disable", "third@example.com", ...by);
    for (const { request } of [raise, added]) {
      const decide = (verb: string) => ["requests", verb, textOf(request), "--by", admin.second];
      const rejected = await expectNoChanges(admin, () => admin.runRejected(...decide("approve")));
      expect(rejected.code).toBe("not_an_administrator");
      expect(await admin.runJson(...decide("reject"))).toMatchObject({ status: "rejected" });
    }
  });

  it("makes the database reject the administrator's audit records and attempts to enable the administrator in SQL", async () => {
    const { pool, prisma } = admin.sandbox.database;
    await admin.runJson("administrators", "disable", "third@example.com", ...by);
    const { id } = await prisma.consoleUser.findUniqueOrThrow({ where: { email: "third@example.com" } });
    await expect(pool.query("SELECT record_change(NULL, $1, 'x', 'y', '{}')", [id])).rejects.toMatchObject({
      code: "TG063",
    });
    await expect(
      pool.query("UPDATE console_users SET disabled_at = NULL WHERE id = $1", [id]),
    ).rejects.toMatchObject({ code: "TG067" });
  });

  it("is rejected for one of the last two administrators", async () => {
    const last = [admin.first, admin.second];
    for (const { email, disabled } of await admin.runList("administrators", "list"))
      if (disabled === null && !last.includes(textOf(email)))
        await admin.runJson("administrators", "disable", textOf(email), ...by);
    const rejected = await expectNoChanges(admin, () =>
      admin.runRejected("administrators", "disable", admin.second, ...by),
    );
    expect(rejected).toMatchObject({
      code: "invalid_value",
      message: expect.stringContaining("must remain"),
    });
  });
});

describe("admin administrators new-password", () => {
  it("replaces the caller's password", async () => {
    const { password } = await admin.runJson("administrators", "new-password", "--by", admin.second);
    expect(await exitCodeAs(admin.second)).toBe(1);
    admin.passwords.set(admin.second, textOf(password));
    expect(await exitCodeAs(admin.second)).toBe(0);
  });
});

it("admin administrators add requires approval for the third administrator, but not for the first two", async () => {
  const empty = await openAdminCli();
  await empty.sandbox.executeAsSuperuser(
    "SET session_replication_role = replica; DELETE FROM console_users; DELETE FROM audit_records",
  );
  const first = await addAdministrator(empty.context, { email: "one@example.com" });
  if (first.outcome !== "added") throw new Error("the first administrator was not added without approval");
  empty.passwords.set("one@example.com", first.password);
  await expect(addAdministrator(empty.context, { email: "two@example.com" })).rejects.toMatchObject({
    errorCode: { code: "not_an_administrator" },
  });
  expect(
    await empty.runJson("administrators", "add", "two@example.com", "--by", "one@example.com"),
  ).toMatchObject({
    email: "two@example.com",
    password: expect.any(String),
  });
  expect((await empty.auditRecords()).map(({ action, details }) => [action, details])).toEqual([
    ["administrator.add", { email: "one@example.com", alone: true }],
    ["administrator.add", { email: "two@example.com", alone: true }],
  ]);
  expect(
    await empty.runJson("administrators", "add", "three@example.com", "--by", "one@example.com"),
  ).toMatchObject({
    request: expect.any(String),
  });
  await empty.close();
});
