import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addPartner, type Partner } from "../../support/partner.js";
import { type AdminCli, openAdminCli } from "./admin-cli.js";

let admin: AdminCli;
let partner: Partner;

beforeAll(async () => {
  admin = await openAdminCli();
  partner = await addPartner(admin.sandbox);
  for (const state of ["off", "on", "off"])
    await admin.runJson("merchants", "partner-api", partner.merchantId, state, "--by", admin.first);
  await admin.runJson("currencies", "deactivate", "KWD", "--by", admin.second);
  await admin.runJson("currencies", "activate", "KWD", "--by", admin.second);
});
afterAll(() => admin.close());

const breaking = (sql: string) =>
  admin.sandbox.executeAsSuperuser(`SET session_replication_role = replica; ${sql}`);
const mine = () => `merchant_id = '${partner.merchantId}'`;

describe("audit log", () => {
  it("has intact hash chains for each merchant and for the platform, and lists a merchant's records newest first", async () => {
    const chains = await admin.runList("audit", "verify");
    expect(chains).toMatchObject([
      { chain: "(house)", records: 3 },
      { chain: "Remit & Co", records: 3, merchant: partner.merchantId },
    ]);
    expect(
      await admin.runList("audit", "show", "--merchant", partner.merchantId, "--limit", "2"),
    ).toMatchObject([
      { number: 3, administrator: admin.first, action: "merchant.partner_api" },
      { number: 2, details: '{"partnerApiEnabled_before":false,"partnerApiEnabled_after":true}' },
    ]);
  });

  it.each(["0", "1001", "ten"])("cannot be listed with --limit %s", async (limit) => {
    const { exit, error } = await admin.run("audit", "show", "--limit", limit);
    expect([exit, error]).toEqual([
      2,
      expect.stringContaining("--limit must be a whole number from 1 to 1000"),
    ]);
  });

  it("rejects UPDATE, DELETE and TRUNCATE, and platform records attributed to a merchant's user", async () => {
    const { pool } = admin.sandbox.database;
    for (const sql of ["UPDATE audit_records SET details = '{}'", "DELETE FROM audit_records"])
      await expect(pool.query(sql)).rejects.toMatchObject({ code: "TG090" });
    await expect(pool.query("TRUNCATE audit_records")).rejects.toMatchObject({ code: "42501" });
    await expect(
      admin.sandbox.executeAsSuperuser("SET ROLE tillgate; TRUNCATE audit_records"),
    ).rejects.toMatchObject({ code: "TG090" });
    const { id } = await admin.sandbox.database.prisma.consoleUser.findUniqueOrThrow({
      where: { email: admin.sandbox.access.merchant_user.email },
    });
    await expect(pool.query("SELECT record_change(NULL, $1, 'x', 'y', '{}')", [id])).rejects.toMatchObject({
      code: "TG063",
    });
  });

  it("keeps a merchant's chain intact under concurrent changes", async () => {
    const other = await addPartner(admin.sandbox);
    await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        admin.runJson(
          "merchants",
          "rate-limits",
          other.merchantId,
          "--pay",
          String(100 + at),
          "--by",
          admin.first,
        ),
      ),
    );
    const chains = await admin.runList("audit", "verify");
    expect(chains.find(({ merchant }) => merchant === other.merchantId)).toMatchObject({ records: 12 });
  });

  it("detects a changed record, a gap, a disabled trigger and, given a previously recorded hash, a truncated chain", async () => {
    const [before] = (await admin.runList("audit", "verify")).filter(
      ({ merchant }) => merchant === partner.merchantId,
    );
    const noted = String(before?.last_hash);
    const tampering: [string, string, string][] = [
      [
        `UPDATE audit_records SET details = replace(details, 'true', '"nope"') WHERE number = 2 AND ${mine()}`,
        `UPDATE audit_records SET details = replace(details, '"nope"', 'true') WHERE number = 2 AND ${mine()}`,
        "was changed",
      ],
      [
        `UPDATE audit_records SET administrator = 'x@example.com' WHERE number = 3 AND ${mine()}`,
        `UPDATE audit_records SET administrator = '${admin.first}' WHERE number = 3 AND ${mine()}`,
        "was changed",
      ],
      [
        `CREATE TABLE aside AS SELECT * FROM audit_records WHERE number = 2 AND ${mine()};
         DELETE FROM audit_records WHERE number = 2 AND ${mine()}`,
        "INSERT INTO audit_records SELECT * FROM aside; DROP TABLE aside",
        "is not linked to the record before it",
      ],
      [
        "ALTER TABLE audit_records DISABLE TRIGGER audit_records_are_final",
        "ALTER TABLE audit_records ENABLE TRIGGER audit_records_are_final",
        "audit_records_are_final is missing or disabled",
      ],
    ];
    for (const [tamper, repair, message] of tampering) {
      await breaking(tamper);
      const rejection = await admin.runRejected("audit", "verify");
      expect(rejection.code).toBe("audit_broken");
      expect(rejection.lines?.join("\n")).toContain(message);
      await breaking(repair);
      await admin.runList("audit", "verify");
    }
    // A chain truncated at its end is still consistent. Only a previously recorded hash reveals the
    // truncation.
    await breaking(
      `CREATE TABLE aside AS SELECT * FROM audit_records WHERE number = 3 AND ${mine()};
       DELETE FROM audit_records WHERE number = 3 AND ${mine()}`,
    );
    await admin.runList("audit", "verify");
    expect((await admin.runRejected("audit", "verify", "--noted", noted)).lines?.join()).toContain(
      "records were deleted",
    );
    await breaking("INSERT INTO audit_records SELECT * FROM aside; DROP TABLE aside");
    await admin.runList("audit", "verify", "--noted", noted);
  });
});
