import { waitUntil } from "../until.js";
import { toEntry, toShopperEntry } from "./entries.js";
import type { Append, Entry } from "./operation.js";
import { CURRENCIES, merchantWallet, type Parties, walletOf } from "./parties.js";
import type { CallResult, Recorder } from "./record.js";
import type { ShopperBrowser } from "./shopper.js";

const MAX_PER_PAGE = 100;
const READ_LIMIT_MS = 60_000;

/** A page of a statement, newest entries first. */
export type Page = { entries: Entry[]; next: string | null };
type Statement = { wallet: string; page: (cursor?: string) => Promise<Page> };

export async function readMerchantPage(
  { nextApi }: Parties,
  currency: string,
  { cursor, size = MAX_PER_PAGE }: { cursor?: string | undefined; size?: number } = {},
): Promise<Page> {
  const query = { per_page: size, ...(cursor && { cursor }) };
  const { entries, next_cursor: next } = await nextApi().pay.balances.entries(currency, query);
  return { entries: entries.map(toEntry), next };
}

export async function readShopperPage(
  browser: ShopperBrowser,
  currency: string,
  before?: string,
): Promise<Page> {
  const { activity, next } = await browser.activity(currency, before);
  return { entries: activity.map(toShopperEntry), next };
}

const listStatements = (parties: Parties, browsers: readonly ShopperBrowser[]): Statement[] =>
  CURRENCIES.flatMap((currency) => [
    {
      wallet: merchantWallet(currency),
      page: (cursor) => readMerchantPage(parties, currency, { cursor }),
    },
    ...browsers.map((browser) => ({
      wallet: walletOf(browser.person, currency),
      page: (cursor?: string) => readShopperPage(browser, currency, cursor),
    })),
  ]);

/** Records the history's first call, which appends all entries found in the wallets. */
export async function recordOpening(parties: Parties, recorder: Recorder): Promise<void> {
  const browsers = parties.people.map((_, at) => parties.openBrowser(at));
  const read = async (): Promise<CallResult> => {
    const appends: Append[] = [];
    for (const { wallet, page } of listStatements(parties, browsers)) {
      const { entries, next } = await page();
      if (next !== null) throw new Error(`${wallet} already has more than one page of entries`);
      appends.push(...entries.map(({ element, amount }) => ({ wallet, element, amount })).reverse());
    }
    return { appends };
  };
  await waitUntil("the opening of the wallets", READ_LIMIT_MS, async () => {
    for (const browser of browsers) await browser.signIn();
    const { outcome } = await recorder.record({ client: 0, call: "opening" }, read);
    return outcome === "done" || undefined;
  });
}

/** Reads every statement back to its first entry, one page per call. Only the first page shows the wallet's current state. */
export async function recordFinalStatements(parties: Parties, recorder: Recorder): Promise<void> {
  const browsers = parties.people.map((_, at) => parties.openBrowser(at));
  for (const { wallet, page } of listStatements(parties, browsers)) {
    let cursor: string | undefined;
    let last: Entry | undefined;
    do {
      const from = cursor;
      const { entries, next } = await waitUntil(`the statement of ${wallet}`, READ_LIMIT_MS, async () => {
        for (const browser of browsers) await browser.signIn();
        let read: Page | undefined;
        await recorder.record({ client: 0, call: "final statement" }, async () => {
          read = await page(from);
          // The last entry of the previous page joins the two pages.
          if (last) read.entries.unshift(last);
          const [newest, oldest] = [from === undefined, read.next === null];
          return { reads: [{ wallet, entries: read.entries, newest, oldest }] };
        });
        return read;
      });
      last = entries.at(-1);
      cursor = next ?? undefined;
    } while (cursor !== undefined);
  }
}
