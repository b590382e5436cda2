import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addPartner, addRecipient, balanceOfAccount, type Partner } from "../../support/partner.js";
import { type Administration, addLiveWallet, changesNothing, openAdministration } from "./administration.js";

let admin: Administration;
let partner: Partner;
let liveWallet: string;

beforeAll(async () => {
  admin = await openAdministration();
});
afterAll(() => admin.close());

beforeEach(async () => {
  partner = await addPartner(admin.sandbox);
  liveWallet = await addLiveWallet(admin, partner);
});

type Place = { mode: "sandbox" | "live"; by?: string; reference?: string; amount?: string };

/** The words of a deposit or withdrawal of 250.00 EUR. */
const words = (kind: "deposit" | "withdraw", { mode, by, reference, amount = "250.00" }: Place) => [
  "wallets",
  kind,
  amount,
  ...["--currency", "EUR"],
  ...["--mode", mode],
  ...["--merchant", partner.merchantId],
  ...["--reference", reference ?? `bank ${randomUUID()}`],
  ...["--by", by ?? admin.first],
];

const sandboxBalance = () => balanceOfAccount(admin.sandbox, partner.wallets.EUR);
const liveBalance = () => balanceOfAccount(admin.sandbox, liveWallet);
const textOf = (value: unknown): string => {
  if (typeof value !== "string") throw new Error(`${String(value)} is no text`);
  return value;
};

/** Lets two administrators agree that one alone moves up to so much. */
async function agreeOnLimit(amount: string): Promise<void> {
  const { outcome, request } = await admin.succeed(
    "currencies",
    "single-limit",
    "EUR",
    amount,
    "--by",
    admin.first,
  );
  if (outcome === "requested")
    await admin.succeed("requests", "approve", textOf(request), "--by", admin.second);
}

describe("wallets deposit and withdraw", () => {
  it("book the amount between the funding account and the wallet, with one audit record each", async () => {
    const deposit = await admin.succeed(...words("deposit", { mode: "sandbox" }));
    expect(deposit).toMatchObject({ outcome: "booked", amount: "250.00", currency: "EUR" });
    expect(await sandboxBalance()).toBe(125_000n);
    await admin.succeed(...words("withdraw", { mode: "sandbox", amount: "50.5" }));
    expect(await sandboxBalance()).toBe(119_950n);
    const entries = await admin.sandbox.database.prisma.entry.findMany({
      where: { transferId: textOf(deposit.transfer) },
      include: { account: { select: { kind: true } } },
      orderBy: { amount: "asc" },
    });
    expect(entries.map(({ amount, account }) => [account.kind, amount])).toEqual([
      ["funding", -25_000n],
      ["merchant", 25_000n],
    ]);
    expect((await admin.audit()).slice(-2)).toMatchObject([
      { action: "wallet.deposit", subject: partner.wallets.EUR, details: { amount_minor: "25000" } },
      { action: "wallet.withdrawal", subject: partner.wallets.EUR, details: { amount_minor: "5050" } },
    ]);
  });

  it("book a reference once, also for repeated and concurrent requests", async () => {
    const reference = `bank ${randomUUID()}`;
    const ended = await Promise.all(
      Array.from({ length: 8 }, (_, at) =>
        admin.succeed(
          ...words("deposit", { mode: "sandbox", reference, by: at % 2 ? admin.first : admin.second }),
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

  it("reject a reference that was used with another amount, direction, wallet or source", async () => {
    const reference = `bank ${randomUUID()}`;
    await admin.succeed(...words("deposit", { mode: "sandbox", reference }));
    const other = await addPartner(admin.sandbox);
    const elsewhere = words("deposit", { mode: "sandbox", reference }).map((word) =>
      word === partner.merchantId ? other.merchantId : word,
    );
    for (const line of [
      words("deposit", { mode: "sandbox", reference, amount: "250.01" }),
      words("withdraw", { mode: "sandbox", reference }),
      elsewhere,
      [...words("deposit", { mode: "sandbox", reference }), "--source", "issuing"],
    ])
      expect((await changesNothing(admin, () => admin.refused(...line))).code).toBe("reference_taken");
  });

  it("keep sandbox and live references apart", async () => {
    await agreeOnLimit("1000");
    const reference = `bank ${randomUUID()}`;
    await admin.succeed(...words("deposit", { mode: "sandbox", reference }));
    expect(await admin.succeed(...words("deposit", { mode: "live", reference }))).toMatchObject({
      outcome: "booked",
    });
    expect([await sandboxBalance(), await liveBalance()]).toEqual([125_000n, 125_000n]);
  });

  it("never overdraw a wallet, and never move money of a closed wallet", async () => {
    const refusal = await changesNothing(admin, () =>
      admin.refused(...words("withdraw", { mode: "sandbox", amount: "1000.01" })),
    );
    expect(refusal.code).toBe("insufficient_balance");
    const { wallets, email } = await addRecipient(admin.sandbox);
    await admin.sandbox.database.prisma.account.update({
      where: { id: wallets.EUR ?? "" },
      data: { closedAt: new Date() },
    });
    const toUser = ["--currency", "EUR", "--mode", "sandbox", "--user", email, "--reference", randomUUID()];
    expect((await admin.refused("wallets", "deposit", "1", ...toUser, "--by", admin.first)).code).toBe(
      "wallet_closed",
    );
  });

  it("only deposit in the sandbox, and from the issuance account there", async () => {
    const issued = await admin.succeed(...words("deposit", { mode: "sandbox" }), "--source", "issuing");
    expect(issued.outcome).toBe("booked");
    expect((await admin.refused(...words("deposit", { mode: "live" }), "--source", "issuing")).code).toBe(
      "invalid_value",
    );
  });

  it("find a customer by phone in any notation, and audit it in the house chain", async () => {
    const { email, wallets, id } = await addRecipient(admin.sandbox);
    await admin.sandbox.database.prisma.walletUser.update({ where: { id }, data: { phone: "+33699887766" } });
    for (const user of [email.toUpperCase(), "0033 6 99 88 77 66", id])
      await admin.succeed(
        ...["wallets", "deposit", "1.50", "--currency", "eur", "--mode", "sandbox", "--user", user],
        ...["--reference", randomUUID(), "--by", admin.first],
      );
    expect(await balanceOfAccount(admin.sandbox, wallets.EUR)).toBe(450n);
    const record = await admin.sandbox.database.prisma.auditRecord.findFirstOrThrow({
      where: { subject: wallets.EUR ?? "" },
    });
    expect(record.merchantId).toBeNull();
  });

  it("reject invalid amounts, references, currencies and owners without writing anything", async () => {
    const bad: [string[], string][] = [
      [words("deposit", { mode: "sandbox", amount: "1.005" }), "must have at most 2 decimals"],
      [words("deposit", { mode: "sandbox", amount: "0" }), "must be greater than zero"],
      [words("deposit", { mode: "sandbox", amount: "1e3" }), "must be a number written as 1234.56"],
      [words("deposit", { mode: "sandbox", amount: "1,000" }), "must be a number written as 1234.56"],
      [words("deposit", { mode: "sandbox", amount: "1.000" }), "must have at most 2 decimals"],
      [words("deposit", { mode: "sandbox", reference: " " }), "1 to 120 characters"],
      [words("deposit", { mode: "sandbox", reference: "x".repeat(121) }), "1 to 120 characters"],
      [
        words("deposit", { mode: "sandbox" }).map((word) => (word === "EUR" ? "GBP" : word)),
        "no currency GBP",
      ],
      [words("deposit", { mode: "sandbox" }).map((word) => (word === "EUR" ? "KWD" : word)), "KWD wallet"],
      [
        [...words("deposit", { mode: "sandbox" }), "--user", "amelie@example.com"],
        "either --merchant or --user",
      ],
    ];
    for (const [line, text] of bad)
      expect((await changesNothing(admin, () => admin.refused(...line))).message).toContain(text);
  });

  it("--dry-run prints the outcome and writes nothing", async () => {
    const line = words("withdraw", { mode: "sandbox" });
    expect(await changesNothing(admin, () => admin.succeed(...line, "--dry-run"))).toMatchObject({
      outcome: "booked",
      dry_run: true,
    });
    expect(
      await changesNothing(admin, () =>
        admin.succeed(...words("deposit", { mode: "live", amount: "5000000" }), "--dry-run"),
      ),
    ).toMatchObject({ outcome: "requested", dry_run: true });
  });
});

describe("approval by a second administrator", () => {
  beforeEach(() => agreeOnLimit("100"));

  it("is required from one cent above the single-approver limit", async () => {
    expect(await admin.succeed(...words("deposit", { mode: "live", amount: "100" }))).toMatchObject({
      outcome: "booked",
    });
    expect(await admin.succeed(...words("deposit", { mode: "live", amount: "100.01" }))).toMatchObject({
      outcome: "requested",
    });
    expect(await liveBalance()).toBe(110_000n);
  });

  it("moves the money on approval; the requester cannot approve", async () => {
    const line = words("withdraw", { mode: "live" });
    const { request, outcome } = await admin.succeed(...line);
    expect(outcome).toBe("requested");
    expect(await liveBalance()).toBe(100_000n);
    expect(await admin.succeed(...line)).toMatchObject({ outcome: "waiting", request });
    expect((await admin.rows("requests", "list")).find((one) => one.request === request)).toMatchObject({
      kind: "withdrawal",
      mode: "live",
      amount: "250.00",
      requested_by: admin.first,
    });
    const id = textOf(request);
    expect(
      (await changesNothing(admin, () => admin.refused("requests", "approve", id, "--by", admin.first))).code,
    ).toBe("needs_second_administrator");
    const approved = await admin.succeed("requests", "approve", id, "--by", admin.second);
    expect(approved).toMatchObject({ status: "approved", kind: "withdrawal" });
    expect(await liveBalance()).toBe(75_000n);
    expect(await admin.succeed(...line)).toMatchObject({ outcome: "repeated", transfer: approved.transfer });
    expect(await liveBalance()).toBe(75_000n);
    expect((await admin.audit()).slice(-2)).toMatchObject([
      { action: "wallet.withdrawal.request", administrator: admin.first },
      { action: "wallet.withdrawal.approve", administrator: admin.second },
    ]);
  });

  it("is decided once when two administrators decide concurrently; the other gets a conflict", async () => {
    await admin.addAdministrator("third@example.com");
    const { request } = await admin.succeed(...words("deposit", { mode: "live" }));
    const ended = await Promise.all(
      [admin.second, "third@example.com"].map((by) =>
        admin.run("--json", "requests", "approve", textOf(request), "--by", by),
      ),
    );
    expect(ended.map(({ exit }) => exit).sort()).toEqual([0, 1]);
    expect(ended.map(({ error }) => error).join("")).toContain('"code":"already_decided"');
    expect(await liveBalance()).toBe(125_000n);
  });

  it("can be a rejection, after which the reference can be requested again", async () => {
    const line = words("deposit", { mode: "live" });
    const { request } = await admin.succeed(...line);
    expect(await admin.succeed("requests", "reject", textOf(request), "--by", admin.first)).toMatchObject({
      status: "rejected",
      transfer: null,
    });
    expect(await liveBalance()).toBe(100_000n);
    const again = await admin.succeed(...line);
    expect(again).toMatchObject({ outcome: "requested" });
    expect(again.request).not.toBe(request);
  });

  it("is requested once per reference, also concurrently; another amount is rejected", async () => {
    const reference = `bank ${randomUUID()}`;
    const ended = await Promise.all(
      Array.from({ length: 6 }, () => admin.succeed(...words("deposit", { mode: "live", reference }))),
    );
    expect(ended.map(({ outcome }) => outcome).sort()).toEqual(["requested", ...Array(5).fill("waiting")]);
    expect(new Set(ended.map(({ request }) => request)).size).toBe(1);
    expect(
      (await admin.refused(...words("deposit", { mode: "live", reference, amount: "250.01" }))).code,
    ).toBe("reference_taken");
  });

  it("fails and leaves the request pending if the balance is gone", async () => {
    const { request } = await admin.succeed(...words("withdraw", { mode: "live", amount: "1000" }));
    await admin.succeed(...words("withdraw", { mode: "live", amount: "0.01" }));
    const id = textOf(request);
    expect(
      (await changesNothing(admin, () => admin.refused("requests", "approve", id, "--by", admin.second)))
        .code,
    ).toBe("insufficient_balance");
    await admin.succeed("requests", "reject", id, "--by", admin.second);
  });

  it("is required to raise the single-approver limit, not to lower it", async () => {
    const raise = await admin.succeed("currencies", "single-limit", "EUR", "5000", "--by", admin.first);
    expect(raise).toMatchObject({ outcome: "requested" });
    expect(
      (await admin.refused("currencies", "single-limit", "EUR", "6000", "--by", admin.second)).code,
    ).toBe("already_exists");
    expect(
      (await admin.refused("requests", "approve", textOf(raise.request), "--by", admin.first)).code,
    ).toBe("needs_second_administrator");
    await admin.succeed("requests", "approve", textOf(raise.request), "--by", admin.second);
    expect(await admin.succeed(...words("deposit", { mode: "live", amount: "5000" }))).toMatchObject({
      outcome: "booked",
    });
    expect(await admin.succeed("currencies", "single-limit", "EUR", "0", "--by", admin.first)).toMatchObject({
      outcome: "set",
    });
    expect(await admin.succeed(...words("deposit", { mode: "live", amount: "0.01" }))).toMatchObject({
      outcome: "requested",
    });
  });

  it("is enforced by the database: it rejects a request approved by its requester", async () => {
    const { request } = await admin.succeed("currencies", "single-limit", "USD", "10", "--by", admin.first);
    await expect(
      admin.sandbox.database.pool.query(
        "UPDATE approval_requests SET status = 'approved', decided_by_id = requested_by_id, decided_at = now() WHERE id = $1",
        [request],
      ),
    ).rejects.toMatchObject({ constraint: "approval_requests_two_administrators" });
    await admin.succeed("requests", "reject", textOf(request), "--by", admin.first);
  });
});
