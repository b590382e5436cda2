import { randomUUID } from "node:crypto";
import { batchLinesResponseSchema, createdBatchResponseSchema } from "@tillgate/contract";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { claimLines, processLines } from "../../../src/money/bulk-payouts/work.js";
import {
  addPartner,
  addRecipient,
  type Partner,
  type PartnerApi,
  partnerApi,
  type Recipient,
} from "../../support/partner.js";
import { openSandbox } from "../../support/sandbox.js";
import {
  addConsoleUser,
  addSecondFactor,
  type ConsoleClient,
  dataOf,
  merchantConsole,
} from "../console/console-client.js";

const BUDGET = 3;
const sandbox = await openSandbox();
const server = await sandbox.startApi({
  environment: {
    TILLGATE_UNKNOWN_RECIPIENTS_PER_DAY: String(BUDGET),
    TILLGATE_PARTNER_REQUESTS_PER_MINUTE: "100000",
  },
});
afterAll(() => sandbox.close());
let partner: Partner;
let api: PartnerApi;
let financeConsole: ConsoleClient;
let recipient: Recipient;
beforeEach(async () => {
  partner = await addPartner(sandbox, { terms: { EUR: {} } });
  api = partnerApi(server, partner.token);
  recipient = await addRecipient(sandbox);
  const user = await addConsoleUser(sandbox, `${randomUUID()}@example.com`, partner.merchantId, "finance");
  await addSecondFactor(sandbox, user);
  financeConsole = merchantConsole(server, { user, merchantId: partner.merchantId });
});

const unknownEmail = () => `${randomUUID()}@example.com`;
const lookUp = async (email: string) => (await api.post("/lookup", { email })).status;
/** Claims and processes bulk payout lines until none is left. */
async function runWorker(): Promise<void> {
  const claim = () => claimLines(server.context, { limit: 32 });
  for (let lines = await claim(); lines.length > 0; lines = await claim())
    await processLines(server.context, lines);
}
/** Uploads a bulk payout. @returns each line's failure and the recipient's name shown. */
async function checkLines(recipients: string[]) {
  const rows = recipients.map((to, at) => `${randomUUID()}-${at},${to},1,EUR`);
  const csv = ["id,recipient,amount,currency", ...rows].join("\n");
  const created = await financeConsole.post("/payouts/batches", { name: "wages", csv });
  const { batch_id } = dataOf(createdBatchResponseSchema, created);
  await runWorker();
  const response = await financeConsole.get(`/payouts/batches/${batch_id}/lines`);
  return dataOf(batchLinesResponseSchema, response).lines.map((line) => [line.failure, line.recipient_name]);
}
const [NOT_FOUND, TOO_MANY] = [
  ["recipient_not_found", null],
  ["too_many_unknown_recipients", null],
];

describe("limit on unknown recipients", () => {
  it("is consumed by lookups of unknown recipients, not of known recipients; once it is exhausted, no lookup reveals a name", async () => {
    for (let callCount = 0; callCount < BUDGET; callCount += 1) {
      expect(await lookUp(recipient.email)).toBe(200);
      expect(await lookUp(unknownEmail())).toBe(404);
    }
    const rejected = await api.post("/lookup", { email: recipient.email });
    expect([rejected.status, rejected.text.includes("Noé")]).toEqual([429, false]);
    expect(Number(rejected.headers.get("retry-after"))).toBeGreaterThan(86_000);
    expect((await financeConsole.post("/payouts/lookup", { email: recipient.email })).status).toBe(429);
    expect(await checkLines([recipient.email])).toEqual([TOO_MANY]);
  });

  it("is consumed by bulk payout lines with unknown recipients", async () => {
    expect(
      await checkLines([
        unknownEmail(),
        recipient.email,
        unknownEmail(),
        unknownEmail(),
        recipient.email,
        unknownEmail(),
      ]),
    ).toEqual([...[NOT_FOUND, [null, "Noé Ŝ"], NOT_FOUND, NOT_FOUND], ...[TOO_MANY, TOO_MANY]]);
    expect(await lookUp(recipient.email)).toBe(429);
  });

  it("is consumed by quotes with guessed lookup tokens", async () => {
    const quote = async () => {
      const currencies = { sender_currency: "EUR", receiver_currency: "EUR" };
      return (await api.post("/quote", { lookup_token: randomUUID(), amount: 1, ...currencies })).status;
    };
    for (let callCount = 0; callCount < BUDGET; callCount += 1) expect(await quote()).toBe(400);
    expect([await quote(), await lookUp(recipient.email)]).toEqual([429, 429]);
  });

  it("is per merchant", async () => {
    for (let callCount = 0; callCount <= BUDGET; callCount += 1) await lookUp(unknownEmail());
    const other = partnerApi(server, (await addPartner(sandbox)).token);
    expect((await other.post("/lookup", { email: recipient.email })).status).toBe(200);
  });

  it("does not affect a confirmed bulk payout line whose recipient was already found", async () => {
    const csv = `id,recipient,amount,currency\n${randomUUID()},${recipient.email},1,EUR`;
    const { batch_id } = dataOf(
      createdBatchResponseSchema,
      await financeConsole.post("/payouts/batches", { name: "wages", csv }),
    );
    await runWorker();
    for (let callCount = 0; callCount <= BUDGET; callCount += 1) await lookUp(unknownEmail());
    expect((await financeConsole.post(`/payouts/batches/${batch_id}/confirm`, { round: 1 })).status).toBe(
      200,
    );
    await runWorker();
    expect(await sandbox.database.prisma.payout.count({ where: { merchantId: partner.merchantId } })).toBe(1);
  });
});
