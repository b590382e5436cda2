import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { accountBalance, addPartner, addRecipient, type Partner } from "../../support/partner.js";
import { type AdminCli, addLiveWallet, expectNoChanges, openAdminCli } from "./admin-cli.js";

let admin: AdminCli;
let partner: Partner;
let liveWallet: string;

beforeAll(async () => {
  admin = await openAdminCli();
});
afterAll(() => admin.close());

beforeEach(async () => {
  partner = await addPartner(admin.sandbox);
  liveWallet = await addLiveWallet(admin, partner);
});

type FundsOptions = { mode: "sandbox" | "live"; by?: string; reference?: string; amount?: string };

/** Returns the CLI arguments of a deposit or withdrawal in EUR, by default of 250.00. */
const fundsArgs = (
  kind: "deposit" | "withdraw",
  { mode, by, reference, amount = "250.00" }: FundsOptions,
) => [
  "wallets",
  kind,
  amount,
  ...["--currency", "EUR"],
  ...["--mode", mode],
  ...["--merchant", partner.merchantId],
  ...["--reference", reference ?? `bank ${randomUUID()}`],
  ...["--by", by ?? admin.first],
];

const sandboxBalance = () => accountBalance(admin.sandbox, partner.wallets.EUR);
const liveBalance = () => accountBalance(admin.sandbox, liveWallet);
const textOf = (value: unknown): string => {
  if (typeof value !== "string") throw new Error(`${String(value)} is not a string`);
  return value;
};

/** Sets the single-approver limit for EUR, with the second administrator's approval if it is required. */
async function agreeOnLimit(amount: string): Promise<void> {
  const { outcome, request } = await admin.runJson(
    "currencies",
    "single-limit",
    "EUR",
    amount,
    "--by",
    admin.first,
  );
  if (outcome === "requested")
    await admin.runJson("requests", "approve", textOf(request), "--by", admin.second);
}

describe("admin wallets deposit and withdraw", () => {
  it("book the amount between the funding account and the wallet, with one audit record each", async () => {
    const deposit = await admin.runJson(...fundsArgs("deposit", { mode: "sandbox" }));
    expect(deposit).toMatchObject({ outcome: "booked", amount: "250.00", currency: "EUR" });
    expect(await sandboxBalance()).toBe(125_000n);
    await admin.runJson(...fundsArgs("withdraw", { mode: "sandbox", amount: "50.5" }));
    expect(await sandboxBalance()).toBe(119_950n);
    const { rows: entries } = await admin.sandbox.database.pool.query(
      "SELECT a.kind, e.amount FROM entries e JOIN accounts a ON a.id = e.account_id WHERE e.transfer_id = $1 ORDER BY e.amount",
      [textOf(deposit.transfer)],
    );
    expect(entries).toEqual([
      { kind: "funding", amount: -25_000n },
      { kind: "merchant", amount: 25_000n },
    ]);
    expect((await admin.auditRecords()).slice(-2)).toMatchObject([
      { action: "wallet.deposit", subject: partner.wallets.EUR, details: { amount_minor: "25000" } },
      { action: "wallet.withdrawal", subject: partner.wallets.EUR, details: { amount_minor: "5050" } },
    ]);
  });

  it("book one transfer for concurrent deposits with the same reference, and return it to each", async () => {
    const reference = `bank ${randomUUID()}`;
    const ended = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        admin.runJson(
          ...fundsArgs("deposit", { mode: "sandbox", reference, by: at % 2 ? admin.first : admin.second }),
        ),
      ),
    );
    expect(ended.map(({ outcome }) => outcome).sort()).toEqual(["booked", ...Array(7).fill("repeated")]);
    expect(new Set(ended.map(({ transfer }) => transfer)).size).toBe(1);
    expect(await sandboxBalance()).toBe(125_000n);
    expect(
      await admin.sandbox.database.prisma.auditRecord.count({
        where: { subject: partner.wallets.EUR ?? "" },
      }),
    ).toBe(1);
  });

  it("reject a reference that was already used with a different amount, direction, wallet or source", async () => {
    const reference = `bank ${randomUUID()}`;
    await admin.runJson(...fundsArgs("deposit", { mode: "sandbox", reference }));
    const other = await addPartner(admin.sandbox);
    const elsewhere = fundsArgs("deposit", { mode: "sandbox", reference }).map((word) =>
      word === partner.merchantId ? other.merchantId : word,
    );
    for (const line of [
      fundsArgs("deposit", { mode: "sandbox", reference, amount: "250.01" }),
      fundsArgs("withdraw", { mode: "sandbox", reference }),
      elsewhere,
      [...fundsArgs("deposit", { mode: "sandbox", reference }), "--source", "issuing"],
    ])
      expect((await expectNoChanges(admin, () => admin.runRejected(...line))).code).toBe("reference_taken");
  });

  it("accept the same reference once in the sandbox and once in live mode", async () => {
    await agreeOnLimit("1000");
    const reference = `bank ${randomUUID()}`;
    await admin.runJson(...fundsArgs("deposit", { mode: "sandbox", reference }));
    expect(await admin.runJson(...fundsArgs("deposit", { mode: "live", reference }))).toMatchObject({
      outcome: "booked",
    });
    expect([await sandboxBalance(), await liveBalance()]).toEqual([125_000n, 125_000n]);
  });

  it("reject a withdrawal above the balance, and a deposit to a closed wallet", async () => {
    const rejection = await expectNoChanges(admin, () =>
      admin.runRejected(...fundsArgs("withdraw", { mode: "sandbox", amount: "1000.01" })),
    );
    expect(rejection.code).toBe("insufficient_balance");
    const { wallets, email } = await addRecipient(admin.sandbox);
    await admin.sandbox.database.prisma.account.update({
      where: { id: wallets.EUR ?? "" },
      data: { closedAt: new Date() },
    });
    const toUser = ["--currency", "EUR", "--mode", "sandbox", "--user", email, "--reference", randomUUID()];
    expect((await admin.runRejected("wallets", "deposit", "1", ...toUser, "--by", admin.first)).code).toBe(
      "wallet_closed",
    );
  });

  it("accept --source issuing for sandbox deposits, and reject it in live mode", async () => {
    const issued = await admin.runJson(...fundsArgs("deposit", { mode: "sandbox" }), "--source", "issuing");
    expect(issued.outcome).toBe("booked");
    expect(
      (await admin.runRejected(...fundsArgs("deposit", { mode: "live" }), "--source", "issuing")).code,
    ).toBe("invalid_value");
  });

  it("find a customer by ID, by e-mail regardless of case, or by phone number with the prefix 00, and write the audit record to the platform's chain", async () => {
    const { email, wallets, id } = await addRecipient(admin.sandbox);
    await admin.sandbox.database.prisma.walletUser.update({ where: { id }, data: { phone: "+33699887766" } });
    for (const user of [email.toUpperCase(), "0033 6 99 88 77 66", id])
      await admin.runJson(
        ...["wallets", "deposit", "1.50", "--currency", "eur", "--mode", "sandbox", "--user", user],
        ...["--reference", randomUUID(), "--by", admin.first],
      );
    expect(await accountBalance(admin.sandbox, wallets.EUR)).toBe(450n);
    const record = await admin.sandbox.database.prisma.auditRecord.findFirstOrThrow({
      where: { subject: wallets.EUR ?? "" },
    });
    expect(record.merchantId).toBeNull();
  });

  it("reject deposits with an invalid amount, reference, currency or owner, and write nothing", async () => {
    const bad: [string[], string][] = [
      [fundsArgs("deposit", { mode: "sandbox", amount: "1.005" }), "must have at most 2 decimals"],
      [fundsArgs("deposit", { mode: "sandbox", amount: "0" }), "must be greater than zero"],
      [fundsArgs("deposit", { mode: "sandbox", amount: "1e3" }), "must be a number written as 1234.56"],
      [fundsArgs("deposit", { mode: "sandbox", amount: "1,000" }), "must be a number written as 1234.56"],
      [fundsArgs("deposit", { mode: "sandbox", amount: "1.000" }), "must have at most 2 decimals"],
      [fundsArgs("deposit", { mode: "sandbox", reference: " " }), "1 to 120 characters"],
      [fundsArgs("deposit", { mode: "sandbox", reference: "x".repeat(121) }), "1 to 120 characters"],
      [
        fundsArgs("deposit", { mode: "sandbox" }).map((word) => (word === "EUR" ? "GBP" : word)),
        "No currency GBP found",
      ],
      [
        fundsArgs("deposit", { mode: "sandbox" }).map((word) => (word === "EUR" ? "KWD" : word)),
        "KWD wallet",
      ],
      [
        [...fundsArgs("deposit", { mode: "sandbox" }), "--user", "amelie@example.com"],
        "either --merchant or --user",
      ],
    ];
    for (const [line, text] of bad)
      expect((await expectNoChanges(admin, () => admin.runRejected(...line))).message).toContain(text);
  });

  it("print the outcome with --dry-run and write nothing", async () => {
    const line = fundsArgs("withdraw", { mode: "sandbox" });
    expect(await expectNoChanges(admin, () => admin.runJson(...line, "--dry-run"))).toMatchObject({
      outcome: "booked",
      dry_run: true,
    });
    expect(
      await expectNoChanges(admin, () =>
        admin.runJson(...fundsArgs("deposit", { mode: "live", amount: "5000000" }), "--dry-run"),
      ),
    ).toMatchObject({ outcome: "requested", dry_run: true });
  });
});

describe("approval by a second administrator", () => {
  beforeEach(() => agreeOnLimit("100"));

  it("is required from one cent above the single-approver limit", async () => {
    expect(await admin.runJson(...fundsArgs("deposit", { mode: "live", amount: "100" }))).toMatchObject({
      outcome: "booked",
    });
    expect(await admin.runJson(...fundsArgs("deposit", { mode: "live", amount: "100.01" }))).toMatchObject({
      outcome: "requested",
    });
    expect(await liveBalance()).toBe(110_000n);
  });

  it("moves the money when granted, and cannot be granted by the requester", async () => {
    const line = fundsArgs("withdraw", { mode: "live" });
    const { request, outcome } = await admin.runJson(...line);
    expect(outcome).toBe("requested");
    expect(await liveBalance()).toBe(100_000n);
    expect(await admin.runJson(...line)).toMatchObject({ outcome: "waiting", request });
    expect((await admin.runList("requests", "list")).find((item) => item.request === request)).toMatchObject({
      kind: "withdrawal",
      mode: "live",
      amount: "250.00",
      requested_by: admin.first,
    });
    const id = textOf(request);
    expect(
      (await expectNoChanges(admin, () => admin.runRejected("requests", "approve", id, "--by", admin.first)))
        .code,
    ).toBe("needs_second_administrator");
    const approved = await admin.runJson("requests", "approve", id, "--by", admin.second);
    expect(approved).toMatchObject({ status: "approved", kind: "withdrawal" });
    expect(await liveBalance()).toBe(75_000n);
    expect(await admin.runJson(...line)).toMatchObject({ outcome: "repeated", transfer: approved.transfer });
    expect(await liveBalance()).toBe(75_000n);
    expect((await admin.auditRecords()).slice(-2)).toMatchObject([
      { action: "wallet.withdrawal.request", administrator: admin.first },
      { action: "wallet.withdrawal.approve", administrator: admin.second },
    ]);
  });

  it("is granted only once, even if two administrators grant it concurrently; the second is rejected as already decided", async () => {
    await admin.addAdministrator("third@example.com");
    const { request } = await admin.runJson(...fundsArgs("deposit", { mode: "live" }));
    const ended = await Promise.all(
      [admin.second, "third@example.com"].map((by) =>
        admin.run("--json", "requests", "approve", textOf(request), "--by", by),
      ),
    );
    expect(ended.map(({ exit }) => exit).sort()).toEqual([0, 1]);
    expect(ended.map(({ error }) => error).join("")).toContain('"code":"already_decided"');
    expect(await liveBalance()).toBe(125_000n);
  });

  it("is not required to reject a request: even the requester can reject it, no money moves, and the reference can be used again", async () => {
    const line = fundsArgs("deposit", { mode: "live" });
    const { request } = await admin.runJson(...line);
    expect(await admin.runJson("requests", "reject", textOf(request), "--by", admin.first)).toMatchObject({
      status: "rejected",
      transfer: null,
    });
    expect(await liveBalance()).toBe(100_000n);
    const again = await admin.runJson(...line);
    expect(again).toMatchObject({ outcome: "requested" });
    expect(again.request).not.toBe(request);
  });

  it("is requested only once per reference, even by concurrent commands; a request with a different amount is rejected", async () => {
    const reference = `bank ${randomUUID()}`;
    const ended = await Promise.all(
      Array.from({ length: 6 }, () => admin.runJson(...fundsArgs("deposit", { mode: "live", reference }))),
    );
    expect(ended.map(({ outcome }) => outcome).sort()).toEqual(["requested", ...Array(5).fill("waiting")]);
    expect(new Set(ended.map(({ request }) => request)).size).toBe(1);
    expect(
      (await admin.runRejected(...fundsArgs("deposit", { mode: "live", reference, amount: "250.01" }))).code,
    ).toBe("reference_taken");
  });

  it("fails and leaves the request pending if the balance is no longer sufficient", async () => {
    const { request } = await admin.runJson(...fundsArgs("withdraw", { mode: "live", amount: "1000" }));
    await admin.runJson(...fundsArgs("withdraw", { mode: "live", amount: "0.01" }));
    const id = textOf(request);
    expect(
      (await expectNoChanges(admin, () => admin.runRejected("requests", "approve", id, "--by", admin.second)))
        .code,
    ).toBe("insufficient_balance");
    await admin.runJson("requests", "reject", id, "--by", admin.second);
  });

  it("is required to raise the single-approver limit, but not to lower it", async () => {
    const raise = await admin.runJson("currencies", "single-limit", "EUR", "5000", "--by", admin.first);
    expect(raise).toMatchObject({ outcome: "requested" });
    expect(
      (await admin.runRejected("currencies", "single-limit", "EUR", "6000", "--by", admin.second)).code,
    ).toBe("already_exists");
    expect(
      (await admin.runRejected("requests", "approve", textOf(raise.request), "--by", admin.first)).code,
    ).toBe("needs_second_administrator");
    await admin.runJson("requests", "approve", textOf(raise.request), "--by", admin.second);
    expect(await admin.runJson(...fundsArgs("deposit", { mode: "live", amount: "5000" }))).toMatchObject({
      outcome: "booked",
    });
    expect(await admin.runJson("currencies", "single-limit", "EUR", "0", "--by", admin.first)).toMatchObject({
      outcome: "set",
    });
    expect(await admin.runJson(...fundsArgs("deposit", { mode: "live", amount: "0.01" }))).toMatchObject({
      outcome: "requested",
    });
  });

  it("is enforced by the database, which rejects approval by the requester", async () => {
    const { request } = await admin.runJson("currencies", "single-limit", "USD", "10", "--by", admin.first);
    await expect(
      admin.sandbox.database.pool.query(
        "UPDATE approval_requests SET status = 'approved', decided_by_id = requested_by_id, decided_at = now() WHERE id = $1",
        [request],
      ),
    ).rejects.toMatchObject({ constraint: "approval_requests_two_administrators" });
    await admin.runJson("requests", "reject", textOf(request), "--by", admin.first);
  });
});
