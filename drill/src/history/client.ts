import { randomInt, randomUUID } from "node:crypto";
import { TillgateApiError } from "@tillgate/client";
import { LOOKUP_LIFE_MS } from "../api-clients.js";
import { formatMinor, parseMinor, toMinor } from "./entries.js";
import type { Append, Outcome, Read } from "./operation.js";
import { CURRENCIES, merchantWallet, type Parties, pickAny, walletOf } from "./parties.js";
import type { CallResult, Recorder } from "./record.js";
import { type Page, readMerchantPage, readShopperPage } from "./statements.js";

/** Bounds of random amounts, in minor units. Payouts stay below the sandbox's daily limit. */
const PAYMENT = { from: 100, to: 4_000 };
const PAYOUT = { from: 1, to: 16 };
/** First amount of top-ups and of conversions, in minor units. Each amount is used once per wallet. */
const TOP_UP_FROM = 2_000;
const CONVERSION_FROM = 700;
const MAX_ENTRIES = 10;

export type Shared = {
  parties: Parties;
  recorder: Recorder;
  /** Acknowledged payments that were not refunded. */
  refundable: { orderId: string; reference: string; amount: number; currency: string; wallet: string }[];
  /** The last amount of top-ups and conversions, by wallet. */
  lastAmounts: Map<string, number>;
  /** Lookup tokens by e-mail. */
  lookups: Map<string, { token: string; until: number }>;
};

/** Creates a client, which acts as one shopper's browser and the merchant's shop. @returns a function that makes one random call. */
export function createClient(client: number, shared: Shared): () => Promise<Outcome> {
  const { parties, recorder, refundable } = shared;
  const { people, nextApi } = parties;
  const browser = parties.openBrowser(client);
  const { person } = browser;

  const record = async (
    call: string,
    send: () => Promise<CallResult>,
    appends?: Append[],
  ): Promise<Outcome> => {
    const { outcome, error } = await recorder.record({ client, call, ...(appends && { appends }) }, send);
    if (error instanceof TillgateApiError && error.errorCode === "invalid_lookup_token")
      shared.lookups.clear();
    return outcome;
  };
  const nextAmount = (name: string, from: number): number => {
    const amount = (shared.lastAmounts.get(name) ?? from) + 1;
    shared.lastAmounts.set(name, amount);
    return amount;
  };

  const pay = async (): Promise<Outcome> => {
    const [currency, amount] = [pickAny(person.currencies), randomInt(PAYMENT.from, PAYMENT.to)];
    const reference = randomUUID();
    const order = await nextApi().pay.orders.create({
      amount: formatMinor(amount, currency),
      currency,
      reference,
      description: reference,
      expires_in: 3_600,
      idempotency_key: reference,
    });
    const token = new URL(order.payment_url ?? "").pathname.split("/").at(-1) ?? "";
    const formToken = await browser.openOrder(token);
    const [element, wallet] = [`payment ${reference}`, walletOf(person, currency)];
    const appends = [
      { wallet, element, amount: -amount },
      { wallet: merchantWallet(currency), element, amount },
    ];
    const outcome = await record("payment", () => browser.pay(token, formToken).then(() => ({})), appends);
    if (outcome === "done") refundable.push({ orderId: order.order_id, reference, amount, currency, wallet });
    return outcome;
  };

  const refund = async (): Promise<Outcome> => {
    const [paid] = refundable.splice(randomInt(refundable.length + 1), 1);
    if (!paid) return pay();
    const { orderId, reference, currency, wallet } = paid;
    const { trx_id: trxId } = await nextApi().pay.orders.get(orderId);
    const amount = randomInt(1, paid.amount + 1);
    const element = `refund ${reference}`;
    const refund = {
      transaction_id: trxId ?? "",
      amount: formatMinor(amount, currency),
      reference,
      idempotency_key: reference,
    };
    return record(
      "refund",
      () =>
        nextApi()
          .pay.refunds.create(refund)
          .then(() => ({})),
      [
        { wallet: merchantWallet(currency), element, amount: -amount },
        { wallet, element, amount },
      ],
    );
  };

  const findRecipient = async (email: string): Promise<string> => {
    const known = shared.lookups.get(email);
    if (known && known.until > performance.now()) return known.token;
    const { lookup_token: token } = await nextApi().partner.lookup({ email });
    shared.lookups.set(email, { token, until: performance.now() + LOOKUP_LIFE_MS });
    return token;
  };
  const payOut = async (): Promise<Outcome> => {
    const recipient = pickAny(people);
    const [currency, amount] = [pickAny(recipient.currencies), randomInt(PAYOUT.from, PAYOUT.to)];
    const token = await findRecipient(recipient.email);
    const reference = randomUUID();
    const element = `payout ${reference}`;
    const append = (debit?: number, credit?: number): Append[] => [
      { wallet: merchantWallet(currency), element, amount: debit },
      { wallet: walletOf(recipient, currency), element, amount: credit },
    ];
    const send = async (): Promise<CallResult> => {
      const { payout } = await nextApi().partner.payout({
        lookup_token: token,
        amount: formatMinor(amount, currency),
        sender_currency: currency,
        receiver_currency: currency,
        reference,
        description: reference,
        idempotency_key: reference,
      });
      // The response has the fee.
      const [debit, credit] = [payout.total_deducted, payout.receiver_amount];
      return { appends: append(-toMinor(debit, currency), toMinor(credit, currency)) };
    };
    return record("payout", send, append());
  };

  const topUp = async (): Promise<Outcome> => {
    const currency = pickAny(person.currencies);
    const wallet = walletOf(person, currency);
    const amount = nextAmount(`top-up ${wallet}`, TOP_UP_FROM);
    const text = formatMinor(amount, currency);
    const element = `deposit ${text} ${currency}`;
    const send = () => browser.topUp(currency, text, randomUUID()).then(() => ({}));
    return record("top-up", send, [{ wallet, element, amount }]);
  };

  const convert = async (): Promise<Outcome> => {
    const currency = pickAny(person.currencies);
    const target = pickAny(CURRENCIES.filter((other) => other !== currency));
    const wallet = walletOf(person, currency);
    const amount = nextAmount(`conversion ${wallet}`, CONVERSION_FROM);
    const quote = await browser.quote(currency, target, formatMinor(amount, currency));
    const element = `conversion ${quote.gives}`;
    return record("conversion", () => browser.convert(quote.id).then(() => ({})), [
      { wallet, element, amount: -amount },
      { wallet: walletOf(person, target), element, amount: parseMinor(quote.gets) },
    ]);
  };

  const readStatement = async (): Promise<Outcome> => {
    const currency = pickAny(CURRENCIES);
    const size = randomInt(1, MAX_ENTRIES + 1);
    return record("statement", async () =>
      toRead(merchantWallet(currency), await readMerchantPage(parties, currency, { size })),
    );
  };
  const readBalances = async (): Promise<Outcome> =>
    record("balances", async () => ({
      reads: (await nextApi().pay.balances.list()).map(({ currency, balance }) => ({
        wallet: merchantWallet(currency),
        balance: parseMinor(balance),
      })),
    }));
  const readWalletStatement = async (): Promise<Outcome> => {
    const currency = pickAny(CURRENCIES);
    return record("wallet statement", async () =>
      toRead(walletOf(person, currency), await readShopperPage(browser, currency)),
    );
  };
  const readWalletBalances = async (): Promise<Outcome> =>
    record("wallet balances", async () => ({
      reads: (await browser.view()).wallets.map(({ currency, balance }) => ({
        wallet: walletOf(person, currency),
        balance: parseMinor(balance),
      })),
    }));

  /** Frequency of each call, in percent. */
  const calls: [number, () => Promise<Outcome>][] = [
    [10, pay],
    [8, refund],
    [22, payOut],
    [6, topUp],
    [4, convert],
    [20, readStatement],
    [15, readBalances],
    [10, readWalletStatement],
    [5, readWalletBalances],
  ];
  const choices = calls.flatMap(([percent, call]) => Array.from({ length: percent }, () => call));
  return async () => {
    await browser.signIn();
    return pickAny(choices)();
  };
}

const toRead = (wallet: string, { entries, next }: Page): { reads: Read[] } => ({
  reads: [{ wallet, entries, newest: true, oldest: next === null }],
});
