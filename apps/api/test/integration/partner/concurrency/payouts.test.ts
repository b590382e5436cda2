import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiProcess } from "../../../support/api-process.js";
import { atOnce, share } from "../../../support/at-once.js";
import { countOf } from "../../../support/counts.js";
import {
  addPartner,
  addRecipient,
  balanceOfAccount,
  COMPLETED,
  holdOf,
  lookUp,
  type NewPartner,
  type Partner,
  type PartnerApi,
  PENDING,
  partnerApi,
  REPEATED,
  type Recipient,
  readPayout,
  readQuote,
  settlePayout,
} from "../../../support/partner.js";
import type { Answer } from "../../../support/requests.js";
import { expectEventsOfTheContract } from "../../../support/rows.js";
import { sandboxOfFile } from "../../../support/scene.js";

/** Requests at once, over two api processes. */
const MANY = countOf({ full: 200, reduced: 60 });
const AFFORDED = countOf({ full: 50, reduced: 15 });

let processes: [ApiProcess, ApiProcess];
let recipient: Recipient;

const sandbox = await sandboxOfFile();
beforeAll(async () => {
  processes = [await sandbox.startApi(), await sandbox.startApi()];
  recipient = await addRecipient(sandbox, { EUR: 0n, XAF: 0n });
});
afterAll(() => expectEventsOfTheContract(sandbox));

/** `api` is one of `apis`. */
type Scene = { partner: Partner; api: PartnerApi; apis: [PartnerApi, PartnerApi]; lookup_token: string };

/** A merchant without fees, as both processes serve it. */
async function scene(options: NewPartner): Promise<Scene> {
  const partner = await addPartner(sandbox, options);
  await sandbox.database.prisma.feeSchedule.create({
    data: { merchantId: partner.merchantId, mode: "sandbox", currency: "EUR", fixed: 0n, percent: "0" },
  });
  const apis: Scene["apis"] = [
    partnerApi(processes[0], partner.token),
    partnerApi(processes[1], partner.token),
  ];
  const [api] = apis;
  return { partner, api, apis, lookup_token: await lookUp(api, recipient) };
}

const direct = ({ lookup_token }: Scene, changed: Record<string, unknown> = {}) => {
  const id = randomUUID();
  return {
    lookup_token,
    amount: 1,
    sender_currency: "EUR",
    receiver_currency: "EUR",
    reference: id,
    idempotency_key: id,
    ...changed,
  };
};

/** Sends a number of payouts at once, each to the other process than the one before. */
const sendAtOnce = ({ apis }: Scene, count: number, fields: (index: number) => unknown): Promise<Answer[]> =>
  atOnce(apis, count, (api, index) => api.post("/payout", fields(index)));

describe("concurrent payouts over two processes", () => {
  it(`pay exactly ${AFFORDED} of ${MANY} from a wallet that affords ${AFFORDED}`, async () => {
    const played = await scene({ wallets: { EUR: BigInt(AFFORDED) * 100n + 99n } });
    const before = await balanceOfAccount(sandbox, recipient.wallets.EUR);
    const answers = await sendAtOnce(played, MANY, () => direct(played));
    expect(share(answers)).toEqual({
      [`200 ${COMPLETED}`]: AFFORDED,
      "400 Insufficient balance.": MANY - AFFORDED,
    });
    expect(await balanceOfAccount(sandbox, played.partner.wallets.EUR)).toBe(99n);
    expect(await balanceOfAccount(sandbox, recipient.wallets.EUR)).toBe(before + BigInt(AFFORDED) * 100n);
  });

  it("with one key pay once, and all 50 return the payout", async () => {
    const played = await scene({});
    const fields = direct(played);
    const answers = await sendAtOnce(played, 50, () => fields);
    expect(share(answers)).toEqual({ [`200 ${COMPLETED}`]: 1, [`200 ${REPEATED}`]: 49 });
    const payouts = answers.map((answer) =>
      readPayout(answer, answer.text.includes("duplicate") ? REPEATED : COMPLETED),
    );
    expect(new Set(payouts.map((payout) => JSON.stringify(payout))).size).toBe(1);
    expect(await balanceOfAccount(sandbox, played.partner.wallets.EUR)).toBe(99_900n);
  });

  it("with one key and one quote all return the payout, none an error about its own quote", async () => {
    const played = await scene({});
    const quoted = readQuote(await played.api.post("/quote", direct(played)));
    const fields = { quote_id: quoted.quote_id, reference: "one", idempotency_key: "one" };
    const answers = await sendAtOnce(played, 50, () => fields);
    expect(share(answers)).toEqual({ [`200 ${COMPLETED}`]: 1, [`200 ${REPEATED}`]: 49 });
  });

  it("with one key and the last of the balance return the payout, none an insufficient balance", async () => {
    const played = await scene({ wallets: { EUR: 100n }, terms: { EUR: { daily: 100n } } });
    const fields = direct(played);
    expect(share(await sendAtOnce(played, 20, () => fields))).toEqual({
      [`200 ${COMPLETED}`]: 1,
      [`200 ${REPEATED}`]: 19,
    });
  });

  it("with two keys and one new reference pay one; the other gets Duplicate reference.", async () => {
    const played = await scene({});
    for (let round = 0; round < 5; round += 1) {
      const answers = await sendAtOnce(played, 2, () => direct(played, { reference: `invoice ${round}` }));
      expect(share(answers)).toEqual({ [`200 ${COMPLETED}`]: 1, "400 Duplicate reference.": 1 });
    }
    const many = await sendAtOnce(played, 20, () => direct(played, { reference: "wanted" }));
    expect(share(many)).toEqual({ [`200 ${COMPLETED}`]: 1, "400 Duplicate reference.": 19 });
    expect(await balanceOfAccount(sandbox, played.partner.wallets.EUR)).toBe(99_400n);
  });

  it("of one quote pay exactly once", async () => {
    const played = await scene({});
    const quoted = readQuote(await played.api.post("/quote", direct(played, { receiver_currency: "XAF" })));
    const answers = await sendAtOnce(played, 20, (index) => ({
      quote_id: quoted.quote_id,
      reference: `r${index}`,
      idempotency_key: `k${index}`,
    }));
    expect(share(answers)).toEqual({ [`200 ${COMPLETED}`]: 1, "400 Invalid or expired quote.": 19 });
  });

  it.each([
    ["daily", "400 Daily payout limit exceeded"],
    ["monthly", "400 Monthly payout limit exceeded"],
  ])("never exceed a %s limit", async (limit, refused) => {
    const played = await scene({ terms: { EUR: { [limit]: 1_050n } } });
    const answers = await sendAtOnce(played, 40, () => direct(played));
    expect(share(answers)).toEqual({ [`200 ${COMPLETED}`]: 10, [refused]: 30 });
    expect(await balanceOfAccount(sandbox, played.partner.wallets.EUR)).toBe(99_000n);
  });

  it("hold the money of pending payouts: pending and completed ones share one balance", async () => {
    const played = await scene({ wallets: { EUR: 1_000n }, terms: { EUR: { reviewAbove: 150n } } });
    const answers = await sendAtOnce(played, 20, (index) =>
      direct(played, { amount: index % 2 === 0 ? 2 : 1 }),
    );
    const counts = share(answers);
    const paid = (counts[`200 ${COMPLETED}`] ?? 0) * 100;
    const held = (counts[`200 ${PENDING}`] ?? 0) * 200;
    expect(await holdOf(sandbox, played.partner)).toBe(BigInt(held));
    expect(await balanceOfAccount(sandbox, played.partner.wallets.EUR)).toBe(1_000n - BigInt(paid + held));
    expect(counts["400 Insufficient balance."]).toBe(20 - paid / 100 - held / 200);
    expect(1_000 - paid - held).toBeLessThan(200);
  });

  it("are decided once when approved and rejected concurrently", async () => {
    const played = await scene({ terms: { EUR: { reviewAbove: 0n } } });
    for (let round = 0; round < 5; round += 1) {
      const [answer] = await sendAtOnce(played, 1, () => direct(played));
      if (!answer) throw new Error("no answer");
      const { payout_id } = readPayout(answer, PENDING);
      const decisions = await Promise.allSettled(
        Array.from({ length: 6 }, (_, index) => settlePayout(sandbox, payout_id, index % 2 === 0)),
      );
      expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const decision of decisions)
        if (decision.status === "rejected") expect(decision.reason).toMatchObject({ code: "TG044" });
    }
    expect(await holdOf(sandbox, played.partner)).toBe(0n);
  });

  it("do not deadlock with rejections that restore limits", async () => {
    const played = await scene({
      terms: { EUR: { reviewAbove: 150n, daily: 10_000_000n, monthly: 10_000_000n } },
    });
    const waiting = await sendAtOnce(played, 20, () => direct(played, { amount: 2 }));
    const ids = waiting.map((answer) => readPayout(answer, PENDING).payout_id);
    const [answers] = await Promise.all([
      sendAtOnce(played, 20, () => direct(played)),
      ...ids.map((id, index) => settlePayout(sandbox, id, index % 2 === 0)),
    ]);
    expect(share(answers)).toEqual({ [`200 ${COMPLETED}`]: 20 });
  });

  it("between the wallets of two merchants' recipients in both directions all complete", async () => {
    const played = await scene({ wallets: { EUR: 100_000n, XAF: 100_000_000n } });
    const answers = await sendAtOnce(played, 40, (index) =>
      index % 2 === 0
        ? direct(played, { receiver_currency: "XAF" })
        : direct(played, { sender_currency: "XAF", amount: 1_000 }),
    );
    expect(share(answers)).toEqual({ [`200 ${COMPLETED}`]: 40 });
  });

  it("into a wallet that is being closed are paid before, or rejected with the payout's error", async () => {
    for (let round = 0; round < 5; round += 1) {
      const played = await scene({});
      const leaver = await addRecipient(sandbox);
      const lookup_token = await lookUp(played.api, leaver);
      const [answers] = await Promise.all([
        sendAtOnce(played, 4, () => direct(played, { lookup_token })),
        sandbox.database.pool.query(
          "UPDATE accounts SET closed_at = clock_timestamp() WHERE id = $1 AND balance = 0",
          [leaver.wallets.EUR],
        ),
      ]);
      for (const said of Object.keys(share(answers)))
        expect([`200 ${COMPLETED}`, "400 Recipient wallet not found for currency: EUR"]).toContain(said);
    }
  });
});
