import { ErrorCode } from "@tillgate/contract";
import { hashSecret } from "@tillgate/database";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signIn } from "../../../src/checkout/wallet/sign-in.js";
import { createOrder } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { addPartner } from "../../support/partner.js";
import { payApi } from "../../support/requests.js";
import { type AdminCli, expectNoChanges, openAdminCli } from "./admin-cli.js";

let admin: AdminCli;
let by: string[];
/** The order on whose page shoppers sign in. */
let order: { id: string; mode: "live" };

beforeAll(async () => {
  admin = await openAdminCli();
  by = ["--by", admin.first];
  const server = await admin.sandbox.startApi();
  const access = await addLiveCredential(admin.sandbox, admin.sandbox.access.merchant.client_id);
  order = { id: (await createOrder(payApi(server, access, "live"))).order_id, mode: "live" };
});
afterAll(() => admin.close());

const textOf = (value: unknown): string => {
  if (typeof value !== "string") throw new Error(`${String(value)} is not a string`);
  return value;
};

/** Signs a shopper in on the order's page. @returns the session token */
const signInToken = async (identifier: string, pin: unknown): Promise<string> => {
  const signedIn = await signIn(admin.context, {
    identifier,
    pin: textOf(pin),
    mode: order.mode,
    orderId: order.id,
    clientAddress: "192.0.2.7",
    before: { session: undefined, device: undefined, browser: "" },
    remembered: false,
  });
  return signedIn.session.session;
};

const isRevoked = async (session: string): Promise<boolean> => {
  const { revokedAt } = await admin.context.database.prisma.walletSession.findUniqueOrThrow({
    where: { tokenHash: hashSecret(session) },
  });
  return revokedAt !== null;
};

describe("users", () => {
  it("are created with wallets, a normalized phone number and e-mail address, and a working PIN that is not in the audit log", async () => {
    const created = await admin.runJson(
      ...["users", "create", "Ada N'Diaye", "--mode", "live", "--phone", "0033 6 11 22 33 44"],
      ...["--email", " Ada@Example.COM", "--wallets", "eur, XAF", ...by],
    );
    expect(created).toMatchObject({
      phone: "+33611223344",
      email: "ada@example.com",
      pin: expect.stringMatching(/^\d{6}$/),
    });
    expect(await signInToken("+33 6 11 22 33 44", created.pin)).toMatch(/^tgw_/);
    expect(
      await admin.runList("wallets", "list", "--mode", "live", "--user", "ada@example.com"),
    ).toMatchObject([
      { currency: "EUR", balance: "0.00", closed: null },
      { currency: "XAF", balance: "0", closed: null },
    ]);
    expect(JSON.stringify(await admin.auditRecords())).not.toContain(textOf(created.pin));
    expect((await admin.runList("users", "list", "--mode", "live", "--search", "N'DIAYE"))[0]).toMatchObject({
      user: created.user,
      wallets: "EUR XAF",
    });
    expect(await admin.runList("users", "list", "--mode", "sandbox", "--search", "N'DIAYE")).toEqual([]);
  });

  it("are unique per mode by phone number and e-mail address", async () => {
    const create = (mode: string, ...more: string[]) => [
      "users",
      "create",
      "Bo",
      "--mode",
      mode,
      ...more,
      ...by,
    ];
    await admin.runJson(...create("live", "--email", "bo@example.com", "--phone", "+33622334455"));
    await admin.runJson(...create("sandbox", "--email", "bo@example.com", "--phone", "+33622334455"));
    for (const same of [
      ["--email", "BO@example.com"],
      ["--phone", "33622334455"],
    ])
      expect((await expectNoChanges(admin, () => admin.runRejected(...create("live", ...same)))).code).toBe(
        "already_exists",
      );
  });

  it("require a valid phone number or e-mail address, a name and known currencies; --dry-run shows no PIN", async () => {
    const bad: [string[], string][] = [
      [["Cy"], "needs a phone number or an e-mail address"],
      [["Cy", "--phone", "12"], "not a phone number"],
      [["Cy", "--email", "cy"], "not an e-mail address"],
      [[" ", "--email", "cy@example.com"], "1 to 120 characters"],
      [["Cy", "--email", "cy@example.com", "--wallets", "EUR,XYZ"], "No currency XYZ found"],
    ];
    for (const [words, text] of bad)
      expect(
        (
          await expectNoChanges(admin, () =>
            admin.runRejected("users", "create", ...words, "--mode", "live", ...by),
          )
        ).message,
      ).toContain(text);
    const dry = await expectNoChanges(admin, () =>
      admin.runJson(
        "users",
        "create",
        "Cy",
        "--email",
        "cy@example.com",
        "--mode",
        "live",
        ...by,
        "--dry-run",
      ),
    );
    expect(dry).not.toHaveProperty("pin");
  });

  it("are signed out when deactivated, and cannot sign in until reactivated", async () => {
    const { pin } = await admin.runJson(
      "users",
      "create",
      "Di",
      "--mode",
      "live",
      "--email",
      "di@example.com",
      ...by,
    );
    const session = await signInToken("di@example.com", pin);
    const deactivate = ["users", "deactivate", "di@example.com", "--mode", "live", ...by];
    expect(await admin.runJson(...deactivate)).toMatchObject({ active: false, changed: true });
    expect(await expectNoChanges(admin, () => admin.runJson(...deactivate))).toMatchObject({
      changed: false,
    });
    expect(await isRevoked(session)).toBe(true);
    await expect(signInToken("di@example.com", pin)).rejects.toMatchObject({
      errorCode: ErrorCode.WrongSignIn,
    });
    await admin.runJson("users", "activate", "di@example.com", "--mode", "live", ...by);
    expect(await isRevoked(session)).toBe(true);
    expect(await signInToken("di@example.com", pin)).toMatch(/^tgw_/);
  });

  it("are signed out by reset-pin, which replaces the PIN and removes the lock caused by wrong PINs", async () => {
    const { pin } = await admin.runJson(
      "users",
      "create",
      "Ed",
      "--mode",
      "live",
      "--email",
      "ed@example.com",
      ...by,
    );
    const session = await signInToken("ed@example.com", pin);
    const wrong = pin === "518274" ? "518275" : "518274";
    for (let tries = 0; tries < 5; tries += 1)
      await expect(signInToken("ed@example.com", wrong)).rejects.toMatchObject({
        errorCode: ErrorCode.WrongSignIn,
      });
    await expect(signInToken("ed@example.com", pin)).rejects.toMatchObject({ errorCode: ErrorCode.Locked });
    const reset = await admin.runJson("users", "reset-pin", "ed@example.com", "--mode", "live", ...by);
    expect(reset.pin).not.toBe(pin);
    expect(await isRevoked(session)).toBe(true);
    await expect(signInToken("ed@example.com", pin)).rejects.toMatchObject({
      errorCode: ErrorCode.WrongSignIn,
    });
    expect(await signInToken("ed@example.com", reset.pin)).toMatch(/^tgw_/);
    expect((await admin.auditRecords()).at(-1)).toMatchObject({
      action: "user.reset_pin",
      subject: reset.user,
    });
  });

  it("are not found in the other mode, and a test shopper's PIN cannot be reset", async () => {
    const sandboxUser = admin.sandbox.access.shoppers[0]?.email ?? "";
    expect((await admin.runRejected("users", "deactivate", sandboxUser, "--mode", "live", ...by)).code).toBe(
      "not_found",
    );
    const { id } = await admin.sandbox.database.prisma.walletUser.findFirstOrThrow({
      where: { testOfMerchantId: { not: null } },
    });
    expect((await admin.runRejected("users", "reset-pin", id, "--mode", "sandbox", ...by)).code).toBe(
      "invalid_value",
    );
  });
});

describe("wallets", () => {
  const walletArgs = (id: string, currency: string, mode = "sandbox") => [
    currency,
    "--mode",
    mode,
    "--merchant",
    id,
    ...by,
  ];

  it("are opened for a merchant together with a hold account and, in the sandbox, its test shopper's wallet", async () => {
    const { merchant } = await admin.runJson("merchants", "create", "Wallets & Co", ...by);
    const id = textOf(merchant);
    expect(await admin.runJson("wallets", "open", ...walletArgs(id, "EUR"))).toMatchObject({ changed: true });
    expect(await admin.runJson("wallets", "open", ...walletArgs(id, "EUR", "live"))).toMatchObject({
      changed: true,
    });
    const accounts = await admin.sandbox.database.prisma.account.findMany({
      where: { OR: [{ merchantId: id }, { walletUser: { testOfMerchantId: id } }] },
    });
    expect(accounts.map(({ mode, kind }) => `${mode} ${kind}`).sort()).toEqual([
      "live hold",
      "live merchant",
      "sandbox hold",
      "sandbox merchant",
      "sandbox shopper",
    ]);
    expect(
      await expectNoChanges(admin, () => admin.runJson("wallets", "open", ...walletArgs(id, "EUR"))),
    ).toMatchObject({
      changed: false,
    });
    expect((await admin.auditRecords()).at(-1)).toMatchObject({
      action: "wallet.open",
      details: { mode: "live" },
    });
  });

  it("can be closed only if empty, reject deposits and withdrawals while closed, and can be reopened", async () => {
    const { merchantId } = await addPartner(admin.sandbox, { wallets: { EUR: 100n } });
    const close = ["wallets", "close", ...walletArgs(merchantId, "EUR")];
    expect((await expectNoChanges(admin, () => admin.runRejected(...close))).code).toBe("wallet_not_empty");
    const funds = ["1.00", "--currency", "EUR", "--mode", "sandbox", "--merchant", merchantId, ...by];
    await admin.runJson("wallets", "withdraw", ...funds, "--reference", `out ${merchantId}`);
    expect(await expectNoChanges(admin, () => admin.runJson(...close, "--dry-run"))).toMatchObject({
      changed: true,
    });
    expect(await admin.runJson(...close)).toMatchObject({ changed: true });
    expect(await expectNoChanges(admin, () => admin.runJson(...close))).toMatchObject({ changed: false });
    const deposit = ["wallets", "deposit", ...funds, "--reference", `in ${merchantId}`];
    const withdrawal = ["wallets", "withdraw", ...funds, "--reference", `again ${merchantId}`];
    for (const movement of [deposit, withdrawal])
      expect((await expectNoChanges(admin, () => admin.runRejected(...movement))).code).toBe("wallet_closed");
    expect(await admin.runJson("wallets", "open", ...walletArgs(merchantId, "EUR"))).toMatchObject({
      changed: true,
    });
    expect(await admin.runJson(...deposit)).toMatchObject({ outcome: "booked" });
  });

  it("are either closed or credited, never both, even if both are requested concurrently", async () => {
    for (let round = 0; round < 6; round += 1) {
      const { merchantId } = await addPartner(admin.sandbox, { wallets: { EUR: 0n } });
      const ended = await Promise.all([
        admin.run("wallets", "close", ...walletArgs(merchantId, "EUR")),
        admin.run(
          ...[
            "wallets",
            "deposit",
            "1.00",
            "--currency",
            "EUR",
            "--mode",
            "sandbox",
            "--merchant",
            merchantId,
          ],
          ...["--reference", `race ${merchantId}`, ...by],
        ),
      ]);
      expect(ended.map(({ exit }) => exit).sort()).toEqual([0, 1]);
    }
  });

  it("cannot be closed for a merchant while its hold account contains money", async () => {
    const { merchantId } = await addPartner(admin.sandbox, { wallets: { EUR: 0n } });
    await admin.sandbox.executeAsSuperuser(
      `SET session_replication_role = replica; UPDATE accounts SET balance = 5 WHERE merchant_id = '${merchantId}' AND kind = 'hold'`,
    );
    const rejection = await expectNoChanges(admin, () =>
      admin.runRejected("wallets", "close", ...walletArgs(merchantId, "EUR")),
    );
    expect(rejection).toEqual({
      code: "wallet_not_empty",
      message: "Payouts or refunds of this wallet are pending approval.",
    });
    await admin.sandbox.executeAsSuperuser(
      `SET session_replication_role = replica; UPDATE accounts SET balance = 0 WHERE merchant_id = '${merchantId}' AND kind = 'hold'`,
    );
  });

  it("are not opened in an inactive or unknown currency", async () => {
    const { merchantId } = await addPartner(admin.sandbox);
    await admin.runJson("currencies", "deactivate", "KWD", ...by);
    expect((await admin.runRejected("wallets", "open", ...walletArgs(merchantId, "KWD"))).message).toBe(
      "KWD is not active.",
    );
    expect((await admin.runRejected("wallets", "open", ...walletArgs(merchantId, "XYZ"))).code).toBe(
      "not_found",
    );
  });
});
