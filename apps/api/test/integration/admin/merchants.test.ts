import { randomBytes } from "node:crypto";
import { ErrorCode } from "@tillgate/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OperationError } from "../../../src/errors.js";
import { authenticateClient, authenticatePartner } from "../../../src/identity/credentials/authenticate.js";
import { parseSmtpUrl } from "../../../src/settings.js";
import { waitUntil } from "../../support/wait-until.js";
import { type AdminCli, expectNoChanges, openAdminCli } from "./admin-cli.js";

let admin: AdminCli;
let by: string[];

beforeAll(async () => {
  admin = await openAdminCli();
  by = ["--by", admin.first];
});
afterAll(() => admin.close());

const textOf = (value: unknown): string => {
  if (typeof value !== "string") throw new Error(`${String(value)} is not a string`);
  return value;
};
const create = async (name: string) =>
  textOf((await admin.runJson("merchants", "create", name, ...by)).merchant);

describe("merchants", () => {
  it("are created with a sandbox test shopper, found by name, and audited in a chain for each merchant", async () => {
    const id = await create("  Harbour Books ");
    expect(await admin.sandbox.database.prisma.walletUser.count({ where: { testOfMerchantId: id } })).toBe(1);
    expect(await admin.runJson("merchants", "show", "Harbour Books")).toMatchObject({
      merchant: id,
      partner_api: false,
      suspended: null,
      credentials: 0,
    });
    expect(await admin.runList("audit", "show", "--merchant", id)).toMatchObject([
      { number: 1, action: "merchant.create", subject: id, administrator: admin.first },
    ]);
    expect(
      (await admin.runList("merchants", "list", "--search", "HARBOUR")).map(({ merchant }) => merchant),
    ).toEqual([id]);
  });

  it("are shown with the number of their usable credentials, excluding the console's", async () => {
    const merchantId = await create("Keys");
    const secretHash = () => randomBytes(32);
    const expired = { expiresAt: new Date(0) };
    await admin.sandbox.database.prisma.credential.createMany({
      data: [
        { kind: "api_token" as const },
        { kind: "api_token" as const, ...expired },
        { kind: "console" as const },
      ].map((fields) => ({ merchantId, mode: "live", secretHash: secretHash(), ...fields })),
    });
    expect(await admin.runJson("merchants", "show", merchantId)).toMatchObject({ credentials: 1 });
  });

  it("can be addressed only by ID if they share a name", async () => {
    const [one, another] = [await create("Twin"), await create("Twin")];
    expect(
      (await expectNoChanges(admin, () => admin.runRejected("merchants", "suspend", "Twin", ...by))).message,
    ).toContain("Use the ID");
    await admin.runJson("merchants", "suspend", textOf(one), ...by);
    expect((await admin.runJson("merchants", "show", textOf(another))).suspended).toBeNull();
  });

  it("cannot be created with an empty or overlong name, nor suspended if they do not exist; --dry-run creates nothing", async () => {
    expect((await admin.runRejected("merchants", "create", " ", ...by)).code).toBe("invalid_value");
    expect((await admin.runRejected("merchants", "create", "x".repeat(121), ...by)).code).toBe(
      "invalid_value",
    );
    expect((await admin.runRejected("merchants", "suspend", "Nobody", ...by)).code).toBe("not_found");
    const created = await expectNoChanges(admin, () =>
      admin.runJson("merchants", "create", "Dry", ...by, "--dry-run"),
    );
    expect(created).toMatchObject({ name: "Dry", dry_run: true });
  });

  it("cannot use client credentials or API tokens while suspended, nor API tokens while the Partner API is disabled", async () => {
    const id = await create("Suspended & Co");
    await admin.runJson("merchants", "partner-api", id, "on", ...by);
    const client = await admin.runJson(
      "credentials",
      "create",
      id,
      "--mode",
      "sandbox",
      "--kind",
      "client",
      ...by,
    );
    const token = await admin.runJson(
      "credentials",
      "create",
      id,
      "--mode",
      "live",
      "--kind",
      "api_token",
      ...by,
    );
    const clientAddress = "192.0.2.7";
    const signIn = () =>
      authenticateClient(admin.context, {
        clientId: textOf(client.client_id),
        clientSecret: textOf(client.secret),
        mode: "sandbox",
        clientAddress,
      });
    const call = () => authenticatePartner(admin.context, { token: textOf(token.secret), clientAddress });
    // Processes see a change within two seconds.
    const waitForOutcome = (work: () => Promise<unknown>, expected: ErrorCode | null) =>
      waitUntil(`the credential returns ${expected?.code ?? "success"}`, () =>
        work().then(
          () => expected === null,
          (error) => error instanceof OperationError && error.errorCode === expected,
        ),
      );
    expect(await signIn()).toMatchObject({ merchantId: id, mode: "sandbox" });
    expect(await call()).toMatchObject({ merchantId: id, mode: "live" });
    expect(await admin.runJson("merchants", "suspend", id, ...by)).toMatchObject({ changed: true });
    await waitForOutcome(signIn, ErrorCode.MerchantSuspended);
    await waitForOutcome(call, ErrorCode.MerchantSuspended);
    await admin.runJson("merchants", "resume", id, ...by);
    await waitForOutcome(signIn, null);
    await admin.runJson("merchants", "partner-api", id, "off", ...by);
    await waitForOutcome(call, ErrorCode.PartnerApiDisabled);
  });

  it("are neither changed nor audited if they already have the requested state", async () => {
    const id = await create("Settled");
    for (const words of [
      ["resume", id],
      ["partner-api", id, "off"],
      ["refund-approval", id, "off"],
      ["rate-limits", id, "--pay", "default"],
    ])
      expect(await expectNoChanges(admin, () => admin.runJson("merchants", ...words, ...by))).toMatchObject({
        changed: false,
      });
  });

  it("can be given custom rate limits within bounds, and resetting one leaves the other unchanged", async () => {
    const id = await create("Busy");
    expect(
      await admin.runJson("merchants", "rate-limits", id, "--pay", "1200", "--partner", "60", ...by),
    ).toMatchObject({ pay_per_minute: 1200, partner_per_minute: 60 });
    expect(await admin.runJson("merchants", "rate-limits", id, "--pay", "default", ...by)).toMatchObject({
      pay_per_minute: null,
      partner_per_minute: 60,
    });
    const [record] = await admin.runList("audit", "show", "--merchant", id, "--limit", "1");
    expect(record?.details).toBe('{"payRequestsPerMinute_before":1200,"payRequestsPerMinute_after":null}');
    expect((await admin.runRejected("merchants", "rate-limits", id, "--pay", "1000001", ...by)).code).toBe(
      "invalid_value",
    );
    expect((await admin.run("merchants", "rate-limits", id, "--pay", "0", ...by)).exit).toBe(2);
  });
});

describe("credentials", () => {
  it("can be revoked, and can be rotated only once while the old secret is valid; the audit records contain no secret", async () => {
    const id = await create("Rotating");
    const created = await admin.runJson(
      "credentials",
      "create",
      id,
      "--mode",
      "live",
      "--kind",
      "client",
      ...by,
    );
    const rotated = await admin.runJson("credentials", "rotate", textOf(created.credential), ...by);
    expect(rotated).toMatchObject({ client_id: created.client_id, replaces: created.credential });
    expect(rotated.secret).not.toBe(created.secret);
    expect(
      (
        await expectNoChanges(admin, () =>
          admin.runRejected("credentials", "rotate", textOf(created.credential), ...by),
        )
      ).code,
    ).toBe("already_exists");
    expect((await admin.runList("credentials", "list", id)).map(({ standing }) => standing).sort()).toEqual([
      "active",
      "rotated out",
    ]);
    const revoke = ["credentials", "revoke", textOf(rotated.credential), ...by];
    expect(await admin.runJson(...revoke)).toMatchObject({ changed: true });
    expect(await expectNoChanges(admin, () => admin.runJson(...revoke))).toMatchObject({ changed: false });
    const records = await admin.runList("audit", "show", "--merchant", id);
    expect(records.map(({ action }) => action)).toEqual([
      "credential.revoke",
      "credential.rotate",
      "credential.create",
      "merchant.create",
    ]);
    for (const secret of [created.secret, rotated.secret])
      expect(JSON.stringify(records)).not.toContain(textOf(secret));
    expect((await admin.runRejected("credentials", "rotate", textOf(rotated.credential), ...by)).code).toBe(
      "invalid_value",
    );
  });

  it("are not created with --dry-run, which shows no secret, and cannot be revoked if they do not exist", async () => {
    const id = await create("Dry credentials");
    const created = await expectNoChanges(admin, () =>
      admin.runJson("credentials", "create", id, "--mode", "live", "--kind", "client", ...by, "--dry-run"),
    );
    expect(created).not.toHaveProperty("secret");
    for (const unknown of ["nonsense", "1b4e28ba-2fa1-41d2-883f-0016d3cca427"])
      expect((await admin.runRejected("credentials", "revoke", unknown, ...by)).code).toBe("not_found");
  });
});

it("admin merchants notice-email sets and resets the notice address, rejects invalid addresses, and reports if mail is not configured", async () => {
  const id = await create("Notified");
  const set = (email: string, ...words: string[]) => [
    "merchants",
    "notice-email",
    id,
    email,
    ...by,
    ...words,
  ];
  for (const wrong of [
    "nobody",
    "a@b.example\r\nBcc: c@d.example",
    "a@b.example,c@d.example",
    `${"x".repeat(250)}@b.example`,
  ])
    expect((await expectNoChanges(admin, () => admin.runRejected(...set(wrong)))).code).toBe("invalid_value");
  await expectNoChanges(admin, () => admin.runJson(...set("web@b.example", "--dry-run")));
  expect(await admin.runJson(...set(" Web@B.example "))).toMatchObject({
    notice_email: "web@b.example",
    mail_configured: false,
    changed: true,
  });
  expect((await admin.run(...set("web@b.example"))).out).toContain(
    "Mail is not configured (TILLGATE_SMTP_URL and TILLGATE_MAIL_FROM",
  );
  expect(await admin.runJson(...set("default"))).toMatchObject({ notice_email: null, changed: true });
  expect(await admin.runList("audit", "show", "--merchant", id)).toMatchObject([
    { action: "merchant.notice_email", subject: id },
    { action: "merchant.notice_email", subject: id },
    { action: "merchant.create" },
  ]);
  const { context } = admin;
  const mail = parseSmtpUrl("smtp://mail.example");
  if (!mail) throw new Error("the SMTP URL is invalid");
  const unconfigured = context.config;
  for (const configured of [
    { mail: { ...mail, demandTls: true, from: { name: "", address: "n@b.example" } } },
    { mailFolder: "mails" },
  ]) {
    context.config = { ...unconfigured, ...configured };
    expect((await admin.run(...set("web@b.example"))).out).not.toContain("Mail is not configured");
  }
});
